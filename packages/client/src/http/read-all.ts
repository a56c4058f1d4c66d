import type { Api, Query } from './api.ts';

type Page<Item> = { readonly items: readonly Item[] };

/** The largest page of the interface. */
const pageSize = 1_000;
/** Items that a page repeats of the one before it. */
const overlap = 50;

/**
 * Reads all pages of a list that changes meanwhile, by id. Items that leave the list move the others towards its begin, and
 * those that move past the end of the last page would be missed. So every page must repeat an item of the one before it;
 * otherwise an earlier one is read again.
 */
export async function readAll<Item extends { readonly id: number }>(
  api: Pick<Api, 'get'>,
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Map<number, Item>> {
  const found = new Map<number, Item>();
  let lastId = 0;
  let offset = 0;
  for (;;) {
    const sent = { ...query, sort: '+id', limit: pageSize, offset };
    const { data } = await api.get<Page<Item>>(path, sent, signal && { signal });
    const { items } = data;
    const firstId = items[0]?.id ?? Number.POSITIVE_INFINITY;
    if (offset > 0 && firstId > lastId) {
      offset = Math.max(0, offset - pageSize);
      continue;
    }
    for (const item of items) found.set(item.id, item);
    lastId = Math.max(lastId, items.at(-1)?.id ?? 0);
    if (items.length < pageSize) return found;
    offset += pageSize - overlap;
  }
}
