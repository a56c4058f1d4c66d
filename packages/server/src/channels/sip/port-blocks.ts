import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';

/** The ports of one call. */
export type PortBlock = {
  /** Signalling; the next one is taken by baresip for TLS. */
  readonly sip: number;
  /** The first of four ports for voice. */
  readonly rtp: number;
  /** The control socket, on the loopback interface. */
  readonly control: number;
  release(): Promise<void>;
};

/** SIP and TLS (2), voice (4), control (1), and the lock of the block (1). */
const blockSize = 8;
const offsets = { sip: 0, tls: 1, rtp: 2, control: 6, lock: 7 } as const;

/**
 * Hands out blocks of ports. A listening socket locks each block, so that several servers of one machine never use the
 * same one, and a server that dies gives its blocks back.
 */
export function createPortBlocks({ first, last }: { first: number; last: number }): {
  acquire(local: string): Promise<PortBlock | undefined>;
} {
  const count = Math.floor((last - first + 1) / blockSize);
  // Servers of one machine begin at different places, so that they rarely try the same block.
  let next = Math.floor(Math.random() * count);
  return {
    acquire: async (local) => {
      for (let tried = 0; tried < count; tried += 1) {
        const start = first + (next % count) * blockSize;
        next += 1;
        const block = await acquireBlock(start, local);
        if (block) return block;
      }
      return undefined;
    },
  };
}

async function acquireBlock(start: number, local: string): Promise<PortBlock | undefined> {
  const lock = await listen('127.0.0.1', start + offsets.lock);
  if (!lock) return undefined;
  if (!(await isFree(start, local))) {
    await close(lock);
    return undefined;
  }
  return {
    sip: start + offsets.sip,
    rtp: start + offsets.rtp,
    control: start + offsets.control,
    release: () => close(lock),
  };
}

/** A left-over baresip may hold ports whose lock is free. */
async function isFree(start: number, local: string): Promise<boolean> {
  const probes = await Promise.all([
    canListen('127.0.0.1', start + offsets.control),
    canListen(local, start + offsets.sip),
    canListen(local, start + offsets.tls),
    ...[offsets.sip, offsets.rtp, offsets.rtp + 1, offsets.rtp + 2, offsets.rtp + 3].map((offset) =>
      canBind(local, start + offset),
    ),
  ]);
  return probes.every(Boolean);
}

async function canListen(host: string, port: number): Promise<boolean> {
  const server = await listen(host, port);
  if (server) await close(server);
  return server !== undefined;
}

function listen(host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => resolve(server.unref()));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

function canBind(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
