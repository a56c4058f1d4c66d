import type { CallPlan, MediumKind } from '@tocsin/domain';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LockedRows } from '../testing/row-locks.fixture.ts';

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

/** Faults of an implementation, each of which the property must detect. */
type Ways = {
  /** Closing reads the attempts before it has locked the escalation, as a single statement would. */
  looksTooEarly?: boolean;
  /** Delivery relies on the state it read before it locked the attempt. */
  skipsCheck?: boolean;
  /** Closing does not mark attempts that are being sent. */
  marksNothing?: boolean;
};

type Sent = { id: number; afterAck: boolean };

/** Runs all parties concurrently; `pause` lets any other go first. */
async function race(pause: () => Promise<void>, ways: Ways): Promise<{ rows: LockedRows; sent: Sent[] }> {
  const rows = new LockedRows(plan, now);
  const sent: Sent[] = [];

  const escalate = async () => {
    await pause();
    if (rows.closed || rows.leased || !rows.due) return;
    rows.leased = true;
    await rows.transact(async (lock) => {
      await lock('escalation');
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
        rows.attempts.set(id, { ...row, status: 'calling', fencingToken: row.fencingToken + 1 });
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
      await lock('escalation', `attempt ${id}`);
      await pause();
      rows.report(id, id % 2 === 0 ? 'busy' : 'accepted', now);
    });
  };

  const acknowledge = async () => {
    await pause();
    await rows.transact(async (lock) => {
      const early = rows.running();
      await pause();
      await lock('escalation');
      const seen = ways.looksTooEarly ? early : rows.running();
      await lock(...seen.map(({ id }) => `attempt ${id}`));
      await pause();
      rows.close(seen, now);
      if (ways.marksNothing) for (const row of rows.attempts.values()) row.lateRace = false;
    });
  };

  const dispatcher = async () => {
    for (let pass = 0; pass < 3; pass++) await Promise.all([escalate(), deliver()]);
  };
  await Promise.all([dispatcher(), dispatcher(), acknowledge()]);
  return { rows, sent };
}

function faultsOf({ rows, sent }: Awaited<ReturnType<typeof race>>): string[] {
  const late = sent.filter(({ id, afterAck }) => afterAck && !rows.attempts.get(id)?.lateRace);
  const twice = sent.length - new Set(sent.map(({ id }) => id)).size;
  // Ringing calls are hung up by a dispatcher; all others must have ended.
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

test(`in ${interleavings} interleavings of acknowledgment and escalation no later call is unmarked`, async () => {
  const count = { before: 0, races: 0, none: 0 };
  await play({}, interleavings, (sent) => {
    count.before += sent.filter(({ afterAck }) => !afterAck).length;
    count.races += sent.filter(({ afterAck }) => afterAck).length;
    count.none += sent.length === 0 ? 1 : 0;
  });
  // All interleavings must have occurred, otherwise the test proves nothing.
  for (const times of Object.values(count)) expect(times).toBeGreaterThan(interleavings / 100);
}, 120_000);

test.for<[string, Ways]>([
  ['reads attempts before it locks the escalation', { looksTooEarly: true }],
  ['does not mark attempts that are being sent', { marksNothing: true }],
  ['relies on state it read before it locked the attempt', { skipsCheck: true }],
])('an implementation that %s is detected', async ([, ways]) => {
  await expect(play(ways, 2_000)).rejects.toThrow('Property failed');
});
