import type { Server } from 'node:http';
import { networkInterfaces } from 'node:os';

/** The default address at which other servers reach this one: the address it listens on, or one of the machine's. */
export function nodeAddressOf(server: Server, scheme: 'http' | 'https'): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const isAny = address.address === '0.0.0.0' || address.address === '::';
  const host = isAny ? machineAddress() : address.address;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function machineAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
