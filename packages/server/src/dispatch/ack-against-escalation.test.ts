import type { CallPlan, MediumKind } from '@tocsin/domain';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LockedRows } from './row-locks.fixture.ts';

const interleavings = 10_000;
const now = new Date('2026-03-01T06:00:00Z');

const person = (userId: number) => ({
  userId,
  name: `User ${userId}`,
  language: '',
  media: [{ kind: 'Voice' as MediumKind, address: `+33${userId}` }],
});

/** Three people at once, each tried again when the telephone is busy. */
const plan: CallPlan = {
  format: 1,
  occasion: 'raised',
  until: 'acknowledged',
  priority: 1,
  delaySeconds: 0,
  outlivesReset: false,
  targets: [
    {
      stages: [
        {
          groupId: 1,
          role: 'first',
          mode: 'Broadcast',
          userIds: [1, 2, 3],
          rostered: false,
          ackTimeoutSeconds: 60,
          attempts: 2,
          cycles: 1,
        },
      ],
    },
  ],
  people: [person(1), person(2), person(3)],
  message: { text: 'Boiler 1 overheats', shortText: '', number: 0, audio: '', file: '' },
};

/** Where the implementation could be wrong: a wrong one must be found out. */
type Ways = {
  /** Closing looks for attempts before it has waited for the duty, as a single statement would. */
  looksTooEarly?: boolean;
  /** Delivering believes what it read before it had the attempt to itself. */
  skipsCheck?: boolean;
  /** Closing does not mark what is on its way. */
  marksNothing?: boolean;
};

type Sent = { id: number; afterAck: boolean };

/** Everybody at work at once; `pause` lets any of the others go first. */
async function race(pause: () => Promise<void>, ways: Ways): Promise<{ rows: LockedRows; sent: Sent[] }> {
  const rows = new LockedRows(plan, now);
  const sent: Sent[] = [];

  const escalate = async () => {
    await pause();
    if (rows.closed || rows.leased || !rows.due) return;
    rows.leased = true;
    await rows.transact(async (lock) => {
      await lock('duty');
      await pause();
      if (!rows.closed) rows.escalate(now);
      await pause();
    });
  };

  const deliver = async () => {
    await pause();
    const taken = [...rows.attempts.values()].filter(({ status, leased }) => status === 'queued' && !leased);
    for (const attempt of taken) attempt.leased = true;
    const ids = taken.map(({ id }) => id);
    const calling: number[] = [];
    await rows.transact(async (lock) => {
      // The snapshot of the statement that then waits for the attempts.
      const wasClosed = rows.closed;
      await pause();
      await lock(...ids.map((id) => `attempt ${id}`));
      for (const id of wasClosed ? [] : ids) {
        const row = rows.attempts.get(id);
        if (!row || (row.status !== 'queued' && !ways.skipsCheck)) continue;
        rows.attempts.set(id, { ...row, status: 'calling', fence: row.fence + 1 });
        calling.push(id);
      }
      await pause();
    });
    await Promise.all(calling.map((id) => send(id)));
  };

  const send = async (id: number) => {
    await pause();
    sent.push({ id, afterAck: rows.closed });
    await pause();
    await rows.transact(async (lock) => {
      await lock('duty', `attempt ${id}`);
      await pause();
      rows.report(id, id % 2 === 0 ? 'busy' : 'accepted', now);
    });
  };

  const acknowledge = async () => {
    await pause();
    await rows.transact(async (lock) => {
      const early = rows.running();
      await pause();
      await lock('duty');
      const seen = ways.looksTooEarly ? early : rows.running();
      await lock(...seen.map(({ id }) => `attempt ${id}`));
      await pause();
      rows.close(seen, now);
      if (ways.marksNothing) for (const row of rows.attempts.values()) row.lateRace = false;
    });
  };

  const dispatcher = async () => {
    for (let turn = 0; turn < 3; turn++) await Promise.all([escalate(), deliver()]);
  };
  await Promise.all([dispatcher(), dispatcher(), acknowledge()]);
  return { rows, sent };
}

function faultsOf({ rows, sent }: Awaited<ReturnType<typeof race>>): string[] {
  const late = sent.filter(({ id, afterAck }) => afterAck && !rows.attempts.get(id)?.lateRace);
  const twice = sent.length - new Set(sent.map(({ id }) => id)).size;
  // What rings is hung up by a dispatcher; all else must have ended.
  const forgotten = rows.running().filter(({ status, hangUp }) => status === 'queued' || !hangUp);
  return [
    ...late.map(({ id }) => `attempt ${id} was made after the acknowledgment and is not marked as a race`),
    ...forgotten.map(({ id, status }) => `attempt ${id} is left ${status}`),
    ...(twice > 0 ? [`${twice} attempts were made twice`] : []),
  ];
}

function play(ways: Ways, runs: number, seen: (sent: readonly Sent[]) => void = () => {}): Promise<void> {
  return fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const pause = () => scheduler.schedule(Promise.resolve());
      const done = race(pause, ways);
      await scheduler.waitFor(done);
      const outcome = await done;
      seen(outcome.sent);
      expect(faultsOf(outcome)).toEqual([]);
    }),
    { numRuns: runs, seed: 20_260_301 },
  );
}

test(`in ${interleavings} interleavings of an acknowledgment and an escalation nobody is called afterwards unmarked`, async () => {
  const count = { before: 0, races: 0, none: 0 };
  await play({}, interleavings, (sent) => {
    count.before += sent.filter(({ afterAck }) => !afterAck).length;
    count.races += sent.filter(({ afterAck }) => afterAck).length;
    count.none += sent.length === 0 ? 1 : 0;
  });
  // Otherwise one of them always came first, and nothing was put to the test.
  for (const times of Object.values(count)) expect(times).toBeGreaterThan(interleavings / 100);
}, 120_000);

test.for<[string, Ways]>([
  ['looks for attempts before it holds the duty', { looksTooEarly: true }],
  ['does not mark what is on its way', { marksNothing: true }],
  ['believes what it read before it held the attempt', { skipsCheck: true }],
])('an implementation that %s is found out', async ([, ways]) => {
  await expect(play(ways, 2_000)).rejects.toThrow('Property failed');
});
