import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createNameLookup, type Lookup } from './resolve-name.ts';

const find = (lookup: Lookup, hostname: string) =>
  new Promise<{ error: Error | null; addresses: { address: string }[] }>((resolve) =>
    lookup(hostname, { all: true }, (error, addresses) => resolve({ error, addresses })),
  );

/** A name server that never answers. */
async function silentServer(): Promise<{ address: string; close: () => void }> {
  const socket = createSocket('udp4');
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

test('a name server that hangs delays neither other names nor other work, and its names fail', async () => {
  const server = await silentServer();
  const lookup = createNameLookup([server.address]);
  const hanging = Array.from({ length: 50 }, (_, index) => find(lookup, `host${index}.slow.example`));
  const startMs = performance.now();
  expect((await find(lookup, 'localhost')).addresses.length).toBeGreaterThan(0);
  // Reading a file takes one of the four threads that lookups of the system would hold.
  await readFile(new URL(import.meta.url));
  expect(performance.now() - startMs).toBeLessThan(1_000);
  const answers = await Promise.all(hanging);
  expect(answers.every(({ error }) => error !== null)).toBe(true);
  server.close();
}, 20_000);
