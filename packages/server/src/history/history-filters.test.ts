import { expect } from 'vitest';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { type Client, test } from '../testing/app.fixture.ts';
import { addStation, type GivenOccurrence, givePast, type PlantPast } from './testing/occurrences.fixture.ts';

/** Two occurrences, of tags and users 1 and 2, alike but for what the test says: a filter must tell them apart. */
async function twoOccurrences(
  runtime: Runtime,
  [first, second]: [Partial<GivenOccurrence>, Partial<GivenOccurrence>],
  past: PlantPast = {},
): Promise<void> {
  const usual = { raised: '2026-02-01T10:00:00Z', acknowledged: '2026-02-01T10:00:10Z' };
  await givePast(runtime, {
    tags: [{ id: 1 }, { id: 2 }],
    users: [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Grace' },
    ],
    occurrences: [
      { ...usual, id: 1, tagId: 1, by: 1, ...first },
      { ...usual, id: 2, tagId: 2, by: 2, ...second },
    ],
    ...past,
  });
}

/** What each of the three lists keeps under the query: all must agree, and count what they keep. */
async function kept(viewer: Client, query: string): Promise<number[]> {
  const answers = await Promise.all(
    ['histories', 'statistics', 'interventions'].map(async (list) => {
      const answer = await viewer.get(`/alarms/${list}?sort=%2Bid&${query}`);
      expect(answer.statusCode).toBe(200);
      const { items, paging } = answer.json<{ items: { id: number }[]; paging: { total: number } }>();
      expect(paging.total).toBe(items.length);
      return items.map(({ id }) => id);
    }),
  );
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  return answers[0] ?? [];
}

test('stationId keeps the occurrences of that station', async ({ runtime, client }) => {
  const south = await addStation(runtime, 'South', 'UTC');
  await twoOccurrences(runtime, [{}, { stationId: south }]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'stationId=1')).toEqual([1]);
  expect(await kept(viewer, `stationId=${south}`)).toEqual([2]);
  expect(await kept(viewer, 'stationId=4294967295')).toEqual([]);
});

test('dataServerId keeps the occurrences of that data server', async ({ runtime, client }) => {
  await twoOccurrences(runtime, [{}, { dataServerId: 2 }]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'dataServerId=1')).toEqual([1]);
  expect(await kept(viewer, 'dataServerId=2')).toEqual([2]);
  expect(await kept(viewer, 'dataServerId=0')).toHaveLength(2);
  expect(await kept(viewer, 'dataServerId=3')).toEqual([]);
});

test('tagGroupId keeps the occurrences of the group and of all groups below it', async ({
  runtime,
  client,
}) => {
  const tagGroups = [{ id: 1 }, { id: 2, parentId: 1 }, { id: 3, parentId: 2 }, { id: 4 }];
  await twoOccurrences(runtime, [{ tagGroupId: 3 }, { tagGroupId: 4 }], { tagGroups });
  const viewer = client('viewer');
  expect(await kept(viewer, 'tagGroupId=1')).toEqual([1]);
  expect(await kept(viewer, 'tagGroupId=3')).toEqual([1]);
  expect(await kept(viewer, 'tagGroupId=4')).toEqual([2]);
  expect(await kept(viewer, 'tagGroupId=99')).toEqual([]);
});

test('callGroupId keeps the occurrences whose actions named the call group', async ({ runtime, client }) => {
  await twoOccurrences(runtime, [{ callGroupIds: [5, 6] }, { callGroupIds: [6] }]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'callGroupId=5')).toEqual([1]);
  expect(await kept(viewer, 'callGroupId=6')).toEqual([1, 2]);
  expect(await kept(viewer, 'callGroupId=7')).toEqual([]);
});

test('userId keeps what that user acknowledged', async ({ runtime, client }) => {
  await twoOccurrences(runtime, [{}, {}]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'userId=1')).toEqual([1]);
  expect(await kept(viewer, 'userId=2')).toEqual([2]);
  expect(await kept(viewer, 'userId=3')).toEqual([]);
});

test('from is inside the period and to is not', async ({ runtime, client }) => {
  await twoOccurrences(runtime, [{ raised: '2026-02-01T10:00:00Z' }, { raised: '2026-02-01T11:00:00Z' }]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'from=2026-02-01T10:00:00Z')).toEqual([1, 2]);
  expect(await kept(viewer, 'from=2026-02-01T10:00:00.001Z')).toEqual([2]);
  expect(await kept(viewer, 'to=2026-02-01T11:00:00Z')).toEqual([1]);
  expect(await kept(viewer, 'to=2026-02-01T11:00:01Z')).toEqual([1, 2]);
  expect(await kept(viewer, 'from=2026-02-01T10:00:00Z&to=2026-02-01T10:00:00Z')).toEqual([]);
  expect(await kept(viewer, 'from=2026-02-02&to=2026-02-01')).toEqual([]);
  expect(await kept(viewer, 'from=0001-01-01&to=9999-12-31')).toEqual([1, 2]);
});

