import type { CallPreview, Duties } from '@tocsin/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Client, test } from '../../testing/app.fixture.ts';

const hourMs = 3_600_000;
/** The clock of the tests begins on 1 March 2026; four weeks later clocks change. */
const start = Date.parse('2026-03-01T06:00:00Z');
const people = [1, 2, 3, 4];
const teams = [
  { id: 1, name: 'A', userIds: [1, 2] },
  { id: 2, name: 'B', userIds: [3] },
];

const anyHour = fc.integer({ min: 0, max: 29 * 24 });
const anyPerson = fc.constantFrom(...people);
const anyPeriod = fc
  .record({ from: anyHour, hours: fc.integer({ min: 1, max: 200 }) })
  .map(({ from, hours }) => ({
    from: new Date(start + from * hourMs).toISOString(),
    to: new Date(start + (from + hours) * hourMs).toISOString(),
  }));
const anySlot = fc
  .record({
    teamId: fc.constantFrom(1, 2),
    day: fc.integer({ min: 1, max: 7 }),
    from: fc.integer({ min: 0, max: 23 }),
    hours: fc.integer({ min: 1, max: 24 }),
    week: fc.option(fc.constantFrom(1, 2)),
  })
  .map(({ teamId, day, from, hours, week }) => {
    const slot = { teamId, day, start: clock(from), end: clock(Math.min(24, from + hours)) };
    return week === null ? slot : Object.assign(slot, { week });
  });
const anyOverride = fc
  .record({
    team: fc.option(fc.constantFrom(1, 2)),
    userId: anyPerson,
    replaces: fc.option(anyPerson),
    period: anyPeriod,
  })
  .filter(({ team, userId, replaces }) => team !== null || userId !== replaces)
  .map(({ team, userId, replaces, period }) => {
    const who = team === null ? { userId } : { teamId: team };
    const whom = replaces === null ? {} : { replacesUserId: replaces };
    return Object.assign({}, who, whom, period);
  });
const anyPlan = fc.record({
  roster: fc.record({
    slotMinutes: fc.constant(60),
    slots: fc.array(anySlot, { minLength: 1, maxLength: 20 }),
    overrides: fc.array(anyOverride, { maxLength: 4 }),
    rotation: fc.constant({ weeks: 2, start: '2026-03-02' }),
    holidays: fc.constantFrom([], [{ date: '2026-03-25' }]),
  }),
  leaves: fc.array(fc.record({ userId: anyPerson, period: anyPeriod }), { maxLength: 3 }),
  instants: fc.array(anyHour, { minLength: 4, maxLength: 4 }),
});

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

async function hire(admin: Client): Promise<void> {
  await admin.put('/stations/1', { name: 'Default', timeZone: 'Europe/Paris' });
  const settings = { host: '127.0.0.1', port: 1, from: 'alarm@plant.example' };
  await admin.post('/channels', { name: 'mail', kind: 'email', settings });
  for (const id of people) {
    // The last one cannot be called.
    const media = id === 4 ? [] : [{ kind: 'Email', address: `p${id}@plant.example` }];
    await admin.post('/users', { username: `p${id}`, media });
  }
  await admin.post('/callgroups', { name: 'Process', teams });
}

type Gap = { startTime: string; endTime: string };

test('gaps, duties and the preview agree about any roster', { timeout: 120_000 }, async ({ client }) => {
  const admin = client('admin');
  await hire(admin);
  await fc.assert(
    fc.asyncProperty(anyPlan, async ({ roster, leaves, instants }) => {
      expect((await admin.put('/callgroups/1', { name: 'Process', teams, roster })).statusCode).toBe(200);
      const leaveIds: number[] = [];
      for (const { userId, period } of leaves)
        leaveIds.push((await admin.post('/leaves', { userId, ...period })).json());
      const gaps: Gap[] = (await admin.get('/callgroups/gaps')).json().items[0].gaps;
      const to = new Date(start + 30 * 24 * hourMs).toISOString();
      const path = `/callgroups/1/duties?from=${new Date(start).toISOString()}&to=${to}`;
      const { duties } = (await admin.get(path)).json() as Duties;
      for (const at of instants.map((hour) => start + hour * hourMs)) {
        const isGap = gaps.some(
          ({ startTime, endTime }) => Date.parse(startTime) <= at && at < Date.parse(endTime),
        );
        const duty = duties.find(({ from, to: end }) => Date.parse(from) <= at && at < Date.parse(end));
        const callable = duty?.people.filter(({ userId }) => userId !== 4) ?? [];
        expect(isGap).toBe(callable.length === 0);
        const asked = { callGroupId: 1, at: new Date(at).toISOString(), seconds: 1 };
        const { calls } = (await admin.post('/call/preview', asked)).json() as CallPreview;
        // While nobody is on duty the whole group is called, for want of a relief group.
        const planned = calls.filter(({ why }) => why !== 'always');
        if (callable.length > 0) expect([at, calls[0]?.user]).toEqual([at, callable[0]?.user]);
        else if (duty?.people.length === 0) expect([at, planned]).toEqual([at, []]);
      }
      for (const id of leaveIds) await admin.delete(`/leaves/${id}`);
    }),
    { numRuns: 15 },
  );
});
