import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createPortBlocks, type PortBlock } from './port-blocks.ts';

const local = '127.0.0.1';
/** Away from the ports of other tests. */
const range = { first: 15_000, last: 15_023 };

async function releaseAll(blocks: readonly (PortBlock | undefined)[]): Promise<void> {
  for (const block of blocks) await block?.release();
}

test('each call has ports of its own, until there are none', async () => {
  const blocks = createPortBlocks(range);
  const taken = await Promise.all([blocks.acquire(local), blocks.acquire(local), blocks.acquire(local)]);
  onTestFinished(() => releaseAll(taken));
  expect(taken.map((block) => block?.sip ?? 0).toSorted((one, other) => one - other)).toEqual([
    15_000, 15_008, 15_016,
  ]);
  expect(await blocks.acquire(local)).toBeUndefined();
  await taken[0]?.release();
  const again = await blocks.acquire(local);
  expect(again?.sip).toBe(taken[0]?.sip);
  await again?.release();
});

test('two servers of one machine never take the same ports', async () => {
  const servers = [createPortBlocks(range), createPortBlocks(range)];
  const taken = await Promise.all(
    servers.flatMap((blocks) => [blocks.acquire(local), blocks.acquire(local)]),
  );
  onTestFinished(() => releaseAll(taken));
  const starts = taken.flatMap((block) => block?.sip ?? []);
  expect(new Set(starts).size).toBe(starts.length);
});

test('ports that another program holds are passed over', async () => {
  const other = createSocket('udp4').bind(15_002, local);
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const blocks = createPortBlocks({ first: 15_000, last: 15_015 });
  const block = await blocks.acquire(local);
  expect(block?.sip).toBe(15_008);
  await block?.release();
});
