import type { CallPreview } from '@tocsin/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import type { FakeClock } from '../../testing/plant.fixture.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { createSendLimits } from '../engine/send-limits.ts';
import { settleAttempts } from '../outcomes/settle-attempts.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { dispatchTo, workOff } from '../testing/simulated-dispatch.fixture.ts';

const ringMs = 30_000;
const unlimited = createSendLimits({
  user: { burst: 1_000_000, refillSeconds: 0.001 },
  channel: { burst: 1_000_000, refillSeconds: 0.001 },
});

/** The next moment at which something is due: an escalation, or the end of the ringing of a telephone. */
async function nextMoment({ database }: Runtime): Promise<Date | undefined> {
  return inTenant(database, 1, async ({ client }) => {
    const { rows } = await client.query<{ at: Date | null }>(
      `select least(min(d.due_at), (select min(a.started_at) + interval '30 seconds' from call_attempts a
         where a.ended_at is null)) as at from escalations d where d.closed_at is null`,
    );
    return rows[0]?.at ?? undefined;
  });
}

/** Ends calls that have rung long enough. */
async function stopRinging({ runtime }: Dispatch, now: Date): Promise<void> {
  await inTenant(runtime.database, 1, async (transaction) => {
    const { rows } = await transaction.client.query<{ id: number }>(
      'select id from call_attempts where ended_at is null and started_at <= $1',
      [new Date(now.getTime() - ringMs)],
    );
    const reports = rows.map(({ id: attemptId }) => ({
      attemptId,
      report: { outcome: { kind: 'noAnswer' as const } },
      reference: '',
    }));
    await settleAttempts(transaction, reports);
  });
}

