import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { dayText, type WholeDays } from './calendar.ts';
import { atEdges, inScope, type OccurrenceScope } from './occurrence-scope.store.ts';
import { monthSums } from './text-sums.store.ts';

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
  const { tenantId } = transaction;
  const direction = page.descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<OccurrenceRow>`
    with page as materialized (${await pageOf(transaction, scope, page)})
    select o.id, o.tag_id as "tagId", o.priority, o.raised_at as "raisedAt", o.acknowledged_at as "acknowledgedAt",
      o.reset_at as "resetAt", t.name as "tagName", x.message, x.comment, s.time_zone as "timeZone"
    from page o
    left join lateral (select * from texts x where x.tenant_id = ${tenantId} and x.id = o.text_id limit 1) x on true
    left join lateral (select * from tags t where t.tenant_id = ${tenantId} and t.id = o.tag_id limit 1) t on true
    left join lateral (select * from stations s where s.tenant_id = ${tenantId} and s.id = x.station_id limit 1) s on true
    order by o.id ${direction}`.execute(transaction.withoutPlugins());
  return rows;
}

/** The rows of the page: by their identifiers where every one counts, else along the index that passes over least. */
async function pageOf(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<RawBuilder<unknown>> {
  const { texts, userId, first, last } = scope;
  const direction = page.descending ? sql`desc` : sql`asc`;
  const cut = sql`offset ${page.offset} limit ${page.limit}`;
  if (!texts && userId === undefined) {
    const [from, to] = page.descending
      ? [last - page.offset - page.limit + 1, last - page.offset]
      : [first + page.offset, first + page.offset + page.limit - 1];
    return sql`select * from occurrences o where o.tenant_id = ${transaction.tenantId}
      and o.id between ${Math.max(from, first)} and ${Math.min(to, last)}`;
  }
  if (texts && userId === undefined && isRare(scope, page)) {
    return sql`select o.* from unnest(${texts.ids}::bigint[]) as wanted(id) cross join lateral (
        select * from occurrences o where o.tenant_id = ${transaction.tenantId} and o.text_id = wanted.id
          and o.id between ${first} and ${last}
        order by o.id ${direction} limit ${page.offset + page.limit}
      ) o order by o.id ${direction} ${cut}`;
  }
  if (userId !== undefined) {
    return sql`select * from occurrences o where ${inScope(transaction, scope)} order by o.id ${direction} ${cut}`;
  }
  // Times rise with identifiers, and months are partitions: in this order the first ones are enough to fill the page.
  return sql`select * from occurrences o where ${inScope(transaction, scope)}
    order by o.raised_at ${direction}, o.id ${direction} ${cut}`;
}

/** How many rows a walk along the identifiers may pass before going text by text is cheaper. */
const rowsPerText = 60;

function isRare({ texts, first, last }: OccurrenceScope, { offset, limit }: PageRequest): boolean {
  if (!texts) return false;
  const passedOver = ((offset + limit) * (last - first + 1)) / Math.max(1, texts.occurrences);
  return passedOver > texts.ids.length * rowsPerText;
}

export async function countOccurrences(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
): Promise<number> {
  const { texts, userId, first, last, bounded, calendar } = scope;
  if (last < first) return 0;
  if (!texts && userId === undefined) return last - first + 1;
  if (texts && userId === undefined && !bounded) return texts.occurrences;
  if (texts && userId !== undefined) return countRaw(transaction, inScope(transaction, scope));

  const edges = calendar.edges.length === 0 ? 0 : await countRaw(transaction, atEdges(transaction, scope));
  if (!calendar.days) return edges;
  const inDays =
    userId === undefined
      ? await countTexts(transaction, scope, calendar.days)
      : await countAcknowledged(transaction, userId, calendar.days);
  return edges + inDays;
}

async function countTexts(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  days: WholeDays,
): Promise<number> {
  const sums = monthSums(days, scope);
  return countOf(
    transaction,
    sql`select sum(${sums.occurrences}) as total from text_months m
        where m.tenant_id = ${transaction.tenantId} and ${sums.where}`,
  );
}

async function countAcknowledged(
  transaction: TenantTransaction,
  userId: number,
  days: WholeDays,
): Promise<number> {
  return countOf(
    transaction,
    sql`select sum(acknowledged) as total from user_days where tenant_id = ${transaction.tenantId}
        and user_id = ${userId} and day between ${dayText(days.first)}::date and ${dayText(days.last)}::date`,
  );
}

function countRaw(transaction: TenantTransaction, where: RawBuilder<unknown>): Promise<number> {
  return countOf(transaction, sql`select count(*) as total from occurrences o where ${where}`);
}

async function countOf(transaction: TenantTransaction, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number | string | null }>`${query}`.execute(
    transaction.withoutPlugins(),
  );
  return Number(rows[0]?.total ?? 0);
}
