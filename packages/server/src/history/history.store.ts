import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { countOccurrences } from './count-occurrences.store.ts';
import { isDeep, narrowToDays, rowsToScan, timelineOpener } from './deep-page.ts';
import { acknowledgedInScope, inScope, type OccurrenceScope } from './occurrence-scope.store.ts';
import { isWithin, monthsOfRows } from './span.store.ts';

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

/** The occurrences of a page, and how many there are in scope. */
export async function readHistories(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<{ rows: OccurrenceRow[]; total: number }> {
  const openTimeline = timelineOpener(transaction, scope);
  const total = await countOccurrences(transaction, scope, openTimeline);
  if (page.limit === 0 || page.offset >= total) return { rows: [], total };
  if (!isDeep(scope, page)) return { rows: await listOccurrences(transaction, scope, page), total };
  const narrow = await narrowToDays(transaction, await openTimeline(), { scope, page, total });
  return { rows: await listOccurrences(transaction, narrow.scope, narrow.page), total };
}

export async function listOccurrences(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<OccurrenceRow[]> {
  const window = await scanWindow(transaction, scope, page);
  if (window) {
    const rows = await fetchPage(transaction, scan(transaction, window, page), page);
    const isWholeScope = window.first === scope.first && window.last === scope.last;
    if (isWholeScope || rows.length === page.limit) return rows;
  }
  return fetchPage(transaction, await pageOf(transaction, scope, page), page);
}

/** Scanning more rows per text than this is slower than one index look-up per text. */
const rowsPerText = 60;

/**
 * The part of the scope in which a scan should find the page if the texts are spread evenly: twice as many rows as that
 * takes. Undefined if another way is cheaper.
 */
async function scanWindow(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<OccurrenceScope | undefined> {
  const { texts, userId, first, last } = scope;
  if (!texts || userId !== undefined) return undefined;
  const size = rowsToScan(texts, page);
  if (size > texts.ids.length * rowsPerText) return undefined;
  const rows = page.descending
    ? { first: Math.max(first, last - size), last }
    : { first, last: Math.min(last, first + size) };
  const months = await monthsOfRows(transaction, scope, { ...rows, nearEnd: page.descending });
  return { ...scope, ...rows, months };
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
async function pageOf(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<RawBuilder<unknown>> {
  const { tenantId } = transaction;
  const { texts, userId, first, last } = scope;
  const { offset, limit, descending } = page;
  if (userId !== undefined) return pageOfUser(transaction, scope, page);
  if (texts && last - first < texts.ids.length * rowsPerText) return scan(transaction, scope, page);
  if (texts) {
    const direction = directionOf(descending);
    return sql`select o.* from unnest(${texts.ids}::bigint[]) as text(id) cross join lateral (
        select * from occurrences o where o.tenant_id = ${tenantId} and o.text_id = text.id
          and o.id between ${first} and ${last} and ${isWithin('o.raised_at', scope.months)}
        order by o.id ${direction} limit ${offset + limit}
      ) o order by o.id ${direction} offset ${offset} limit ${limit}`;
  }
  const [from, to] = descending
    ? [last - offset - limit + 1, last - offset]
    : [first + offset, first + offset + limit - 1];
  const rows = { first: Math.max(from, first), last: Math.min(to, last) };
  const months = await monthsOfRows(transaction, scope, {
    ...rows,
    nearEnd: rows.first - first > last - rows.last,
  });
  return sql`select * from occurrences o where o.tenant_id = ${tenantId}
    and o.id between ${rows.first} and ${rows.last} and ${isWithin('o.raised_at', months)}`;
}

/** The rows of the page, found through the acknowledgments of the user. */
function pageOfUser(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  { offset, limit, descending }: PageRequest,
): RawBuilder<unknown> {
  return sql`select o.* ${acknowledgedInScope(transaction, scope)}
    order by k.occurrence_id ${directionOf(descending)} offset ${offset} limit ${limit}`;
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
