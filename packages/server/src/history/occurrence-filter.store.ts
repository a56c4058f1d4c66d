import { type RawBuilder, sql } from 'kysely';
import { searchMatches } from '../postgres/collections/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Period } from './period.ts';
import { isWithin, type Span } from './span.store.ts';

/** The filter of a query. An identifier that does not exist matches nothing. */
export type OccurrenceFilter = Period & {
  /** The stations that the caller may see; undefined means all stations. */
  visibleStationIds?: readonly number[] | undefined;
  stationId?: number | undefined;
  dataServerId?: number | undefined;
  /** Includes all groups below it, as they are today. */
  tagGroupId?: number | undefined;
  callGroupId?: number | undefined;
  /** The user who acknowledged. */
  userId?: number | undefined;
  search?: string | undefined;
};

/** The texts that match a filter, and the number of occurrences of these and of all texts. */
export type MatchingTexts = {
  ids: number[];
  occurrences: number;
  occurrencesOfAll: number;
  /** Whether texts and numbers are those of the span of the query only, and not of all time. */
  ofSpan: boolean;
};

/** Texts are looked up over all time up to these numbers, and beyond them in a span with so many occurrences. */
export type TextLimits = {
  readonly texts: number;
  readonly matching: number;
  readonly occurrences: number;
};

/** They bound the rows that are read for a filter, and the identifiers that go through the server. */
export const textLimits: TextLimits = { texts: 1_000_000, matching: 50_000, occurrences: 100_000 };

/**
 * All filters except time and user apply to the text. Undefined if there is no such filter, or if every text matches: a
 * plant with a single station names it in each query.
 */
export async function findMatchingTexts(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  limits: TextLimits,
): Promise<MatchingTexts | 'too many' | undefined> {
  const { tenantId } = transaction;
  const conditions = textConditions(filter);
  if (conditions.length === 0) return undefined;
  const { rows } = await sql<Omit<MatchingTexts, 'ofSpan'> & { areTooMany: boolean }>`
    with few as materialized (
      select c.text_id <= ${limits.texts} as are_few from tenant_counters c where c.tenant_id = ${tenantId}
    ), matching as materialized (
      select x.id, k.occurrences from texts x join text_totals k on k.tenant_id = x.tenant_id and k.text_id = x.id
      where x.tenant_id = ${tenantId} and k.tenant_id = ${tenantId} and (select are_few from few)
        and ${sql.join(conditions, sql` and `)}
    )
    select (select coalesce(json_agg(id), '[]') from (select id from matching limit ${limits.matching}) m) as ids,
      (select coalesce(sum(occurrences), 0)::bigint from matching) as occurrences,
      (select coalesce(sum(occurrences), 0)::bigint from text_totals
        where tenant_id = ${tenantId} and (select are_few from few)) as "occurrencesOfAll",
      not (select are_few from few) or (select count(*) from matching) > ${limits.matching} as "areTooMany"
  `.execute(transaction.withoutPlugins());
  const { areTooMany, ...matching } = rows[0] ?? noTexts;
  if (matching.occurrences === matching.occurrencesOfAll && matching.occurrences > 0) return undefined;
  return areTooMany ? 'too many' : { ...matching, ofSpan: false };
}

const noTexts = { ids: [], occurrences: 0, occurrencesOfAll: 0, areTooMany: false };

/** The texts that match a filter among those of the occurrences in the span and of the active alarms. */
export async function findTextsOfSpan(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  { first, last, months }: Span,
): Promise<MatchingTexts> {
  const { tenantId } = transaction;
  const { rows } = await sql<Omit<MatchingTexts, 'ofSpan'>>`
    with raised as materialized (
      select o.text_id, 1 as n from occurrences o
      where o.tenant_id = ${tenantId} and o.id between ${first} and ${last} and ${isWithin('o.raised_at', months)}
      union all
      select o.text_id, 0 from recent_alarms r join alarms a on a.tenant_id = r.tenant_id and a.tag_id = r.tag_id
        cross join lateral (select * from occurrences o
          where o.tenant_id = ${tenantId} and o.id = a.occurrence_id and o.raised_at = a.raised_at limit 1) o
      where r.tenant_id = ${tenantId} and a.tenant_id = ${tenantId} and a.state <> 0
    )
    select coalesce(json_agg(x.id), '[]') as ids, coalesce(sum(t.n), 0)::bigint as occurrences,
      (select coalesce(sum(n), 0)::bigint from raised) as "occurrencesOfAll"
    from (select text_id, sum(n)::bigint as n from raised group by text_id) t
      cross join lateral (select * from texts x where x.tenant_id = ${tenantId} and x.id = t.text_id limit 1) x
    where ${sql.join(textConditions(filter), sql` and `)}`.execute(transaction.withoutPlugins());
  return { ...(rows[0] ?? noTexts), ofSpan: true };
}

/** How many texts the tenant has made so far. */
export async function countTexts(transaction: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ textId: number }>`
    select text_id as "textId" from tenant_counters where tenant_id = ${transaction.tenantId}`.execute(
    transaction.withoutPlugins(),
  );
  return rows[0]?.textId ?? 0;
}

export const hasTextFilter = (filter: OccurrenceFilter): boolean => textConditions(filter).length > 0;

function textConditions(filter: OccurrenceFilter): RawBuilder<unknown>[] {
  const { visibleStationIds, stationId, dataServerId, tagGroupId, callGroupId, search } = filter;
  return [
    visibleStationIds && sql`x.station_id = any (${[...visibleStationIds]}::bigint[])`,
    stationId !== undefined && sql`x.station_id = ${stationId}`,
    dataServerId !== undefined && sql`x.data_server_id = ${dataServerId}`,
    tagGroupId !== undefined && sql`x.tag_group_id in (select tag_group_subtree(${tagGroupId}))`,
    callGroupId !== undefined && sql`${callGroupId} = any (x.call_group_ids)`,
    search && searchMatches('x.search_text', search),
  ].filter((condition) => typeof condition === 'object');
}

/**
 * Whether a column names one of the matching texts. Written so that PostgreSQL hashes them once: with a plain list of
 * thousands the planner would compare each of them with the statistics of every partition.
 */
export function isMatchingText(column: string, { ids }: MatchingTexts): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} in (select unnest(${ids}::bigint[]))) is true`;
}
