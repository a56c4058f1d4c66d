import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../tables.gen.ts';

export type PageBounds = { offset: number; limit: number; descending: boolean };

/** The rows of one page, and the number of rows on all pages. */
export type PageOfRows<Row> = { rows: Row[]; total: number };

/** Reads one page of a query, in the order of ids. */
export async function readPage<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { offset, limit, descending }: PageBounds,
): Promise<PageOfRows<Row>> {
  const { total } = await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .orderBy(sql.ref('id'), descending ? 'desc' : 'asc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { rows, total };
}
