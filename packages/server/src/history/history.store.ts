import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { inScope, type OccurrenceScope, raisedIn } from './occurrence-scope.store.ts';
import { monthSums } from './text-sums.store.ts';
import { userSums } from './user-sums.store.ts';

/** An occurrence with what its tag, its text and its station say of it today. */
export type OccurrenceRow = {
  id: number;
  tagId: number;
  tagName: string | null;
  message: string | null;
  comment: string | null;
  priority: number;
  raisedAt: Date;
  acknowledgedAt: Date | null;
  resetAt: Date | null;
  timeZone: string | null;
};

export async function listOccurrences(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<OccurrenceRow[]> {
  const window = windowOf(scope, page);
  if (window) {
    const rows = await fetchPage(transaction, walk(transaction, window, page), page);
    const isAll = window.first === scope.first && window.last === scope.last;
    if (isAll || rows.length === page.limit) return rows;
  }
  return fetchPage(transaction, pageOf(transaction, scope, page), page);
}

/** How many rows a walk along the identifiers may pass before going text by text is cheaper. */
const rowsPerText = 60;

/**
 * The end of the scope in which a walk should find the page, if the texts are spread evenly: it has twice as many rows as
 * that takes. None where other ways are cheaper.
 */
function windowOf(scope: OccurrenceScope, page: PageRequest): OccurrenceScope | undefined {
  const { texts, userId, first, last } = scope;
  if (!texts || userId !== undefined) return undefined;
  const kept = Math.max(1, texts.occurrences) / texts.occurrencesOfAll;
  const size = Math.ceil(100 + (2 * (page.offset + page.limit)) / kept);
  if (size > texts.ids.length * rowsPerText) return undefined;
  return page.descending
    ? { ...scope, first: Math.max(first, last - size) }
    : { ...scope, last: Math.min(last, first + size) };
}

async function fetchPage(
  transaction: TenantTransaction,
  rowsOfPage: RawBuilder<unknown>,
  { descending }: PageRequest,
): Promise<OccurrenceRow[]> {
  const { tenantId } = transaction;
  const { rows } = await sql<OccurrenceRow>`
    with page as materialized (${rowsOfPage})
    select o.id, o.tag_id as "tagId", o.priority, o.raised_at as "raisedAt", o.acknowledged_at as "acknowledgedAt",
      o.reset_at as "resetAt", t.name as "tagName", x.message, x.comment, s.time_zone as "timeZone"
    from page o
    left join lateral (select * from texts x where x.tenant_id = ${tenantId} and x.id = o.text_id limit 1) x on true
    left join lateral (select * from tags t where t.tenant_id = ${tenantId} and t.id = o.tag_id limit 1) t on true
    left join lateral (select * from stations s where s.tenant_id = ${tenantId} and s.id = x.station_id limit 1) s on true
    order by o.id ${directionOf(descending)}`.execute(transaction.withoutPlugins());
  return rows;
}

/** The rows of the page: by their identifiers where every one counts, else along the index that passes over least. */
function pageOf(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): RawBuilder<unknown> {
  const { tenantId } = transaction;
  const { texts, userId, first, last } = scope;
  const { offset, limit, descending } = page;
  if (userId !== undefined || (texts && last - first < texts.ids.length * rowsPerText))
    return walk(transaction, scope, page);
  if (texts) {
    const direction = directionOf(descending);
    return sql`select o.* from unnest(${texts.ids}::bigint[]) as wanted(id) cross join lateral (
        select * from occurrences o where o.tenant_id = ${tenantId} and o.text_id = wanted.id
          and o.id between ${first} and ${last}
        order by o.id ${direction} limit ${offset + limit}
      ) o order by o.id ${direction} offset ${offset} limit ${limit}`;
  }
  const [from, to] = descending
    ? [last - offset - limit + 1, last - offset]
    : [first + offset, first + offset + limit - 1];
  return sql`select * from occurrences o where o.tenant_id = ${tenantId}
    and o.id between ${Math.max(from, first)} and ${Math.min(to, last)}`;
}

/** The rows of the page, found by looking at one row after the other. */
function walk(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  { offset, limit, descending }: PageRequest,
): RawBuilder<unknown> {
  return sql`select * from occurrences o where ${inScope(transaction, scope)}
    order by o.id ${directionOf(descending)} offset ${offset} limit ${limit}`;
}

function directionOf(descending: boolean): RawBuilder<unknown> {
  return descending ? sql`desc` : sql`asc`;
}

export async function countOccurrences(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
): Promise<number> {
  const { texts, userId, first, last, bounded } = scope;
  if (last < first) return 0;
  if (!texts && userId === undefined) return last - first + 1;
  if (texts && userId === undefined && !bounded) return texts.occurrences;
  const { rows } = await sql<{ total: number | string | null }>`
    select sum(n) as total from (${countsOf(transaction, scope)}) c`.execute(transaction.withoutPlugins());
  return Number(rows[0]?.total ?? 0);
}

/** Numbers to be added up, in a column `n`. */
function countsOf(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  const { texts, userId } = scope;
  if (!texts) return userSums(transaction, scope);
  if (userId !== undefined)
    return sql`select count(*) as n from occurrences o where ${inScope(transaction, scope)}`;
  const { days, edges } = scope.calendar.nearest;
  const sums = days && monthSums(days, scope);
  const parts = [
    ...edges.map(
      ({ stretch, sign }) => sql`select ${sign}::integer * count(*) as n from occurrences o
        where ${raisedIn(transaction, scope, stretch)}`,
    ),
    ...(sums
      ? [
          sql`select sum(${sums.occurrences}) as n from text_months m
            where m.tenant_id = ${transaction.tenantId} and ${sums.where}`,
        ]
      : []),
  ];
  return sql.join(parts, sql` union all `);
}
