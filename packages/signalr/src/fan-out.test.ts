import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFanOut } from './fan-out.ts';
import type { HubConnection } from './hub.ts';
import type { HubMessage } from './hub-message.ts';
import { alarmMessage } from './testing/watch-hub.ts';

type Listener = HubConnection<string> & { readonly got: string[] };

/** A client that notes the cursors it was sent. */
function listener(id: number, work: () => void = () => undefined): Listener {
  const got: string[] = [];
  return {
    id: String(id),
    identity: { user: 'ada', key: 'ada' },
    family: 'core',
    transport: 'webSockets',
    isOpen: true,
    pendingBytes: 0,
    got,
    send: ({ cursor }: HubMessage) => {
      work();
      got.push(cursor ?? '');
    },
    close: () => undefined,
    keepState: () => undefined,
  };
}

const listeners = (count: number, work?: () => void) =>
  Array.from({ length: count }, (_, index) => listener(index, work));
const one = alarmMessage(1);
const two = alarmMessage(2);

test('a small audience is written at once', () => {
  const { broadcast, waiting } = createFanOut({ sliceMs: 10_000 });
  const all = listeners(500);
  void broadcast(all, () => one);
  expect(all.every(({ got }) => got.length === 1)).toBe(true);
  expect(waiting).toBe(0);
});

test('a large audience is written in slices, and others get a turn in between', async () => {
  const { broadcast } = createFanOut({ sliceSize: 100 });
  const all = listeners(1_000);
  const done = broadcast(all, () => one);
  const seen: number[] = [];
  const look = () => {
    seen.push(all.filter(({ got }) => got.length > 0).length);
    if ((seen.at(-1) ?? 0) < 1_000) setImmediate(look);
  };
  look();
  await done;
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen[0]).toBe(0);
  expect(new Set(seen).size).toBeGreaterThanOrEqual(10);
  expect(seen.every((count, index) => index === 0 || count - (seen[index - 1] ?? 0) <= 100)).toBe(true);
});

test('a slice ends when its time is up, however few it has written to', async () => {
  const { broadcast } = createFanOut({ sliceMs: 5 });
  let written = 0;
  const turns: number[] = [];
  const slow = () => {
    written += 1;
    for (const end = performance.now() + 1; performance.now() < end; );
  };
  const done = broadcast(listeners(200, slow), () => one);
  turns.push(written);
  await eachTurnUntil(done, () => turns.push(written));
  expect(written).toBe(200);
  const steps = turns.map((count, index) => count - (turns[index - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(32);
});

test('broadcasts keep their order, also when a small one follows a large one', async () => {
  const fanOut = createFanOut({ sliceSize: 10 });
  const all = listeners(95);
  const few = all.slice(90);
  const large = fanOut.broadcast(all, () => one);
  const small = fanOut.broadcast(few, () => two);
  expect(few[0]?.got).toEqual([]);
  expect(fanOut.waiting).toBe(2);
  await Promise.all([large, small]);
  expect(few.map(({ got }) => got.join())).toEqual(few.map(() => '1,2'));
  expect(all[0]?.got).toEqual(['1']);
  expect(fanOut.waiting).toBe(0);
});

test('what is sent is asked for at the moment of writing', async () => {
  const { broadcast } = createFanOut({ sliceSize: 10 });
  const all = listeners(20);
  let joined = 0;
  const done = broadcast(all, ({ id }) => (Number(id) >= joined ? one : undefined));
  setImmediate(() => {
    joined = 15;
  });
  await done;
  expect(all.filter(({ got }) => got.length > 0).map(({ id }) => Number(id))).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19,
  ]);
});

test('those who are gone are passed over, and one whose message cannot be made stops nobody', async () => {
  const errors: unknown[] = [];
  const { broadcast } = createFanOut({ onError: (error) => errors.push(error) });
  const all = [listener(0), { ...listener(1), isOpen: false }, listener(2), listener(3)];
  await broadcast(all, ({ id }) => {
    if (id === '2') throw new Error('no');
    return one;
  });
  expect(all.map(({ got }) => got.length)).toEqual([1, 0, 0, 1]);
  expect(errors).toHaveLength(1);
});

test('with ten thousand clients everybody else gets a turn after each five hundred', async () => {
  const { broadcast } = createFanOut();
  let sent = 0;
  const turns: number[] = [];
  const done = Promise.all(
    [1, 2, 3].map(() =>
      broadcast(
        listeners(10_000, () => void (sent += 1)),
        () => one,
      ),
    ),
  );
  await eachTurnUntil(done, () => {
    turns.push(sent);
    sent = 0;
  });
  expect(Math.max(...turns)).toBe(500);
  expect(turns.reduce((sum, each) => sum + each) + sent).toBe(30_000);
});

test('with ten thousand clients no turn takes 30 ms of the processor', async () => {
  // Best of five: where the machine is shared, a turn now and then is charged with what others took.
  const rounds: number[] = [];
  while (rounds.length < 5 && Math.min(...rounds) >= 30) rounds.push(await longestTurnMs());
  expect(Math.min(...rounds), rounds.join()).toBeLessThan(30);
});

async function longestTurnMs(): Promise<number> {
  const { broadcast } = createFanOut();
  // Each send costs about what a write to a socket does.
  const payload = Buffer.alloc(4_096);
  const all = listeners(10_000, () => void createHash('sha256').update(payload).digest());
  // Processor time, not the clock's: what else runs on the machine is no stall of ours.
  const cpuMs = () => process.threadCpuUsage().user / 1_000;
  const turns: number[] = [];
  let last = cpuMs();
  await eachTurnUntil(Promise.all([1, 2, 3].map(() => broadcast(all, () => one))), () => {
    const now = cpuMs();
    turns.push(now - last);
    last = now;
  });
  expect(
    turns.reduce((sum, each) => sum + each),
    'what it takes in one go',
  ).toBeGreaterThan(60);
  return Math.max(...turns);
}

/** Calls `look` in every turn of the event loop until `done` is. */
async function eachTurnUntil(done: Promise<unknown>, look: () => void): Promise<void> {
  let running = true;
  const turn = () => {
    look();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await done;
  running = false;
}