/** Runs the dispatcher through a night in which nobody answers. */
async function sitThrough(dispatch: Dispatch, clock: FakeClock, until: Date): Promise<void> {
  await workOff(dispatch);
  for (;;) {
    const at = await nextMoment(dispatch.runtime);
    if (!at || at >= until) return;
    clock.set(new Date(Math.max(at.getTime(), clock.now().getTime())).toISOString());
    await stopRinging(dispatch, clock.now());
    await workOff(dispatch);
  }
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

async function callsMade({ database }: Runtime, tagId: number) {
  const rows = await inTenant(database, 1, (transaction) =>
    transaction
      .selectFrom('callAttempts')
      .select(['startedAt', 'userId', 'medium', 'callGroupId', 'attempt'])
      .where('tagId', '=', tagId)
      .orderBy('id')
      .execute(),
  );
  return rows.map(({ startedAt, userId, medium, callGroupId, attempt }) => ({
    userId,
    medium,
    callGroupId: callGroupId ?? 0,
    attempt,
    at: seconds(startedAt),
  }));
}

type Seen = { time: string; userId: number; medium: string; callGroupId: number; attempt: number };

function callsSeen(calls: readonly Seen[]) {
  return calls.map(({ time, userId, medium, callGroupId, attempt }) => ({
    userId,
    medium,
    callGroupId,
    attempt,
    at: seconds(new Date(time)),
  }));
}

const media = fc.subarray(['Voice', 'Sms', 'Email'] as const, { minLength: 1 });
const plants = fc.record({
  people: fc.array(media, { minLength: 2, maxLength: 4 }),
  modes: fc.tuple(
    fc.constantFrom('Sequential', 'Broadcast', 'Turnover'),
    fc.constantFrom('Sequential', 'Broadcast', 'Turnover'),
  ),
  ackTimeout: fc.constantFrom(30, 60, 120),
  attempts: fc.integer({ min: 1, max: 4 }),
  cycles: fc.integer({ min: 1, max: 3 }),
  delay: fc.constantFrom(0, 45),
  hasRelief: fc.boolean(),
  isRostered: fc.boolean(),
});

type Plant = typeof plants extends fc.Arbitrary<infer Value> ? Value : never;

async function furnish(admin: Client, run: number, plant: Plant): Promise<object[]> {
  const userIds: number[] = [];
  for (const [index, kinds] of plant.people.entries()) {
    const number = 33_600_000_000 + run * 100 + index;
    const own = kinds.map((kind) => ({
      kind,
      address: kind === 'Email' ? `p${number}@x.example` : `+${number}`,
    }));
    userIds.push(await addPerson(admin, `P${run}-${index}`, { media: own }));
  }
  const half = Math.ceil(userIds.length / 2);
  const { ackTimeout, attempts, cycles } = plant;
  const usual = { ackTimeout, attempts, cycles };
  const relief = await addGroup(admin, `Relief ${run}`, {
    ...usual,
    mode: plant.modes[1],
    userIds: userIds.slice(half),
  });
  // The hand-over is at noon, in the middle of the previewed time.
  const days = [1, 2, 3, 4, 5, 6, 7];
  const slots = days.flatMap((day) => [
    { teamId: 1, day, start: '00:00', end: '12:00' },
    { teamId: 2, day, start: '12:00', end: '24:00' },
  ]);
  const teams = [
    { id: 1, name: 'Early', userIds: userIds.slice(0, half) },
    { id: 2, name: 'Late', userIds: userIds.slice(half) },
  ];
  const first = await addGroup(admin, `First ${run}`, {
    ...usual,
    mode: plant.modes[0],
    userIds,
    ...(plant.hasRelief && { reliefGroupId: relief }),
    ...(plant.isRostered && { teams, roster: { slotMinutes: 60, slots } }),
  });
  const last = userIds.at(-1) ?? 0;
  return [
    { type: 'CallGroup', id: first },
    { type: 'CallUser', id: last },
  ];
}

test('the preview matches the calls of the dispatcher when nobody answers', { timeout: 120_000 }, async ({
  client,
  runtime,
  clock,
  world,
}) => {
  const admin = client('admin');
  // No channel serves e-mail: such calls fail, and others follow at once.
  for (const medium of ['Voice', 'Sms'])
    await admin.post('/channels', {
      name: medium,
      kind: 'simulated',
      medium,
      settings: { url: 'http://127.0.0.1:1' },
    });
  const dispatch = { ...dispatchTo(runtime, world, ['Voice', 'Sms']), limits: unlimited };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(plants, async (plant) => {
      run += 1;
      const alarmActions = await furnish(admin, run, plant);
      const alarm = { path: `p/${run}`, alarmActions, alarmDelay: plant.delay };
      const defined = await admin.post('/alarms', { ...alarm, raised: false });
      expect(defined.statusCode).toBe(200);
      const alarmId = defined.json<number>();
      // 11:57 in Paris, one day later each time, so that the runs are independent.
      clock.set(new Date(Date.UTC(2026, 2, 1 + run, 10, 57)).toISOString());
      const from = clock.now();
      const asked = { alarmId, seconds: 420 };
      const preview = (await admin.post('/call/preview', asked)).json();
      const again = (await admin.post('/call/preview', { ...asked, at: from.toISOString() })).json();
      expect(again).toEqual(preview);
      expect(preview).toMatchObject({ truncated: false });
      await admin.post('/alarms', alarm);
      await sitThrough(dispatch, clock, new Date(from.getTime() + 420_000));
      const made = await callsMade(runtime, alarmId);
      expect(made.length).toBeGreaterThan(0);
      expect(callsSeen(preview.calls)).toEqual(made);
      await admin.post('/alarms', { path: `p/${run}`, raised: false });
      await workOff(dispatch);
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

test('a preview shows who is called, when, how and why, and calls nobody', async ({
  runtime,
  client,
  clock,
}) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', { media: [{ kind: 'Voice', address: '+33600000001' }] });
  const kay = await addPerson(admin, 'Kay', { media: [{ kind: 'Sms', address: '+33600000002' }] });
  const settings = { url: 'http://127.0.0.1:1' };
  await admin.post('/channels', { name: 'V', kind: 'simulated', medium: 'Voice', settings });
  const relief = await addGroup(admin, 'Relief', { userIds: [kay], ackTimeout: 60 });
  const group = await addGroup(admin, 'Day', {
    teams: [{ id: 1, name: 'Day', userIds: [ada] }],
    roster: { slotMinutes: 60, slots: [{ teamId: 1, day: 7, start: '06:00', end: '18:00' }] },
    ackTimeout: 60,
    attempts: 1,
    cycles: 1,
    reliefGroupId: relief,
  });
  const preview = async (body: object) => (await client('viewer').post('/call/preview', body)).json();
  // A Sunday.
  const day = await preview({ callGroupId: group, at: '2026-03-01T12:00:00', seconds: 40 });
  expect(day.calls).toMatchObject([
    {
      time: '2026-03-01T12:00:00+01:00',
      user: 'Ada',
      userId: ada,
      medium: 'Voice',
      address: '********0001',
      callGroupId: group,
      callGroup: 'Day',
      attempt: 1,
      role: 'first',
      why: 'slot',
      hasChannel: true,
    },
    { time: '2026-03-01T12:00:30+01:00', user: 'Kay', role: 'relief', why: 'always', hasChannel: false },
  ]);
  const night = await preview({ callGroupId: group, at: '2026-03-01T22:00:00', seconds: 1 });
  // No channel reaches Kay, so people who are not on duty are called.
  expect(night.calls).toMatchObject([{ user: 'Ada', role: 'first', callGroup: 'Day' }]);
  expect(night.notices).toMatchObject([{ kind: 'nobody-on-duty', callGroupId: group }]);
  const alone = await preview({ userId: kay, seconds: 1 });
  expect(alone.calls).toMatchObject([{ user: 'Kay', callGroupId: 0, why: 'named', role: 'first' }]);
  const long = await preview({ userId: kay, seconds: 86_400 });
  expect(long).toMatchObject({ truncated: true });
  expect(long.calls).toHaveLength(500);

  clock.advance(3_600);
  const attempts = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('callAttempts').select('id').execute(),
  );
  expect(attempts).toEqual([]);
});

test('a preview of a user who cannot be called shows the reason', async ({ client }) => {
  const admin = client('admin');
  const away = await addPerson(admin, 'Away', { enabled: false });
  const mute = await addPerson(admin, 'Mute', { media: [] });
  const paged = await addPerson(admin, 'Paged', { media: [{ kind: 'Pager', address: '4711' }] });
  const empty = await addGroup(admin, 'Empty');
  const preview = async (body: object) => {
    const answer = await client('viewer').post('/call/preview', body);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<CallPreview>();
  };
  expect(await preview({ userId: away, alarmId: 0 })).toMatchObject({ reason: `user ${away} is disabled` });
  expect(await preview({ userId: mute })).toMatchObject({ reason: `user ${mute} has no medium` });
  const { reason, calls } = await preview({ userId: paged, seconds: 1 });
  expect(reason).toBe(`no channel serves a medium of user ${paged}`);
  expect(calls).toMatchObject([{ user: 'Paged', hasChannel: false }]);
  expect((await preview({ callGroupId: empty })).reason).toMatch(/^nobody/);
});

test('the calls of a scenario are previewed before it is saved', async ({ client }) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada');
  const kay = await addPerson(admin, 'Kay');
  const group = await addGroup(admin, 'Day', { userIds: [ada], attempts: 1, cycles: 1 });
  const actions = [
    { type: 'CallGroup', id: group },
    { type: 'CallUser', id: kay },
  ];
  const { calls } = (await admin.post('/call/preview', { actions, seconds: 1 })).json<CallPreview>();
  expect(calls.map(({ user, callGroup, why }) => ({ user, callGroup, why }))).toEqual(
    expect.arrayContaining([
      { user: 'Ada', callGroup: 'Day', why: 'always' },
      { user: 'Kay', callGroup: '', why: 'named' },
    ]),
  );
  const missing = await admin.post('/call/preview', { actions: [...actions, { type: 'CallUser', id: 99 }] });
  expect(missing.statusCode).toBe(404);
  const both = await admin.post('/call/preview', { actions, userId: kay });
  expect(both.statusCode).toBe(400);
});

test('a preview of nothing, of two targets or of a missing one is refused', async ({ client }) => {
  const viewer = client('viewer');
  for (const body of [{}, { alarmId: 1, userId: 1 }]) {
    expect((await viewer.post('/call/preview', body)).statusCode).toBe(400);
  }
  for (const body of [{ alarmId: 9 }, { callGroupId: 9 }, { userId: 9 }])
    expect((await viewer.post('/call/preview', body)).statusCode).toBe(404);
  const user = await addPerson(client('admin'), 'Ada');
  const bad = await viewer.post('/call/preview', { userId: user, at: 'next tuesday' });
  expect(bad.json().errors[0].pointer).toBe('/at');
  expect((await client('machine').post('/call/preview', { userId: user })).statusCode).toBe(403);
});
