import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { dayText, type Interval, type WholeDays } from './calendar.ts';
import { type OccurrenceScope, raisedIn } from './occurrence-scope.store.ts';

/**
 * Acknowledgments per user in the period, as a few rows to add up: from days, from hours for partial days, and from raw
 * rows for partial hours. For scopes of all texts.
 */
export function userSums(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  const { days, hours, rest } = scope.calendar.inside;
  const parts = [
    ...(days ? [storedSums(transaction, scope, 'user_days', inDays(days))] : []),
    ...hours.map((interval) => storedSums(transaction, scope, 'user_hours', inHours(interval))),
    ...rest.map((interval) =>
      rawUserSums(sql`occurrences o where ${raisedIn(transaction, scope, interval)}`),
    ),
  ];
  return parts.length === 0 ? rawUserSums(sql`occurrences o where false`) : sql.join(parts, sql` union all `);
}

/** The same from raw rows `o`; `rows` ends with a `where` condition. */
export function rawUserSums(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select o.ack_user_id as user_id, max(o.id) as last_id, count(*) as n,
      count(*) filter (where o.acknowledged_at >= o.raised_at) as rn,
      sum(whole_seconds_between(o.raised_at, o.acknowledged_at)) as rs,
      count(*) filter (where o.reset_at >= o.acknowledged_at) as i,
      sum(whole_seconds_between(o.acknowledged_at, o.reset_at)) as s
    from ${rows} and o.ack_user_id is not null group by o.ack_user_id`;
}

function storedSums(
  { tenantId }: TenantTransaction,
  { userId }: OccurrenceScope,
  table: 'user_days' | 'user_hours',
  within: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofUser = userId === undefined ? sql`true` : sql`k.user_id = ${userId}`;
  return sql`select k.user_id, max(k.last_occurrence_id) as last_id, sum(k.acknowledged) as n, sum(k.reactions) as rn,
      sum(k.reaction_seconds) as rs, sum(k.interventions) as i, sum(k.intervention_seconds) as s
    from ${sql.table(table)} k where k.tenant_id = ${tenantId} and ${ofUser} and ${within} group by k.user_id`;
}

function inDays({ first, last }: WholeDays): RawBuilder<unknown> {
  return sql`k.day between ${dayText(first)}::date and ${dayText(last)}::date`;
}

function inHours([from, to]: Interval): RawBuilder<unknown> {
  return sql`k.hour >= ${from} and k.hour < ${to}`;
}
