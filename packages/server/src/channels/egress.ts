import { BlockList, isIP } from 'node:net';
import { faultReasons } from './connection-fault.ts';
import { type EgressRule, readEgressRules } from './egress-rules.ts';
import { createNameLookup, type Lookup } from './resolve-name.ts';

/** Where this installation lets the channels of a tenant connect to. */
export type Egress = {
  /** Whether the operator names it for this tenant, such as a mail server in the plant. */
  isOwn(address: string, port: number): boolean;
  /** Undefined when a connection may be made, otherwise what a tenant is told. */
  refusal(address: string, port: number): string | undefined;
  readonly lookup: Lookup;
};

/** The egress of a tenant, by its number. */
export type EgressOf = (tenantId: number) => Egress;

/** Addresses that nobody outside answers at, or that stand for others. RFC 6890, and what came after it. */
const specialIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16', // the metadata services of clouds too
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The only IPv6 addresses in public use, and those among them that are not, or hide an IPv4 address. */
const publicIPv6 = ['2000::/3'];
const specialIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = blockList([...specialIPv4, ...specialIPv6]);
const inPublicUse = blockList(publicIPv6);

/** Refuses all but public addresses, and what the operator allows to the tenant (`EGRESS_ALLOW`). */
export function createEgress(allowed: readonly string[], lookup: Lookup = createNameLookup()): EgressOf {
  const rules = readEgressRules(allowed).map((rule) => ({ rule, addresses: blockList([rule.range]) }));
  return (tenantId) => {
    const own = rules.filter(({ rule }) => rule.tenantId === undefined || rule.tenantId === tenantId);
    return egressBy(own, lookup);
  };
}

function egressBy(own: readonly { rule: EgressRule; addresses: BlockList }[], lookup: Lookup): Egress {
  const isOwn = (given: string, port: number) => {
    const address = plain(given);
    return own.some(
      ({ rule: { ports }, addresses }) => (ports === 'all' || ports.has(port)) && matches(addresses, address),
    );
  };
  const refusal = (given: string, port: number) => {
    const address = plain(given);
    return isOwn(address, port) || isPublic(address) ? undefined : faultReasons.notAllowed;
  };
  return { isOwn, refusal, lookup };
}

/** Addresses, and ranges in CIDR notation. */
function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = familyOf(address);
    if (family === undefined) throw new Error(`${range} is not an address range`);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isPublic(address: string): boolean {
  const family = familyOf(address);
  if (family === undefined || matches(special, address)) return false;
  return family === 'ipv4' || matches(inPublicUse, address);
}

function matches(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** An address without zone, and an IPv4 address that is dressed as IPv6 as what it is. */
function plain(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  // The URL parser writes every IPv6 address in its one shortest form.
  const short = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::(?:ffff:(?:0:)?)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const [h, l] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [h >> 8, h & 255, l >> 8, l & 255].join('.');
}
