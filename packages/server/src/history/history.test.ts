import { expect } from 'vitest';
import { appendToJournal } from '../journal/journal.store.ts';
import { createTenant } from '../people/create-tenant.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/app.fixture.ts';
import { addStation, givePast } from './testing/occurrences.fixture.ts';

test('an alarm that was taken and mended shows all its times in the clock of its station', async ({
  runtime,
  client,
}) => {
  await givePast(runtime, {
    tags: [{ id: 1, path: 'pump/1', name: 'Pump 1' }],
    occurrences: [
      {
        id: 1,
        raised: '2026-02-01T10:00:00.900Z',
        acknowledged: '2026-02-01T10:04:10.100Z',
        by: 7,
        reset: '2026-02-01T10:30:00Z',
        priority: 2,
        message: 'Overheated',
        comment: 'Fan replaced',
      },
    ],
  });
  const answer = await client('viewer').get('/alarms/histories');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    items: [
      {
        id: 1,
        tagId: 1,
        tagName: 'Pump 1',
        message: 'Overheated',
        priority: 2,
        alarmTime: '2026-02-01T11:00:00+01:00',
        ackTime: '2026-02-01T11:04:10+01:00',
        resetTime: '2026-02-01T11:30:00+01:00',
        alarmDuration: '00:30:00',
        reactionDuration: '00:04:10',
        interventionDuration: '00:25:50',
        comment: 'Fan replaced',
      },
    ],
    paging: { offset: 0, limit: 10, total: 1 },
  });
});

test('what has not happened yet is left out, never null', async ({ runtime, client }) => {
  await givePast(runtime, { tags: [{ id: 1 }], occurrences: [{ id: 1, raised: '2026-02-01T10:00:00Z' }] });
  const [item] = (await client('viewer').get('/alarms/histories')).json().items;
  expect(Object.keys(item)).toEqual([
    'id',
    'tagId',
    'tagName',
    'message',
    'priority',
    'alarmTime',
    'comment',
  ]);
  expect(item.comment).toBe('');
});

test('an acknowledgment after the reset has no intervention, and a long alarm passes 24 hours', async ({
  runtime,
  client,
}) => {
  await givePast(runtime, {
    tags: [{ id: 1 }],
    occurrences: [
      {
        id: 1,
        raised: '2026-02-01T10:00:00Z',
        reset: '2026-02-07T03:05:09Z',
        acknowledged: '2026-02-08T10:00:00Z',
        by: 7,
      },
    ],
  });
  const [item] = (await client('viewer').get('/alarms/histories')).json().items;
  expect(item).toMatchObject({ alarmDuration: '137:05:09', reactionDuration: '168:00:00' });
  expect(item).not.toHaveProperty('interventionDuration');
});

test('the hour that clocks show twice is told apart by its offset', async ({ runtime, client }) => {
  const tokyo = await addStation(runtime, 'Tokyo', 'Asia/Tokyo');
  await givePast(runtime, {
    tags: [{ id: 1 }],
    occurrences: [
      { id: 1, raised: '2025-10-26T00:30:00Z', reset: '2025-10-26T01:30:00Z' },
      { id: 2, raised: '2025-10-26T00:30:00Z', stationId: tokyo },
    ],
  });
  const { items } = (await client('viewer').get('/alarms/histories?sort=%2Bid')).json();
  expect(items).toMatchObject([
    {
      alarmTime: '2025-10-26T02:30:00+02:00',
      resetTime: '2025-10-26T02:30:00+01:00',
      alarmDuration: '01:00:00',
    },
    { alarmTime: '2025-10-26T09:30:00+09:00' },
  ]);
});

test('a tag is shown under the name it has now, with the message it had then', async ({
  runtime,
  client,
}) => {
  await givePast(runtime, {
    tags: [{ id: 1, path: 'p', name: 'Renamed', message: 'New text', priority: 3 }],
    occurrences: [{ id: 1, raised: '2026-02-01T10:00:00Z', message: 'Old text', priority: 1 }],
  });
  const viewer = client('viewer');
  const histories = (await viewer.get('/alarms/histories')).json();
  expect(histories.items).toMatchObject([{ tagName: 'Renamed', message: 'Old text', priority: 1 }]);
  const statistics = (await viewer.get('/alarms/statistics')).json();
  expect(statistics.items).toMatchObject([{ tagName: 'Renamed', message: 'New text', priority: 3 }]);
});

