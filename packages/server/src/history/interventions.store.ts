import type { InterventionSums } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { dayText, type WholeDays } from './calendar.ts';
import { atEdges, inScope, type OccurrenceScope } from './occurrence-scope.store.ts';

export type InterventionRow = { userId: number; lastOccurrenceId: number; sums: InterventionSums };

type SumsRow = {
  userId: number;
  lastOccurrenceId: number;
  count: number;
  reactions: number;
  reactionSeconds: number;
  interventions: number;
  interventionSeconds: number;
};

/** One row per person who acknowledged something in scope. There are never so many that a page could not be cut here. */
export async function readInterventions(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  { offset, limit, descending }: PageRequest,
): Promise<{ rows: InterventionRow[]; total: number }> {
  const { rows } = await sql<SumsRow>`
    with parts as (${sql.join(partsOf(transaction, scope), sql` union all `)})
    select user_id as "userId", max(last_id) as "lastOccurrenceId", sum(n)::bigint as count,
      sum(rn)::bigint as reactions, sum(rs)::bigint as "reactionSeconds",
      sum(i)::bigint as interventions, sum(s)::bigint as "interventionSeconds"
    from parts where user_id > 0 group by user_id having sum(n) > 0
    order by user_id ${descending ? sql`desc` : sql`asc`}`.execute(transaction.withoutPlugins());
  return { rows: rows.slice(offset, offset + limit).map(toRow), total: rows.length };
}

function partsOf(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown>[] {
  const { calendar, texts, userId } = scope;
  // The sums per user do not know of texts.
  if (texts) return [rawSums(inScope(transaction, scope))];
  const edges = rawSums(atEdges(transaction, scope));
  return calendar.days ? [edges, daySums(transaction, calendar.days, userId)] : [edges];
}

function rawSums(where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select o.ack_user_id as user_id, max(o.id) as last_id, count(*) as n,
      count(*) filter (where o.acknowledged_at >= o.raised_at) as rn,
      sum(shown_seconds(o.raised_at, o.acknowledged_at)) as rs,
      count(*) filter (where o.reset_at >= o.acknowledged_at) as i,
      sum(shown_seconds(o.acknowledged_at, o.reset_at)) as s
    from occurrences o where ${where} and o.ack_user_id > 0 group by o.ack_user_id`;
}

function daySums(
  { tenantId }: TenantTransaction,
  { first, last }: WholeDays,
  userId: number | undefined,
): RawBuilder<unknown> {
  const ofUser = userId === undefined ? sql`true` : sql`d.user_id = ${userId}`;
  return sql`select d.user_id, max(d.last_occurrence_id) as last_id, sum(d.acknowledged) as n, sum(d.reactions) as rn,
      sum(d.reaction_seconds) as rs, sum(d.interventions) as i, sum(d.intervention_seconds) as s
    from user_days d where d.tenant_id = ${tenantId} and ${ofUser}
      and d.day between ${dayText(first)}::date and ${dayText(last)}::date group by d.user_id`;
}

function toRow({ userId, lastOccurrenceId, count, ...sums }: SumsRow): InterventionRow {
  return {
    userId,
    lastOccurrenceId,
    sums: {
      count,
      reactions: { count: sums.reactions, totalSeconds: sums.reactionSeconds },
      interventions: { count: sums.interventions, totalSeconds: sums.interventionSeconds },
    },
  };
}
