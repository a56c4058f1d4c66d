import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';

const groupingOf = async (client: Client, callGroupId: number) =>
  (await client.get(`/callgroups/${callGroupId}`)).json().groupingId;
const groupsOf = async (client: Client, id: number) =>
  (await client.get(`/callgroupgroupings/${id}`)).json().callGroupIds;

async function addGroups(client: Client): Promise<void> {
  for (const name of ['Mechanics', 'Electricians', 'Managers']) await client.post('/callgroups', { name });
}

test('a grouping holds the call groups it names, and each call group knows it', async ({ client }) => {
  const engineer = client('engineer');
  await addGroups(engineer);
  await engineer.post('/callgroupgroupings', { name: 'Workshop', callGroupIds: [3, 1] });
  expect(await groupsOf(engineer, 1)).toEqual([1, 3]);
  expect(await groupingOf(engineer, 1)).toBe(1);
  expect(await groupingOf(engineer, 2)).toBe(0);

  const replaced = await engineer.put('/callgroupgroupings/1', { name: 'Workshop', callGroupIds: [2, 3] });
  expect(replaced.json()).toMatchObject({ callGroupIds: [2, 3] });
  expect(await groupingOf(engineer, 1)).toBe(0);
  expect((await engineer.get('/callgroupgroupings')).json().items).toMatchObject([
    { id: 1, callGroupIds: [2, 3] },
  ]);
});

test('a call group is in one grouping at most: naming it moves it', async ({ client }) => {
  const engineer = client('engineer');
  await addGroups(engineer);
  await engineer.post('/callgroupgroupings', { name: 'Workshop', callGroupIds: [1, 2] });
  await engineer.post('/callgroupgroupings', { name: 'Office', callGroupIds: [2] });
  expect(await groupsOf(engineer, 1)).toEqual([1]);
  expect(await groupsOf(engineer, 2)).toEqual([2]);
  await engineer.put('/callgroups/1', { name: 'Mechanics', groupingId: 2 });
  expect(await groupsOf(engineer, 1)).toEqual([]);
  expect(await groupsOf(engineer, 2)).toEqual([1, 2]);
});

test('only groupings and call groups that were moved get a new version', async ({ client }) => {
  const engineer = client('engineer');
  await addGroups(engineer);
  const etag = async (path: string) => (await engineer.get(path)).headers['etag'];
  await engineer.post('/callgroupgroupings', { name: 'Workshop', callGroupIds: [1] });
  await engineer.post('/callgroupgroupings', { name: 'Office', callGroupIds: [1, 2] });
  expect(await etag('/callgroupgroupings/1')).toBe('"2"');
  expect(await etag('/callgroups/1')).toBe('"3"');
  expect(await etag('/callgroups/2')).toBe('"2"');
  expect(await etag('/callgroups/3')).toBe('"1"');

  await engineer.put('/callgroupgroupings/2', { name: 'Office', callGroupIds: [1, 2] });
  expect(await etag('/callgroups/1')).toBe('"3"');
  await engineer.put('/callgroups/2', { name: 'Electricians', groupingId: 2, attempts: 5 });
  expect(await etag('/callgroupgroupings/2')).toBe('"2"');
  await engineer.delete('/callgroups/2');
  expect(await etag('/callgroupgroupings/2')).toBe('"3"');
});

test('a user limited to a station sees only the call groups of that station', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/stations', { name: 'South' });
  await engineer.post('/callgroups', { name: 'North team', stationId: 1 });
  await engineer.post('/callgroups', { name: 'South team', stationId: 2 });
  await engineer.post('/callgroups', { name: 'Managers' });
  await engineer.post('/callgroupgroupings', { name: 'All', callGroupIds: [1, 2, 3] });
  const bound = client('engineer', { stationIds: [2] });
  expect(await groupsOf(bound, 1)).toEqual([2, 3]);
  expect((await bound.get('/callgroupgroupings')).json().items[0].callGroupIds).toEqual([2, 3]);
});
