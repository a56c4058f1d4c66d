import { BlockList, isIP } from 'node:net';
import { faultReasons } from './connection-fault.ts';
import { type EgressRule, readEgressRules } from './egress-rules.ts';
import { createNameLookup, type Lookup } from './resolve-name.ts';

/** The addresses that the channels of a tenant may connect to. */
export type Egress = {
  /** Whether the operator lists the address for this tenant, such as a mail server in the plant. */
  isListed(address: string, port: number): boolean;
  /** The reason for the tenant why a connection is refused; undefined if it is allowed. */
  refusal(address: string, port: number): string | undefined;
  readonly lookup: Lookup;
};

export type EgressOf = (tenantId: number) => Egress;

/** Special-purpose addresses (RFC 6890 and its successors), which are not public. */
const specialIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16', // includes the metadata services of clouds
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

/** The public IPv6 range, and its parts that are not public or embed an IPv4 address. */
const publicIPv6 = ['2000::/3'];
const specialIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = blockList([...specialIPv4, ...specialIPv6]);
const inPublicUse = blockList(publicIPv6);

/** Allows public addresses, and those that the operator lists for the tenant (`EGRESS_ALLOW`). */
export function createEgress(allowed: readonly string[], lookup: Lookup = createNameLookup()): EgressOf {
  const rules = readEgressRules(allowed).map((rule) => ({ rule, addresses: blockList([rule.range]) }));
  return (tenantId) => {
    const own = rules.filter(({ rule }) => rule.tenantId === undefined || rule.tenantId === tenantId);
    return egressBy(own, lookup);
  };
}

function egressBy(own: readonly { rule: EgressRule; addresses: BlockList }[], lookup: Lookup): Egress {
  const isListed = (given: string, port: number) => {
    const address = plain(given);
    return own.some(
      ({ rule: { ports }, addresses }) => (ports === 'all' || ports.has(port)) && matches(addresses, address),
    );
  };
  const refusal = (given: string, port: number) => {
    const address = plain(given);
    return isListed(address, port) || isPublic(address) ? undefined : faultReasons.notAllowed;
  };
  return { isListed, refusal, lookup };
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

/** Removes the zone, and converts an IPv4-mapped IPv6 address to IPv4. */
function plain(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  // The URL parser writes every IPv6 address in its shortest form.
  const short = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::(?:ffff:(?:0:)?)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const bits = [high, low].map((group) => Number.parseInt(group, 16));
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.');
}
