import type { Alarm } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  basePaths,
  create,
  idsOf,
  openPlant,
  type Page,
  type Plant,
  raise,
  read,
} from '../../harness/plant.ts';

const count = 1_005;

describe.each(basePaths)('paging and sorting at "%s"', (basePath) => {
  let plant: Plant;
  /** All alarms, in ascending order. */
  let ids: number[];

  const alarms = (query: string) => idsOf(plant.client, `alarms?${query}`);
  const paging = async (query: string) => (await read<Page<Alarm>>(plant.client, `alarms?${query}`)).paging;
  const refusal = async (query: string) => {
    const { status, json } = await plant.client.get(`/api/v1/alarms?${query}`);
    return { status, body: json() };
  };

  beforeAll(async () => {
    plant = await openPlant(basePath);
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const made = await Promise.all(numbers.map((n) => raise(plant.client, { path: `Tag ${n}` })));
    ids = made.toSorted((one, other) => one - other);
    for (const name of ['One', 'Two', 'Three']) {
      await create(plant.client, 'callgroups', { name });
      await create(plant.client, 'callgroupgroupings', { name });
    }
  });
  afterAll(() => plant.close());

  test('§8 identifiers of a thousand alarms raised at once are dense from 1', () => {
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  test('§8 limit is 10 by default, and paging.limit says so', async () => {
    expect(await alarms('')).toEqual(ids.slice(0, 10));
    expect(await paging('')).toEqual({ offset: 0, limit: 10, total: count });
  });

  test('§4.1 limit=0 gives no items and the total', async () => {
    const { items, paging } = await read<Page<Alarm>>(plant.client, 'alarms?limit=0');
    expect(items).toEqual([]);
    expect(paging).toEqual({ offset: 0, limit: 0, total: count });
  });

  test('§4.1 limit=1 gives one item', async () => {
    expect(await alarms('limit=1')).toEqual(ids.slice(0, 1));
  });

  test('§8 limit=1000 gives a thousand items', async () => {
    expect(await alarms('limit=1000')).toEqual(ids.slice(0, 1_000));
    expect((await paging('limit=1000')).limit).toBe(1_000);
  });

  test.each([1_001, 5_000, 4_294_967_295])(
    '§8 limit=%i is cut to 1000, and paging.limit says so',
    async (limit) => {
      expect(await alarms(`limit=${limit}`)).toHaveLength(1_000);
      expect(await paging(`limit=${limit}`)).toEqual({ offset: 0, limit: 1_000, total: count });
    },
  );

  test('§4.1 offset passes over that many items', async () => {
    expect(await alarms('offset=3&limit=4')).toEqual(ids.slice(3, 7));
  });

  test('§4.1 offset with limit walks through all alarms, each once', async () => {
    const pages = [0, 400, 800].map((offset) => alarms(`offset=${offset}&limit=400`));
    expect((await Promise.all(pages)).flat()).toEqual(ids);
  });

  test('§4.1 the last page is as long as what is left', async () => {
    expect(await alarms('offset=1000&limit=10')).toEqual(ids.slice(1_000));
  });

  test('§4.1 an offset beyond the end gives no items and the total', async () => {
    expect(await alarms('offset=2000')).toEqual([]);
    expect(await paging('offset=2000')).toEqual({ offset: 2_000, limit: 10, total: count });
  });

  test('§2.1 paging.total is exact after one alarm more and one less', async () => {
    const id = await raise(plant.client, { path: 'One more' });
    expect((await paging('limit=0')).total).toBe(count + 1);
    await plant.client.post(`/api/v1/alarms/${id}/acknowledge`);
    await plant.client.post(`/api/v1/alarms/${id}/reset`);
    expect((await paging('limit=0')).total).toBe(count);
  });

  test.each([
    ['+id as it is typed', 'sort=+id'],
    ['%2Bid', 'sort=%2Bid'],
    ['%2bid in small letters', 'sort=%2bid'],
    ['%20id', 'sort=%20id'],
    ['id', 'sort=id'],
    ['no sort at all', ''],
  ])('§4.1 %s sorts ascending on id', async (_how, query) => {
    expect(await alarms(`limit=5&${query}`)).toEqual(ids.slice(0, 5));
  });

  test('§4.1 -id sorts descending on id', async () => {
    expect(await alarms('limit=5&sort=-id')).toEqual(ids.slice(-5).toReversed());
  });

  test('§4.1 offset counts from the end when sorted descending', async () => {
    expect(await alarms('limit=2&offset=2&sort=-id')).toEqual(ids.slice(-4, -2).toReversed());
  });

  test.each(['', '+', 'name', '-', '%2B-id', '-id%20', '+id,-id', 'ID', '%20%20id', "id';--"])(
    '§4.1 sort=%s is 400 naming sort',
    async (sort) => {
      expect(await refusal(`sort=${sort}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', errors: [{ pointer: 'sort' }] },
      });
    },
  );

  test('§4.3 histories are listed newest first by default', async () => {
    const entries = await idsOf(plant.client, 'alarms/histories?limit=1000');
    expect(entries).toEqual(entries.toSorted((one, other) => other - one));
    expect(entries[0]).toBeGreaterThan(1_000);
  });

  test.each(['sort=+id', 'sort=%2Bid', 'sort=id'])('§4.3 %s lists histories oldest first', async (query) => {
    expect(await idsOf(plant.client, `alarms/histories?limit=3&${query}`)).toEqual([1, 2, 3]);
  });

  test.each(['alarms/histories', 'alarms/statistics'])(
    '§8 GET /api/v1/%s has the same limits: 10 by default, 1000 at most',
    async (path) => {
      const plain = await read<Page<object>>(plant.client, path);
      expect([plain.items.length, plain.paging.limit]).toEqual([10, 10]);
      const large = await read<Page<object>>(plant.client, `${path}?limit=5000`);
      expect([large.items.length, large.paging.limit]).toEqual([1_000, 1_000]);
      expect(large.paging.total).toBeGreaterThanOrEqual(count);
    },
  );

  test.each([
    'alarms/histories',
    'alarms/statistics',
    'alarms/interventions',
    'call/histories',
    'callgroups',
    'callgroupgroupings',
  ])('§8 GET /api/v1/%s refuses a bad sort, offset and limit by name', async (path) => {
    for (const [name, text] of [
      ['sort', 'name'],
      ['offset', '-1'],
      ['limit', 'all'],
    ]) {
      const answer = await plant.client.get(`/api/v1/${path}?${name}=${text}`);
      expect(answer.status, name).toBe(400);
      expect(answer.json(), name).toMatchObject({ errors: [{ pointer: name }] });
    }
  });

  test.each(['callgroups', 'callgroupgroupings'])(
    '§4.9 GET /api/v1/%s takes offset, limit and sort, ascending by default',
    async (path) => {
      expect(await idsOf(plant.client, path)).toEqual([1, 2, 3]);
      expect(await idsOf(plant.client, `${path}?sort=-id`)).toEqual([3, 2, 1]);
      const page = await read<Page<{ id: number }>>(plant.client, `${path}?sort=+id&offset=1&limit=1`);
      expect(page.items.map(({ id }) => id)).toEqual([2]);
      expect(page.paging).toEqual({ offset: 1, limit: 1, total: 3 });
    },
  );
});
