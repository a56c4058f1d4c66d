import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** How much is forgotten in one transaction. */
export type DutyBatch = { duties: number; attempts: number };

export type ForgottenDuties = {
  duties: number;
  attempts: number;
  /** Whether there may be more. */
  isFull: boolean;
};

/**
 * Forgets some of the duties that were closed before then, with their attempts, notices and answers; of a duty with very
 * many attempts, some of those. An open one stays whatever its age, and so does one whose message told of an alarm
 * that is kept: the answers to it are kept with the attempt that it went out as.
 */
export async function forgetDuties(
  { client, tenantId }: TenantTransaction,
  before: Date,
  batch: DutyBatch,
): Promise<ForgottenDuties> {
  // Whoever else forgets them, or answers a call of one, has it: there are others, and another time.
  const { rows } = await client.query<{ id: number }>({
    name: 'lock-old-duties',
    text: `select d.id from duties d
           where d.tenant_id = $1 and d.closed_at < $2 and not exists (
             select from call_attempts a
             join call_attempts b on b.tenant_id = $1 and b.sent_as = a.id and b.duty_id <> a.duty_id
             join duties o on o.tenant_id = $1 and o.id = b.duty_id and (o.closed_at is null or o.closed_at >= $2)
             where a.tenant_id = $1 and a.duty_id = d.id)
           order by d.closed_at limit $3 for update of d skip locked`,
    values: [tenantId, before, batch.duties],
  });
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { duties: 0, attempts: 0, isFull: false };
  const attempts = await client.query({
    name: 'delete-old-attempts',
    text: `delete from call_attempts c where c.tenant_id = $1 and c.id = any (array(
             select a.id from call_attempts a where a.tenant_id = $1 and a.duty_id = any ($2::bigint[])
             order by a.id limit $3))`,
    values: [tenantId, ids, batch.attempts],
  });
  const duties = await client.query({
    name: 'delete-old-duties',
    text: `delete from duties d where d.tenant_id = $1 and d.id = any ($2::bigint[])
             and not exists (select from call_attempts a where a.tenant_id = $1 and a.duty_id = d.id)`,
    values: [tenantId, ids],
  });
  const isFull = ids.length === batch.duties || attempts.rowCount === batch.attempts;
  return { duties: duties.rowCount ?? 0, attempts: attempts.rowCount ?? 0, isFull };
}
