import { isIPv6 } from 'node:net';

/** The network that rate limits apply to: one IPv4 address, or the /64 of an IPv6 address, which is one customer. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [, v4] = /^::ffff:([0-9.]+)$/i.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
