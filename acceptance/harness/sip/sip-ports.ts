import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Apart from the ports of the server's calls, and below those that the system hands out. */
const [first, last, size] = [24_000, 31_999, 8];
const taken = new Set<number>();

/** The first of eight free ports. baresip takes the one after its SIP port for TLS. */
export async function freePortBlock(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const start = first + size * Math.floor((Math.random() * (last - first)) / size);
    if (taken.has(start)) continue;
    const ports = Array.from({ length: size }, (_, offset) => start + offset);
    const free = await Promise.all(ports.flatMap((port) => [canListen(port), canBind(port)]));
    if (!free.every(Boolean)) continue;
    taken.add(start);
    return start;
  }
  throw new Error('no eight free ports in a row');
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}
