import { expect } from 'vitest';
import type { Runtime } from '../postgres/runtime.ts';
import { test } from '../testing/app.fixture.ts';
import { givePast } from './testing/occurrences.fixture.ts';

const lists = ['histories', 'statistics', 'interventions'] as const;

/** So many occurrences, each of a tag of its own and acknowledged by a user of its own with the same number. */
async function busyPast(runtime: Runtime, number: number): Promise<void> {
  const ids = Array.from({ length: number }, (_, index) => index + 1);
  const raised = '2026-02-01T10:00:00Z';
  await givePast(runtime, {
    tags: ids.map((id) => ({ id })),
    users: ids.map((id) => ({ id, name: `User ${id}` })),
    occurrences: ids.map((id) => ({ id, tagId: id, raised, acknowledged: raised, by: id })),
  });
}

const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);

test('histories come newest first, statistics and interventions by rising id, ten at a time', async ({
  runtime,
  client,
}) => {
  await busyPast(runtime, 12);
  const viewer = client('viewer');
  const [histories, statistics, interventions] = await Promise.all(
    lists.map(async (list) => (await viewer.get(`/alarms/${list}`)).json()),
  );
  expect(idsOf(histories)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(histories.paging).toEqual({ offset: 0, limit: 10, total: 12 });
  for (const answer of [statistics, interventions]) {
    expect(idsOf(answer)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(answer.paging).toEqual({ limit: 10, total: 12 });
  }
});

test.for(lists)('%s sort both ways, however the plus arrives', async (list, { runtime, client }) => {
  await busyPast(runtime, 3);
  const viewer = client('viewer');
  for (const sort of ['+id', '%2Bid', '%20id', 'id']) {
    expect(idsOf((await viewer.get(`/alarms/${list}?sort=${sort}`)).json())).toEqual([1, 2, 3]);
  }
  expect(idsOf((await viewer.get(`/alarms/${list}?sort=-id`)).json())).toEqual([3, 2, 1]);
  const refused = await viewer.get(`/alarms/${list}?sort=priority`);
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors[0].pointer).toBe('sort');
});

test.for(lists)(
  '%s page through without losing or doubling any, far into the list',
  async (list, { runtime, client }) => {
    await busyPast(runtime, 1_203);
    const viewer = client('viewer');
    const ask = async (query: string) => (await viewer.get(`/alarms/${list}?sort=%2Bid&${query}`)).json();

    expect(await ask('limit=0')).toMatchObject({ items: [], paging: { limit: 0, total: 1_203 } });
    expect(idsOf(await ask('limit=1'))).toEqual([1]);
    expect(idsOf(await ask('offset=1200&limit=10'))).toEqual([1_201, 1_202, 1_203]);
    expect(await ask('offset=4294967295')).toMatchObject({ items: [], paging: { total: 1_203 } });

    const full = await ask('limit=1000');
    expect(full.items).toHaveLength(1_000);
    const cut = await ask('limit=5000');
    expect(cut.items).toHaveLength(1_000);
    expect(cut.paging).toMatchObject({ limit: 1_000, total: 1_203 });
    const rest = await ask('offset=1000&limit=1000');
    expect([...idsOf(full), ...idsOf(rest)]).toEqual(Array.from({ length: 1_203 }, (_, index) => index + 1));
    expect('offset' in rest.paging).toBe(list === 'histories');
  },
);

test('histories fill their page also where what a filter keeps is all long past, or all new', async ({
  runtime,
  client,
}) => {
  const ids = Array.from({ length: 800 }, (_, index) => index + 1);
  const raised = '2026-02-01T10:00:00Z';
  const message = (id: number) => (id <= 400 ? 'of old' : 'of late');
  await givePast(runtime, {
    tags: [{ id: 1 }],
    occurrences: ids.map((id) => ({ id, raised, message: message(id) })),
  });
  const ask = async (query: string) =>
    (await client('viewer').get(`/alarms/histories?limit=3&${query}`)).json();

  const old = await ask('search=old');
  expect(idsOf(old)).toEqual([400, 399, 398]);
  expect(old.paging.total).toBe(400);
  expect(idsOf(await ask('search=late&sort=%2Bid'))).toEqual([401, 402, 403]);
  expect(idsOf(await ask('search=old&sort=%2Bid&offset=398'))).toEqual([399, 400]);
  expect(idsOf(await ask('search=late'))).toEqual([800, 799, 798]);
});

test.for(lists)(
  '%s refuse what is no number by name, and ignore names they do not know',
  async (list, { client }) => {
    const viewer = client('viewer');
    for (const name of [
      'stationId',
      'dataServerId',
      'tagGroupId',
      'callGroupId',
      'userId',
      'offset',
      'limit',
    ]) {
      for (const wrong of ['-1', '1.5', 'x', '0x1', '4294967296', '']) {
        const refused = await viewer.get(`/alarms/${list}?${name}=${wrong}`);
        expect(refused.statusCode).toBe(400);
        expect(refused.json().errors[0].pointer).toBe(name);
      }
    }
    for (const name of ['from', 'to']) {
      for (const wrong of ['yesterday', '2026-02-30T00:00:00', '2026-02-01T25:00:00Z', '1769940000000', '']) {
        const refused = await viewer.get(`/alarms/${list}?${name}=${wrong}`);
        expect(refused.statusCode).toBe(400);
        expect(refused.json().errors[0].pointer).toBe(name);
      }
    }
    expect((await viewer.get(`/alarms/${list}?colour=red`)).statusCode).toBe(200);
  },
);
