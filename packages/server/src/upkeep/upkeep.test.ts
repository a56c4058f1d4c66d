import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startUpkeep } from './upkeep.ts';

const silent = pino({ level: 'silent' });

test('a job runs at once and periodically, and never twice at the same time', async () => {
  let running = 0;
  let maxRunning = 0;
  let runs = 0;
  const run = async () => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await sleep(5);
    running -= 1;
    runs += 1;
  };
  const upkeep = startUpkeep([{ name: 'slow', everyMs: 1, run }], silent);
  await expect.poll(() => runs).toBeGreaterThan(3);
  await upkeep.stop();
  expect(maxRunning).toBe(1);
});

test('a failed job is logged by name and retried, and does not stop the others', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  let failures = 0;
  let others = 0;
  const upkeep = startUpkeep(
    [
      {
        name: 'broken',
        everyMs: 1,
        run: async () => {
          failures += 1;
          throw new Error('no partition today');
        },
      },
      {
        name: 'sound',
        everyMs: 1,
        run: async () => {
          others += 1;
        },
      },
    ],
    log,
  );
  await expect.poll(() => Math.min(failures, others)).toBeGreaterThan(2);
  await upkeep.stop();
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
    job: 'broken',
    msg: 'upkeep job failed',
    err: { message: 'no partition today' },
  });
});

test('stopping waits for the running job, and starts no other', async () => {
  let ended = 0;
  const run = async () => {
    await sleep(30);
    ended += 1;
  };
  const upkeep = startUpkeep([{ name: 'hourly', everyMs: 3_600_000, run }], silent);
  await upkeep.stop();
  expect(ended).toBe(1);
});