test('the plus of an offset may arrive as a space', async ({ runtime, client }) => {
  await twoOccurrences(runtime, [{ raised: '2026-02-01T10:00:00Z' }, { raised: '2026-02-01T11:00:00Z' }]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'from=2026-02-01T12:00:00+01:00')).toEqual([2]);
  expect(await kept(viewer, 'from=2026-02-01T12:00:00%2B01:00')).toEqual([2]);
});

test('a time without offset is the clock of the station that is asked about, or of the first', async ({
  runtime,
  client,
}) => {
  const tokyo = await addStation(runtime, 'Tokyo', 'Asia/Tokyo');
  const raised = '2026-02-01T10:00:00Z';
  await twoOccurrences(runtime, [
    { raised, stationId: 1 },
    { raised, stationId: tokyo },
  ]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'from=2026-02-01T11:00:00')).toEqual([1, 2]);
  expect(await kept(viewer, 'from=2026-02-01T11:00:01')).toEqual([]);
  expect(await kept(viewer, `stationId=${tokyo}&from=2026-02-01T19:00:00`)).toEqual([2]);
  expect(await kept(viewer, `stationId=${tokyo}&from=2026-02-01T19:00:01`)).toEqual([]);
  expect(await kept(viewer, `stationId=${tokyo}&to=2026-02-01T19:00:01`)).toEqual([2]);
});

test('a period without offset follows the clocks when they go forward', async ({ runtime, client }) => {
  await twoOccurrences(runtime, [{ raised: '2026-03-29T00:59:59Z' }, { raised: '2026-03-29T01:00:00Z' }]);
  expect(await kept(client('viewer'), 'from=2026-03-29T03:00:00')).toEqual([2]);
  expect(await kept(client('viewer'), 'to=2026-03-29T03:00:00')).toEqual([1]);
});

test('search keeps what has all words, by their beginnings, in path, name, message or comment', async ({
  runtime,
  client,
}) => {
  await twoOccurrences(
    runtime,
    [{ message: 'Température élevée', comment: 'Fan replaced' }, { message: '100 % % full' }],
    {
      tags: [
        { id: 1, path: 'hall/7', name: 'Kiln' },
        { id: 2, path: 'hall/8', name: 'Tank' },
      ],
    },
  );
  const viewer = client('viewer');
  expect(await kept(viewer, 'search=')).toEqual([1, 2]);
  expect(await kept(viewer, 'search=hall')).toEqual([1, 2]);
  expect(await kept(viewer, 'search=KILN%20elev')).toEqual([1]);
  expect(await kept(viewer, 'search=%22fan%20repl%22')).toEqual([1]);
  expect(await kept(viewer, 'search=%22repl%20fan%22')).toEqual([]);
  expect(await kept(viewer, 'search=iln')).toEqual([]);
  expect(await kept(viewer, 'search=%25')).toEqual([2]);
  expect(await kept(viewer, "search=' or 1=1 --")).toEqual([]);
});

test('one who is bound to stations sees the past of those only', async ({ runtime, client }) => {
  const south = await addStation(runtime, 'South', 'UTC');
  await twoOccurrences(runtime, [{}, { stationId: south }]);
  expect(await kept(client('viewer', { stationIds: [south] }), '')).toEqual([2]);
  expect(await kept(client('viewer', { stationIds: [south] }), 'stationId=1')).toEqual([]);
  expect(await kept(client('viewer', { stationIds: [1, south] }), '')).toEqual([1, 2]);
  expect(await kept(client('viewer', { stationIds: [] }), '')).toEqual([]);
});

test('filters narrow each other', async ({ runtime, client }) => {
  await twoOccurrences(runtime, [{ callGroupIds: [5] }, { callGroupIds: [5], message: 'Flood' }]);
  const viewer = client('viewer');
  expect(await kept(viewer, 'callGroupId=5&search=flood&userId=2')).toEqual([2]);
  expect(await kept(viewer, 'callGroupId=5&search=flood&userId=1')).toEqual([]);
});

test('a filter of too many different messages says what to ask instead, and a short period answers', async ({
  runtime,
  client,
}) => {
  await twoOccurrences(runtime, [{}, { raised: '2026-02-02T10:00:00Z', dataServerId: 2 }]);
  // As after a million messages with a value in each.
  const run = (statement: string) =>
    inTenant(runtime.database, 1, (transaction) => transaction.client.query(statement));
  await run('update tenant_counters set text_id = 1000001');
  const viewer = client('viewer');
  expect(await kept(viewer, 'dataServerId=2')).toEqual([2]);
  expect(await kept(viewer, 'search=ada')).toEqual([]);

  await run(`insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, repeats)
    select 1, 2 + n, '2026-02-03T10:00:00Z', 1, 1, 1, 0 from generate_series(1, 100000) n`);
  for (const list of ['histories', 'statistics', 'interventions', 'kpis']) {
    const answer = await viewer.get(`/alarms/${list}?dataServerId=2&from=2026-02-01T00:00:00Z`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'too-many-messages',
      detail: expect.stringContaining('100002 alarms'),
    });
  }
  expect(await kept(viewer, 'dataServerId=2&to=2026-02-03T00:00:00Z')).toEqual([2]);
  // Without a filter nothing is looked up.
  expect((await viewer.get('/alarms/histories')).statusCode).toBe(200);
});
