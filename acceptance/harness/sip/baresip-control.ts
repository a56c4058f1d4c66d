import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type BaresipEvent = { type: string; param?: string; peeruri?: string };

/** Drives a baresip by its control socket. */
export type BaresipControl = {
  command(command: string, params?: string): Promise<void>;
  close(): void;
};

export async function controlBaresip(
  port: number,
  onEvent: (event: BaresipEvent) => void,
): Promise<BaresipControl> {
  const socket = await connected(port);
  let rest = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const colon = rest.indexOf(':');
      const length = Number(rest.subarray(0, colon));
      if (colon < 0 || rest.length < colon + length + 2) return;
      const frame = JSON.parse(rest.toString('utf8', colon + 1, colon + 1 + length)) as
        | { event: true; type: string; param?: string }
        | { response: true };
      rest = rest.subarray(colon + length + 2);
      if ('event' in frame) onEvent(frame);
    }
  });
  return {
    command: async (command, params = '') => {
      const text = JSON.stringify({ command, params });
      socket.write(`${Buffer.byteLength(text)}:${text},`);
    },
    close: () => void socket.destroy(),
  };
}

async function connected(port: number): Promise<Socket> {
  for (let tries = 0; tries < 250; tries += 1) {
    const socket = await new Promise<Socket | undefined>((resolve) => {
      const opening: Socket = connect(port, '127.0.0.1', () => resolve(opening));
      opening.once('error', () => resolve(undefined));
    });
    if (socket) return socket;
    await sleep(20);
  }
  throw new Error(`no baresip listens on port ${port}`);
}
