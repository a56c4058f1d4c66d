import { expect } from 'vitest';
import { test } from '../testing/app.fixture.ts';

test('tag groups are listed below a group, or with 0 at the top', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/scenarios', { name: 'Flood' });
  await engineer.post('/taggroups', { name: 'Water' });
  await engineer.post('/taggroups', {
    name: 'Pumps',
    localizedName: 'Pompes',
    parentId: 1,
    stationId: 1,
    autoAcknowledge: true,
    scenarioId: 1,
  });
  const items = async (query: string) => (await engineer.get(`/taggroups?${query}`)).json().items;
  expect(await items('parentId=1')).toEqual([
    {
      id: 2,
      name: 'Pumps',
      localizedName: 'Pompes',
      lastChange: '2026-03-01T06:00:00',
      parentId: 1,
      stationId: 1,
      autoAcknowledge: true,
      scenarioId: 1,
    },
  ]);
  expect(await items('parentId=0')).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(await items('parentId=2&stationId=1')).toEqual([]);
  expect(await items('search=pompes')).toMatchObject([{ id: 2 }]);
});
