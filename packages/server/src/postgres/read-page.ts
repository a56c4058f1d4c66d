import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.gen.ts';

/** The rows of one page of a query, by id, and how many there are in all. */
export async function readPage<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: Row[]; total: number }> {
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
