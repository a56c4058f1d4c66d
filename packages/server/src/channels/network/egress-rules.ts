import { isAddressRange } from '../../common/address-range.ts';

/** Allows connections to a range of addresses and ports, for one tenant or all. */
export type EgressRule = {
  /** Undefined for every tenant. */
  readonly tenantId: number | undefined;
  readonly range: string;
  readonly ports: ReadonlySet<number> | 'all';
};

/** Ports of mail and web servers. A range without ports does not allow databases or consoles in it. */
const defaultPorts: ReadonlySet<number> = new Set([25, 80, 443, 465, 587]);

const maxTenantId = 4_294_967_295;
const maxPort = 65_535;

/** Reads `EGRESS_ALLOW`. Throws on any invalid rule, so that none is ignored. */
export function readEgressRules(items: readonly string[]): EgressRule[] {
  return rulesIn(items).map((text) => {
    const rule = readRule(text);
    if (!rule) throw new Error(`${text} is not a rule of EGRESS_ALLOW`);
    return rule;
  });
}

/** The faults of the setting, rule by rule. */
export function egressFaults({ egressAllow }: { egressAllow: readonly string[] }): string[] {
  const wrong = rulesIn(egressAllow).filter((text) => !readRule(text));
  return wrong.map(
    (text) =>
      `EGRESS_ALLOW has ${JSON.stringify(text)}: it must be IP addresses or CIDR ranges separated by commas, with ports and the ` +
      'number of a tenant as you like, such as 10.0.0.0/8 or 192.168.1.7:25,587 or [fd12::/32]:* or 2=10.1.0.0/16:25',
  );
}

/** A number alone is another port of the rule before it. */
function rulesIn(items: readonly string[]): string[] {
  return items.length === 0 ? [] : items.join(',').split(/,(?!\d+(?:,|$))/);
}

function readRule(text: string): EgressRule | undefined {
  const [, tenant, where = ''] = /^(?:(\d{1,10})=)?(.*)$/.exec(text) ?? [];
  const tenantId = tenant === undefined ? undefined : Number(tenant);
  const target = readTarget(where);
  const isTenant = tenantId === undefined || (tenantId >= 1 && tenantId <= maxTenantId);
  return isTenant && target ? { tenantId, ...target } : undefined;
}

function readTarget(text: string): Omit<EgressRule, 'tenantId'> | undefined {
  // An IPv6 address contains colons, so its ports follow brackets.
  const [, bracketed, bare, listed] = /^(?:\[([^\]]*)\]|([\d./]+)):(.*)$/.exec(text) ?? [];
  const range = bracketed ?? bare ?? text;
  const ports = listed === undefined ? defaultPorts : readPorts(listed);
  return isAddressRange(range) && ports !== undefined ? { range, ports } : undefined;
}

function readPorts(listed: string): EgressRule['ports'] | undefined {
  if (listed === '*') return 'all';
  const ports = listed.split(',').map((port) => (/^\d{1,5}$/.test(port) ? Number(port) : 0));
  return ports.every((port) => port >= 1 && port <= maxPort) ? new Set(ports) : undefined;
}
