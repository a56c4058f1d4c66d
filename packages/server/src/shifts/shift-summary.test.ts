import type { ShiftSummary } from '@tocsin/contract';
import { expect } from 'vitest';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { type Client, test } from '../testing/app.fixture.ts';
import type { FakeClock } from '../testing/plant.fixture.ts';

type Plant = { client: (role: 'engineer' | 'operator', settings?: object) => Client; clock: FakeClock };

const read = async (client: Client, query = ''): Promise<ShiftSummary> => {
  const answer = await client.get(`/shifts/summary${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<ShiftSummary>();
};

const raise = async (client: Client, path: string, more: object = {}) =>
  (await client.post('/alarms', { path, alarmMessage: `${path} fails`, ...more })).json<number>();

/** An evening before the shift, and a night in which things happen. */
async function night({ client, clock }: Plant) {
  const engineer = client('engineer', { name: 'PLC', userId: 9 });
  const ben = client('operator', { name: 'Ben', userId: 2 });
  const chloe = client('operator', { name: 'Chloé', userId: 3 });
  const old = await raise(engineer, 'old', { priority: 3 });
  const before = await raise(engineer, 'before');
  await ben.post(`/alarms/${before}/acknowledge`, {});
  clock.set('2026-03-01T21:00:00Z');
  const pump = await raise(engineer, 'pump', { priority: 1 });
  const door = await raise(engineer, 'door', { priority: 2 });
  const link = await raise(engineer, 'link', { priority: 2 });
  clock.advance(60);
  await ben.post(`/alarms/${pump}/acknowledge`, { comment: 'on my way' });
  await chloe.post(`/alarms/${door}/acknowledge`, {});
  await ben.post(`/alarms/${before}/mask`, { reason: 'works', seconds: 600 });
  clock.advance(60);
  await raise(engineer, 'door', { raised: false });
  await raise(engineer, 'link', { raised: false });
  await chloe.post(`/alarms/${before}/unmask`, { reason: 'works are done' });
  clock.advance(60);
  return { old, before, pump, door, link, ben };
}

const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);

test('it tells what came, what is open, what went by itself and who took what', async ({ client, clock }) => {
  const { ben, pump } = await night({ client, clock });
  const summary = await read(ben, '?from=2026-03-01T22:00:00');
  expect(summary).toMatchObject({ from: '2026-03-01T22:00:00+01:00', to: '2026-03-01T22:03:00+01:00' });
  expect(summary.raised).toEqual({
    total: 3,
    priorities: [
      { priority: 1, raised: 1 },
      { priority: 2, raised: 2 },
    ],
  });
  expect(summary.open.items.map(({ name, priority }) => `${priority} ${name}`)).toEqual([
    '1 pump',
    '1 before',
    '2 link',
    '3 old',
  ]);
  expect(summary.open.items.filter(({ beforePeriod }) => beforePeriod).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['before', 'old']),
  );
  expect(summary.returned.total).toBe(1);
  expect(summary.returned.items).toEqual([
    {
      id: expect.any(Number),
      name: 'link',
      message: 'link fails',
      priority: 2,
      alarmTime: '2026-03-01T22:00:00+01:00',
      resetTime: '2026-03-01T22:02:00+01:00',
    },
  ]);
  expect(summary.taken.users).toEqual([
    { user: 'Ben', userId: 'user:2', taken: 1, lastTime: '2026-03-01T22:01:00+01:00' },
    { user: 'Chloé', userId: 'user:3', taken: 1, lastTime: '2026-03-01T22:01:00+01:00' },
  ]);
  expect(summary.taken.items.at(-1)).toMatchObject({ id: pump, user: 'Ben', comment: 'on my way' });
  expect(summary.masksBegun.items).toMatchObject([{ name: 'before', user: 'Ben', reason: 'works' }]);
  expect(summary.masksEnded.items).toMatchObject([
    { name: 'before', user: 'Chloé', reason: 'works are done' },
  ]);
});

test('a period includes its first moment and not its last', async ({ client, clock }) => {
  const { ben } = await night({ client, clock });
  const until = await read(ben, '?from=2026-03-01T20:00:00&to=2026-03-01T22:00:00');
  expect(until.raised.total).toBe(0);
  expect((await read(ben, '?from=2026-03-01T22:00:00&to=2026-03-01T22:00:01')).raised.total).toBe(3);
  const whole = await read(ben, '?from=2026-03-01T00:00:00&to=2026-03-02T00:00:00');
  expect(whole.raised.total).toBe(5);
  const parts = ['00:00:00', '22:01:00', '22:02:00', '23:59:59'];
  let taken = 0;
  for (const [index, part] of parts.slice(1).entries())
    taken += (await read(ben, `?from=2026-03-01T${parts[index]}&to=2026-03-01T${part}`)).taken.total;
  expect(taken).toBe(whole.taken.total);
});

test('an alarm of a group that acknowledges automatically has gone by itself', async ({ client, clock }) => {
  const engineer = client('engineer');
  const tagGroupId = (await engineer.post('/taggroups', { name: 'Auto', autoAcknowledge: true })).json();
  await raise(engineer, 'blink', { tagGroupId });
  await raise(engineer, 'blink', { raised: false });
  const manual = await raise(engineer, 'kept', { tagGroupId });
  await client('operator', { name: 'System', userId: 5 }).post(`/alarms/${manual}/acknowledge`, {});
  await raise(engineer, 'kept', { raised: false });
  clock.advance(1);
  const { returned } = await read(engineer);
  expect(names(returned)).toEqual(['blink']);
});

test('it lists the calls that reached nobody', async ({ client, runtime, clock }) => {
  const attempt = (id: number, status: string, noticeId: number | null = null) => ({
    tenantId: 1,
    id,
    stationId: 1,
    userId: 4,
    userName: 'Anna',
    attempt: 1,
    medium: 'Voice',
    address: '+33601',
    message: 'pump fails',
    status,
    reason: 'nobody picked up',
    startedAt: clock.now(),
    endedAt: clock.now(),
    noticeId,
    searchText: '',
  });
  await inTenant(runtime.database, 1, (transaction) =>
    transaction
      .insertInto('callAttempts')
      .values([attempt(1, 'NoAnswer'), attempt(2, 'Acknowledged'), attempt(3, 'Failed', 8)])
      .execute(),
  );
  clock.advance(1);
  const { failedCalls } = await read(client('operator'));
  expect(failedCalls).toEqual({
    total: 1,
    items: [
      {
        id: 1,
        alarmId: 0,
        user: 'Anna',
        medium: 'Voice',
        status: 'NoAnswer',
        reason: 'nobody picked up',
        message: 'pump fails',
        time: '2026-03-01T07:00:00+01:00',
      },
    ],
  });
});

test('it tells which overrides came into a roster, and not that a group was renamed', async ({
  client,
  clock,
}) => {
  const engineer = client('engineer', { name: 'Sylvie' });
  const teams = [{ id: 1, name: 'Nico', userIds: [] }];
  const group = { name: 'Security', teams, roster: { slotMinutes: 60, slots: [] } };
  const id = (await engineer.post('/callgroups', group)).json<number>();
  await engineer.put(`/callgroups/${id}`, { ...group, name: 'Guards' });
  const overrides = [
    { teamId: 1, from: '2026-03-02T22:00:00', to: '2026-03-03T06:00:00', reason: 'sick leave' },
  ];
  await engineer.put(`/callgroups/${id}`, { ...group, roster: { ...group.roster, overrides } });
  clock.advance(1);
  const { rosterChanges } = await read(client('operator'));
  expect(rosterChanges).toEqual({
    total: 1,
    items: [
      {
        callGroupId: id,
        callGroup: 'Security',
        user: 'Sylvie',
        time: '2026-03-01T07:00:00+01:00',
        slotsChanged: false,
        overrides: ['+ Nico 2026-03-02T22:00:00+01:00 to 2026-03-03T06:00:00+01:00, sick leave'],
      },
    ],
  });
});

test('lists end after 200 items, and totals count all', async ({ client, clock }) => {
  const engineer = client('engineer');
  await Promise.all(Array.from({ length: 205 }, (_, index) => raise(engineer, `tag ${index}`)));
  clock.advance(1);
  const { raised, open } = await read(engineer);
  expect([raised.total, open.total, open.items.length]).toEqual([205, 205, 200]);
});

test('an operator of one station hears of that station only', async ({ client, clock }) => {
  const engineer = client('engineer');
  await engineer.post('/stations', { name: 'South', timeZone: 'UTC' });
  await raise(engineer, 'north');
  await raise(engineer, 'south', { stationId: 2 });
  clock.advance(1);
  const bound = await read(client('operator', { stationIds: [2] }));
  expect([bound.raised.total, names(bound.open), bound.to]).toEqual([
    1,
    ['south'],
    '2026-03-01T06:00:01+00:00',
  ]);
  expect((await read(client('operator', { stationIds: [2] }), '?stationId=1')).raised.total).toBe(0);
  expect((await read(engineer, '?stationId=2')).raised.total).toBe(1);
});

test.for(['?from=2026-03-01T10:00:00&to=2026-03-01T09:00:00', '?from=2025-01-01T00:00:00'])(
  'a period that is empty or too long is refused: %s',
  async (query, { client }) => {
    expect((await client('operator').get(`/shifts/summary${query}`)).statusCode).toBe(400);
  },
);
