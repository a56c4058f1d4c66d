import type { InterventionSums } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type OccurrenceScope, rowsInScope } from './occurrence-scope.store.ts';
import { rawUserSums, userSums } from './user-sums.store.ts';

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

/** One row per user who acknowledged something in scope. They are few, so the page is cut from the whole list. */
export async function readInterventions(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  { offset, limit, descending }: PageRequest,
): Promise<{ rows: InterventionRow[]; total: number }> {
  // The sums per user are not kept per text.
  const parts = scope.texts
    ? rawUserSums(sql`${rowsInScope(transaction, scope)} where true`)
    : userSums(transaction, scope);
  const { rows } = await sql<SumsRow>`
    with parts as (${parts})
    select user_id as "userId", max(last_id) as "lastOccurrenceId", sum(n)::bigint as count,
      sum(rn)::bigint as reactions, sum(rs)::bigint as "reactionSeconds",
      sum(i)::bigint as interventions, sum(s)::bigint as "interventionSeconds"
    from parts where user_id > 0 group by user_id having sum(n) > 0
    order by user_id ${descending ? sql`desc` : sql`asc`}`.execute(transaction.withoutPlugins());
  return { rows: rows.slice(offset, offset + limit).map(toRow), total: rows.length };
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
