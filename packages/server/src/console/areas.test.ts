import { type AlarmContext, type Area, consolePriority } from '@tocsin/contract';
import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';

const areasOf = async (client: Client) =>
  (await client.get('/areas?limit=1000')).json<{ items: Area[] }>().items;
const contextsOf = async (client: Client, query: string) =>
  (await client.get(`/alarms/contexts?${query}`)).json<{ items: AlarmContext[]; paging: object }>();
const create = async (client: Client, path: string, body: object) =>
  (await client.post(path, body)).json<number>();

/** The counts as `priority: active unacknowledged returned masked`, without priorities that have none. */
const shown = ({ counts }: Area) =>
  counts
    .map(({ priority, ...count }) => `${priority}: ${Object.values(count).join(' ')}`)
    .filter((line) => !line.endsWith(': 0 0 0 0'));

test('an area is a top-level tag group, and counts the alarms of all groups below it', async ({ client }) => {
  const engineer = client('engineer');
  const boilers = await create(engineer, '/taggroups', {
    name: 'boilers',
    localizedName: 'Boilers',
    stationId: 1,
  });
  const burner = await create(engineer, '/taggroups', { name: 'burner', stationId: 1, parentId: boilers });
  const igniter = await create(engineer, '/taggroups', { name: 'igniter', stationId: 1, parentId: burner });
  await engineer.post('/alarms', { path: 'level', tagGroupId: boilers, priority: 1 });
  await engineer.post('/alarms', { path: 'flame', tagGroupId: igniter, priority: 2 });
  await engineer.post('/alarms', { path: 'fan', tagGroupId: burner, priority: 2 });
  await engineer.post('/alarms/3/acknowledge', {});
  await engineer.post('/alarms', { path: 'door', priority: 9 });
  expect(await areasOf(engineer)).toMatchObject([
    { id: boilers, name: 'Boilers', stationId: 1, highestUnacknowledged: 1 },
    { id: 0, name: 'Valmont', stationId: 1, highestUnacknowledged: 4 },
  ]);
  const [inBoilers, others] = await areasOf(engineer);
  expect(inBoilers && shown(inBoilers)).toEqual(['1: 1 1 0 0', '2: 2 1 0 0']);
  expect(others && shown(others)).toEqual(['4: 1 1 0 0']);
});

test('a returned alarm, a masked one and an acknowledged one are counted apart', async ({
  client,
  clock,
}) => {
  const engineer = client('engineer');
  for (const path of ['returned', 'masked', 'taken']) await engineer.post('/alarms', { path, priority: 3 });
  await engineer.post('/alarms', { path: 'returned', raised: false });
  await engineer.post('/alarms/2/mask', { reason: 'works' });
  await engineer.post('/alarms/3/acknowledge', {});
  const [area] = await areasOf(engineer);
  expect(area && shown(area)).toEqual(['3: 1 0 1 1']);
  expect(area).toMatchObject({ highestUnacknowledged: 3, lastChange: '2026-03-01T07:00:00+01:00' });
  expect(area, 'one is active').not.toHaveProperty('quietSince');

  clock.advance(60);
  await engineer.post('/alarms', { path: 'taken', raised: false });
  clock.advance(60);
  await engineer.post('/alarms/1/comment', { comment: 'seen' });
  expect(await areasOf(engineer)).toMatchObject([
    { lastChange: '2026-03-01T07:02:00+01:00', quietSince: '2026-03-01T07:01:00+01:00' },
  ]);
});

test('the priority of an area is the most urgent that nobody has acknowledged and that is not masked', async ({
  client,
}) => {
  const engineer = client('engineer');
  for (const priority of [1, 2, 3]) await engineer.post('/alarms', { path: `p${priority}`, priority });
  await engineer.post('/alarms/1/acknowledge', {});
  await engineer.post('/alarms/2/mask', { reason: 'works' });
  expect(await areasOf(engineer)).toMatchObject([{ highestUnacknowledged: 3 }]);
  await engineer.post('/alarms/3/acknowledge', {});
  expect((await areasOf(engineer))[0]).not.toHaveProperty('highestUnacknowledged');
});

