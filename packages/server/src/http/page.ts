import { defaultLimit, largestLimit, type Paging } from '@tocsin/contract';

/** The requested part of a list; the limit is cut to the maximum of the server. */
export type PageRequest = { offset: number; limit: number; descending: boolean };

type PageQuery = { offset?: number; limit?: number; sort?: string };

export function pageRequest(
  { offset = 0, limit = defaultLimit, sort }: PageQuery,
  { newestFirst = false }: { newestFirst?: boolean } = {},
): PageRequest {
  const descending = sort === undefined ? newestFirst : sort === '-id';
  return { offset, limit: Math.min(limit, largestLimit), descending };
}

export type Page<Item> = { items: Item[]; paging: Paging };

export function page<Item>(items: Item[], { offset, limit }: PageRequest, total: number): Page<Item> {
  return { items, paging: { offset, limit, total } };
}
