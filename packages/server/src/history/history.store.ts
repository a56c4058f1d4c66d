import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { inScope, type OccurrenceScope, raisedIn } from './occurrence-scope.store.ts';
import { monthSums } from './text-sums.store.ts';
import { userSums } from './user-sums.store.ts';

/** An occurrence with the present data of its tag, text and station. */
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
  const window = scanWindow(scope, page);
  if (window) {
    const rows = await fetchPage(transaction, scan(transaction, window, page), page);
    const isWholeScope = window.first === scope.first && window.last === scope.last;
    if (isWholeScope || rows.length === page.limit) return rows;
  }
  return fetchPage(transaction, pageOf(transaction, scope, page), page);
}

/** Scanning more rows per text than this is slower than one index look-up per text. */
const rowsPerText = 60;

/**
 * The part of the scope in which a scan should find the page if the texts are spread evenly: twice as many rows as that
 * takes. Undefined if another way is cheaper.
 */
function scanWindow(scope: OccurrenceScope, page: PageRequest): OccurrenceScope | undefined {
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

/** The rows of the page: by their identifiers without a filter, or else by the index that skips the fewest rows. */
function pageOf(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): RawBuilder<unknown> {
  const { tenantId } = transaction;
  const { texts, userId, first, last } = scope;
  const { offset, limit, descending } = page;
  if (userId !== undefined || (texts && last - first < texts.ids.length * rowsPerText))
    return scan(transaction, scope, page);
  if (texts) {
    const direction = directionOf(descending);
    return sql`select o.* from unnest(${texts.ids}::bigint[]) as text(id) cross join lateral (
        select * from occurrences o where o.tenant_id = ${tenantId} and o.text_id = text.id
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

/** The rows of the page, found by a scan in the order of identifiers. */
function scan(
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
  const { texts, userId, first, last, hasPeriod } = scope;
  if (last < first) return 0;
  if (!texts && userId === undefined) return last - first + 1;
  if (texts && userId === undefined && !hasPeriod) return texts.occurrences;
  const { rows } = await sql<{ total: number | string | null }>`
    select sum(n) as total from (${countsOf(transaction, scope)}) c`.execute(transaction.withoutPlugins());
  return Number(rows[0]?.total ?? 0);
}

/** Counts to add up, in a column `n`. */
function countsOf(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  const { texts, userId } = scope;
  if (!texts) return userSums(transaction, scope);
  if (userId !== undefined)
    return sql`select count(*) as n from occurrences o where ${inScope(transaction, scope)}`;
  const { days, edges } = scope.calendar.nearest;
  const sums = days && monthSums(days, scope);
  const parts = [
    ...edges.map(
      ({ interval, sign }) => sql`select ${sign}::integer * count(*) as n from occurrences o
        where ${raisedIn(transaction, scope, interval)}`,
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