test('statistics count failures per tag, and one still active up to now', async ({
  runtime,
  client,
  clock,
}) => {
  clock.set('2026-03-01T06:00:00Z');
  await givePast(runtime, {
    tags: [
      { id: 1, name: 'Pump', path: 'pump', message: 'Hot', priority: 2, shortMessage: '4711' },
      { id: 2, name: 'Gate', path: 'gate', shortMessage: 'open' },
    ],
    occurrences: [
      { id: 1, raised: '2026-02-27T00:00:00Z', reset: '2026-02-27T00:00:05Z' },
      { id: 2, raised: '2026-02-28T00:00:00.5Z', reset: '2026-02-28T00:00:10.4Z' },
      { id: 3, raised: '2026-02-28T06:00:00Z', tagId: 2 },
    ],
  });
  const answer = await client('viewer').get('/alarms/statistics');
  expect(answer.json()).toEqual({
    items: [
      {
        id: 1,
        tagName: 'Pump',
        message: 'Hot',
        priority: 2,
        code: 4711,
        failureNumber: 2,
        failureTotalTime: '00:00:15',
        failureMeanTime: '00:00:07',
      },
      {
        id: 2,
        tagName: 'Gate',
        message: '',
        priority: 1,
        code: 0,
        failureNumber: 1,
        failureTotalTime: '24:00:00',
        failureMeanTime: '24:00:00',
      },
    ],
    paging: { limit: 10, total: 2 },
  });
});

test('in statistics one still active counts up to the end of the period, when that is past', async ({
  runtime,
  client,
  clock,
}) => {
  clock.set('2026-03-01T06:00:00Z');
  await givePast(runtime, { tags: [{ id: 1 }], occurrences: [{ id: 1, raised: '2026-03-01T05:00:00Z' }] });
  const totalUntil = async (to: string) =>
    (await client('viewer').get(`/alarms/statistics?to=${to}`)).json().items[0].failureTotalTime;
  expect(await totalUntil('2026-03-01T05:10:00Z')).toBe('00:10:00');
  expect(await totalUntil('2026-03-02T00:00:00Z')).toBe('01:00:00');
});

test('interventions are told user by user, with means over what has both ends', async ({
  runtime,
  client,
}) => {
  await givePast(runtime, {
    tags: [{ id: 1 }],
    users: [
      { id: 7, name: 'Ada Lovelace' },
      { id: 8, name: 'Grace Hopper' },
    ],
    occurrences: [
      { id: 1, raised: '2026-02-01T10:00:00Z', acknowledged: '2026-02-01T10:00:10Z', by: 8 },
      {
        id: 2,
        raised: '2026-02-01T10:00:00Z',
        acknowledged: '2026-02-01T10:00:21Z',
        by: 8,
        reset: '2026-02-01T10:01:00Z',
      },
      {
        id: 3,
        raised: '2026-02-01T10:00:00Z',
        reset: '2026-02-01T10:01:00Z',
        acknowledged: '2026-02-01T10:02:00Z',
        by: 7,
      },
      // By the server itself, and by a machine.
      { id: 4, raised: '2026-02-01T10:00:00Z', acknowledged: '2026-02-01T10:02:00Z', by: 0 },
      { id: 5, raised: '2026-02-01T10:00:00Z', acknowledged: '2026-02-01T10:02:00Z' },
    ],
  });
  const viewer = client('viewer');
  expect((await viewer.get('/alarms/interventions')).json()).toEqual({
    items: [
      {
        id: 7,
        user: 'Ada Lovelace',
        interventionNumber: 1,
        reactionMeanTime: '00:02:00',
        interventionMeanTime: '00:00:00',
      },
      {
        id: 8,
        user: 'Grace Hopper',
        interventionNumber: 2,
        reactionMeanTime: '00:00:15',
        interventionMeanTime: '00:00:39',
      },
    ],
    paging: { limit: 10, total: 2 },
  });
  const byAnyone = (await viewer.get('/alarms/histories?userId=0')).json();
  expect(byAnyone.paging.total, '0 is a user that is not given').toBe(5);
});

test('one who has left is still told by the name the journal knew', async ({ runtime, client }) => {
  const acknowledged = '2026-02-01T10:00:10Z';
  await givePast(runtime, {
    tags: [{ id: 1 }],
    occurrences: [
      { id: 1, raised: '2026-02-01T10:00:00Z', acknowledged, by: 7 },
      { id: 2, raised: '2026-02-02T10:00:00Z', acknowledged, by: 9 },
    ],
  });
  const entry = {
    kind: 'acknowledged',
    tagId: 1,
    occurrenceId: 1,
    stationId: 1,
    announce: false,
    detail: '',
  };
  const at = new Date(acknowledged);
  await inTenant(runtime.database, 1, (transaction) =>
    appendToJournal(transaction, [
      { ...entry, seq: 1, at, actor: '', alarm: { ackUser: '' } },
      { ...entry, seq: 2, at, actor: 'Ada', alarm: { ackUser: 'Ada' } },
    ]),
  );
  const { items } = (await client('viewer').get('/alarms/interventions')).json();
  expect(items).toMatchObject([
    { id: 7, user: 'Ada' },
    { id: 9, user: '' },
  ]);
});