test('a station without tag groups is an area of its own, and an empty plant is not an empty wall', async ({
  client,
}) => {
  const engineer = client('engineer');
  expect(await areasOf(engineer)).toMatchObject([{ id: 0, name: 'Valmont', stationId: 1 }]);
  await create(engineer, '/taggroups', { name: 'pumps', stationId: 1 });
  expect((await areasOf(engineer)).map(({ id }) => id)).toEqual([1]);
});

test('a user limited to a station sees its areas and alarms only, also below a group of another station', async ({
  client,
}) => {
  const engineer = client('engineer');
  const ardenne = await create(engineer, '/stations', { name: 'Ardenne', timeZone: 'UTC' });
  const hidden = await create(engineer, '/taggroups', { name: 'Ardenne pumps', stationId: ardenne });
  const linked = await create(engineer, '/taggroups', { name: 'linked', stationId: 1, parentId: hidden });
  const everywhere = await create(engineer, '/taggroups', { name: 'everywhere' });
  for (const [path, stationId, tagGroupId] of [
    ['a', 1, linked],
    ['b', 1, everywhere],
    ['c', ardenne, everywhere],
    ['d', ardenne, hidden],
  ])
    await engineer.post('/alarms', { path, stationId, tagGroupId });
  const bound = client('viewer', { stationIds: [1] });
  const seen = await areasOf(bound);
  expect(seen.map((area) => [area.id, area.name, shown(area)])).toEqual([
    [everywhere, 'everywhere', ['1: 1 1 0 0']],
    [0, 'Valmont', ['1: 1 1 0 0']],
  ]);
  const { items } = await contextsOf(bound, 'ids=1,2,3,4');
  expect(items.map(({ id, areaId, area }) => [id, areaId, area])).toEqual([
    [1, 0, ''],
    [2, everywhere, 'everywhere'],
  ]);
  const all = (await areasOf(engineer)).map(({ id }) => id);
  expect(all.filter((id) => id > 0)).toEqual([everywhere, hidden]);
});

test('the context of an alarm names its station, area and mask, and how often it was repeated', async ({
  client,
}) => {
  const engineer = client('engineer', { name: 'Ada' });
  const pumps = await create(engineer, '/taggroups', { name: 'pumps', stationId: 1 });
  const seals = await create(engineer, '/taggroups', { name: 'seals', stationId: 1, parentId: pumps });
  await engineer.post('/alarms', { path: 'seal', tagGroupId: seals, value: '1' });
  await engineer.post('/alarms', { path: 'seal', tagGroupId: seals, value: '2' });
  await engineer.post('/alarms/1/mask', { reason: 'works', seconds: 3_600 });
  const { items } = await contextsOf(engineer, 'ids=1');
  expect(items).toEqual([
    {
      id: 1,
      stationId: 1,
      station: 'Valmont',
      tagGroupId: seals,
      areaId: pumps,
      area: 'pumps',
      maskedUntil: '2026-03-01T08:00:00+01:00',
      maskReason: 'works',
      maskedBy: 'Ada',
      repeats: 1,
    },
  ]);
});

test('without names the contexts are those of the listed alarms, in pages', async ({ client }) => {
  const engineer = client('engineer');
  for (let n = 1; n <= 5; n++) await engineer.post('/alarms', { path: `p${n}` });
  await engineer.post('/alarms/2/acknowledge', {});
  await engineer.post('/alarms', { path: 'p2', raised: false });
  const listed = (await engineer.get('/alarms?limit=100')).json<{ items: { id: number }[] }>().items;
  const { items } = await contextsOf(engineer, 'limit=100');
  expect(items.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
  const second = await contextsOf(engineer, 'limit=2&offset=2&sort=-id');
  expect(second.items.map(({ id }) => id)).toEqual([3, 1]);
  expect(second.paging).toEqual({ offset: 2, limit: 2, total: 4 });
  const over = await contextsOf(engineer, 'ids=2');
  expect(over.items, 'named, so it may be over').toMatchObject([{ id: 2 }]);
});

test.for(['', 'x', '1,', '0', '1;2', `1${',1'.repeat(500)}`])(
  'alarms named as "%s" are refused',
  async (ids, { client }) => {
    expect((await client('viewer').get(`/alarms/contexts?ids=${ids}`)).statusCode).toBe(400);
  },
);

test('the console rounds priorities as the counts do', () => {
  expect([0, 1, 2, 3, 4, 5, 4_294_967_295].map(consolePriority)).toEqual([1, 1, 2, 3, 4, 4, 4]);
});
