import { isIP } from 'node:net';

/** Whether a text is an IP address, or a range of them in CIDR notation. */
export function isAddressRange(text: string): boolean {
  const [host = '', bits, ...more] = text.split('/');
  const family = isIP(host);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