test('an alarm that is raised, taken and reset today is history at once', async ({ client, clock }) => {
  const operator = client('operator', { userId: 1, name: 'Olga' });
  await client('admin').post('/users', { username: 'olga', name: 'Olga', role: 'operator' });
  const alarm = { path: 'pump/1', alarmMessage: 'Überdruck', priority: 2, alarmShortMessage: '17' };
  expect((await operator.post('/alarms', alarm)).body).toBe('1');
  clock.advance(30);
  expect((await operator.post('/alarms/1/acknowledge', { comment: 'On my way' })).statusCode).toBe(200);
  clock.advance(60);
  await operator.post('/alarms', { path: 'pump/1', raised: false });

  const ask = async (list: string) => (await operator.get(`/alarms/${list}?search=pump%20uberdruck`)).json();
  expect((await ask('histories')).items).toMatchObject([
    {
      message: 'Überdruck',
      comment: 'On my way',
      priority: 2,
      reactionDuration: '00:00:30',
      interventionDuration: '00:01:00',
      alarmDuration: '00:01:30',
    },
  ]);
  expect((await ask('statistics')).items).toMatchObject([
    { tagName: 'pump/1', code: 17, failureNumber: 1, failureTotalTime: '00:01:30' },
  ]);
  expect((await ask('interventions')).items).toMatchObject([
    { id: 1, user: 'Olga', interventionNumber: 1, reactionMeanTime: '00:00:30' },
  ]);
});

test('a tag that failed twice within the hours asked for is one statistic', async ({ runtime, client }) => {
  await givePast(runtime, {
    tags: [{ id: 1 }],
    occurrences: [
      { id: 1, raised: '2026-02-01T10:00:00Z', reset: '2026-02-01T10:00:10Z' },
      { id: 2, raised: '2026-02-01T11:00:00Z', reset: '2026-02-01T11:00:20Z' },
    ],
  });
  const period = 'from=2026-02-01T10:00:00Z&to=2026-02-01T12:00:00Z';
  const { items, paging } = (await client('viewer').get(`/alarms/statistics?${period}`)).json();
  expect(items).toMatchObject([{ id: 1, failureNumber: 2, failureTotalTime: '00:00:30' }]);
  expect(paging.total).toBe(1);
});

test('no other customer sees what happened here', async ({ runtime, client }) => {
  const other = await createTenant(runtime, { name: 'Elsewhere' });
  await givePast(runtime, {
    tags: [{ id: 1, name: 'Ours' }],
    users: [{ id: 7, name: 'Ours' }],
    occurrences: [
      { id: 1, raised: '2026-02-01T10:00:00Z', acknowledged: '2026-02-01T10:00:10Z', by: 7, message: 'Ours' },
    ],
  });
  const theirs = {
    tags: [{ id: 1, name: 'Theirs' }],
    users: [{ id: 7, name: 'Theirs' }],
    occurrences: [
      {
        id: 1,
        raised: '2026-02-01T10:00:00Z',
        acknowledged: '2026-02-01T10:00:10Z',
        by: 7,
        message: 'Theirs',
      },
      { id: 2, raised: '2026-02-01T11:00:00Z' },
    ],
  };
  await givePast(runtime, theirs, other);
  for (const path of ['histories', 'statistics', 'interventions']) {
    const ours = (await client('viewer').get(`/alarms/${path}?search=ours`)).json();
    expect(ours.paging.total).toBe(1);
    expect(JSON.stringify(ours)).not.toContain('Theirs');
    expect((await client('viewer').get(`/alarms/${path}?search=theirs`)).json().paging.total).toBe(0);
  }
  const foreign = client('viewer', { tenantId: other });
  expect((await foreign.get('/alarms/histories')).json().paging.total).toBe(2);
});

test('machines that only bring alarms in may not read the past', async ({ client }) => {
  for (const path of ['histories', 'statistics', 'interventions']) {
    expect((await client('machine').get(`/alarms/${path}`)).statusCode).toBe(403);
    expect((await client('auditor').get(`/alarms/${path}`)).statusCode).toBe(200);
  }
});
