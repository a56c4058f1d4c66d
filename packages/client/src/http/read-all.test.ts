import { expect, test } from 'vitest';
import { readAll } from './read-all.ts';

type Item = { id: number };

/** A list of the server from which `leaving` takes items before each page after the first. */
function listOf(count: number, leaving: (items: Item[], page: number) => Item[]) {
  let items = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
  let pages = 0;
  const get = async (_path: string, query: Record<string, unknown> = {}) => {
    if (pages > 0) items = leaving(items, pages);
    pages += 1;
    const [offset, limit] = [Number(query['offset']), Number(query['limit'])];
    return { data: { items: items.slice(offset, offset + limit) } as never };
  };
  return { api: { get }, left: () => items, pages: () => pages };
}

test('a list of one page is read at once', async () => {
  const { api, pages } = listOf(999, (items) => items);
  expect((await readAll(api, '/alarms')).size).toBe(999);
  expect(pages()).toBe(1);
});

test('an empty list is empty', async () => {
  expect((await readAll(listOf(0, (items) => items).api, '/alarms')).size).toBe(0);
});

test('a list of several pages is read to its end', async () => {
  const { api } = listOf(5_000, (items) => items);
  expect([...(await readAll(api, '/alarms')).keys()]).toEqual(
    Array.from({ length: 5_000 }, (_, index) => index + 1),
  );
});

test.for([10, 60, 400, 1_500])('nothing is missed when %i alarms leave between two pages', async (count) => {
  const { api, left } = listOf(8_000, (items, page) => (page <= 3 ? items.slice(count) : items));
  const found = await readAll<Item>(api, '/alarms');
  expect(left().filter(({ id }) => !found.has(id))).toEqual([]);
});

test('reading ends when the list becomes empty meanwhile', async () => {
  const { api } = listOf(3_000, () => []);
  expect((await readAll(api, '/alarms')).size).toBeGreaterThanOrEqual(1_000);
});
