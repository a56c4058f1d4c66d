import { expect } from 'vitest';
import { test } from '../../testing/app.fixture.ts';
import { givePast } from '../testing/occurrences.fixture.ts';
import { expectRebuilt } from '../testing/recount.fixture.ts';

const day = 'from=2026-02-01T00:00:00%2B01:00&to=2026-02-02T00:00:00%2B01:00';

/** Twelve alarms of a pump within a minute, and one of a fan that nobody has mended. */
const noisyNight = {
  tags: [
    { id: 1, name: 'Pump', message: 'Pump tripped' },
    { id: 2, name: 'Fan' },
  ],
  tagGroups: [{ id: 1 }],
  occurrences: [
    ...Array.from({ length: 12 }, (_, index) => ({
      id: index + 1,
      tagId: 1,
      tagGroupId: 1,
      priority: 2,
      raised: `2026-02-01T10:00:${String(index * 4).padStart(2, '0')}Z`,
      acknowledged: '2026-02-01T10:01:00Z',
      by: 7,
      reset: `2026-02-01T10:00:${String(index * 4 + 2).padStart(2, '0')}Z`,
    })),
    { id: 13, tagId: 2, priority: 4, raised: '2026-02-01T12:00:00Z' },
  ],
};

test('a pump that trips twelve times in a minute is a flood, chatters and is the worst tag', async ({
  runtime,
  client,
}) => {
  await givePast(runtime, noisyNight);
  const answer = await client('viewer').get(`/alarms/kpis?${day}`);
  expect(answer.statusCode).toBe(200);
  const kpis = answer.json();
  expect(kpis).toMatchObject({
    from: '2026-02-01T00:00:00+01:00',
    timeZone: 'Europe/Paris',
    alarms: 13,
    acknowledged: 12,
    reactionMeanTime: '00:00:38',
    repairMeanTime: '00:00:02',
    busiest: { at: '2026-02-01T11:00:00+01:00', alarms: 12 },
    flood: { limit: 10, end: 5, floods: 1, tenMinutesAbove: 1, seconds: 600 },
    tenMinutes: [
      { at: '2026-02-01T11:00:00+01:00', alarms: 12 },
      { at: '2026-02-01T13:00:00+01:00', alarms: 1 },
    ],
    days: [{ day: '2026-02-01', alarms: 13, busiestTenMinutes: 12, floodSeconds: 600 }],
    priorities: [
      { priority: 2, alarms: 12, share: 12 / 13 },
      { priority: 4, alarms: 1, share: 1 / 13 },
    ],
    chattering: { total: 1, items: [{ tagId: 1, tagName: 'Pump', message: 'Pump tripped', alarms: 10 }] },
    groups: [
      { tagGroupId: 1, name: 'Group 1', alarms: 12 },
      { tagGroupId: 0, name: '', alarms: 1, acknowledged: 0, repaired: 0 },
    ],
  });
  expect(kpis.worst.items[0]).toMatchObject({ tagId: 1, alarms: 12, chattering: 10 });
  // The first of February 2026 is a Sunday.
  expect(kpis.weekdays[6][11]).toBe(12);
  const shared = await client('viewer').get(`/alarms/kpis?${day}&operators=2`);
  expect(shared.json().flood).toMatchObject({ limit: 20, floods: 0, seconds: 0 });
});

test('an alarm that is still active after a day is stale', async ({ runtime, client }) => {
  await givePast(runtime, noisyNight);
  const period = 'from=2026-02-01T00:00:00Z&to=2026-02-03T00:00:00Z';
  const { stale } = (await client('viewer').get(`/alarms/kpis?${period}`)).json();
  expect(stale).toMatchObject({
    total: 1,
    items: [{ tagId: 2, tagName: 'Fan', since: '2026-02-01T13:00:00+01:00', duration: '36:00:00' }],
  });
  expect((await client('viewer').get(`/alarms/kpis?${day}`)).json().stale.total).toBe(0);
});

test('a tag that is masked for more than a day is named with who did it and why', async ({
  client,
  clock,
}) => {
  clock.set('2026-02-01T10:00:00Z');
  const id = (await client('operator').post('/alarms', { path: 'pump', alarmMessage: 'Trip' })).json();
  const mask = { reason: 'pump is in the workshop' };
  expect((await client('operator').post(`/alarms/${id}/mask`, mask)).statusCode).toBe(200);
  clock.advance(86_400);
  expect((await client('viewer').get('/alarms/kpis')).json().masked.total).toBe(0);
  clock.advance(60);
  const { masked } = (await client('viewer').get('/alarms/kpis')).json();
  expect(masked).toMatchObject({
    total: 1,
    items: [{ tagId: id, ...mask, since: '2026-02-01T11:00:00+01:00' }],
  });
});

test('a tag that is raised many times in one batch is counted each time, by the triggers too', async ({
  runtime,
  client,
}) => {
  const operator = client('operator');
  const event = {
    path: 'door',
    alarmMessage: 'Door',
    eventCondition: { transitory: true, reactivatable: true },
  };
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      operator.post('/alarms', {
        ...event,
        path: index % 5 === 0 ? 'other' : 'door',
        raised: index % 2 === 0,
      }),
    ),
  );
  const period = 'from=2026-02-28T00:00:00Z&to=2026-03-02T00:00:00Z';
  const kpis = (await client('viewer').get(`/alarms/kpis?${period}`)).json();
  const { paging } = (await client('viewer').get('/alarms/histories')).json();
  expect(kpis.alarms).toBe(paging.total);
  expect(kpis.chattering.total).toBeGreaterThan(0);
  await expectRebuilt(runtime, 1);
});

test.for([
  ['from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', 'a period that ends before it begins'],
  ['from=2024-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', 'a period of two years'],
  ['operators=0', 'nobody at the desk'],
])('%s is refused: %s', async ([query], { client }) => {
  expect((await client('viewer').get(`/alarms/kpis?${query}`)).statusCode).toBe(400);
});
