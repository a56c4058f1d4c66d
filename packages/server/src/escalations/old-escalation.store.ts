import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The limits of one transaction. */
export type EscalationBatch = { escalations: number; attempts: number };

export type DeletedEscalations = {
  escalations: number;
  attempts: number;
  /** Whether there may be more. */
  isFull: boolean;
};

/**
 * Deletes some of the escalations that were closed before then, with their attempts, events and answers; of an escalation
 * with very many attempts, some of those. Open escalations and those of active alarms stay, and so do those whose message was
 * sent together with that of an escalation that stays, because the answers belong to the attempt that was sent. The last test of
 * each address stays.
 */
export async function deleteOldEscalations(
  { client, tenantId }: TenantTransaction,
  before: Date,
  batch: EscalationBatch,
): Promise<DeletedEscalations> {
  // Skips escalations that another transaction has locked: they are deleted another time.
  const { rows } = await client.query<{ id: number }>({
    name: 'lock-old-escalations',
    text: `select d.id from escalations d
           where d.tenant_id = $1 and d.closed_at < $2 and not ${isOfActiveAlarm('d')}
             and not exists (select from reachability r where r.tenant_id = $1 and r.escalation_id = d.id)
             and not exists (
             select from call_attempts a
             join call_attempts b on b.tenant_id = $1 and b.sent_as = a.id and b.escalation_id <> a.escalation_id
             join escalations o on o.tenant_id = $1 and o.id = b.escalation_id 
               and (o.closed_at is null or o.closed_at >= $2 or ${isOfActiveAlarm('o')})
             where a.tenant_id = $1 and a.escalation_id = d.id)
           order by d.closed_at limit $3 for update of d skip locked`,
    values: [tenantId, before, batch.escalations],
  });
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { escalations: 0, attempts: 0, isFull: false };
  const attempts = await client.query({
    name: 'delete-old-attempts',
    text: `delete from call_attempts c where c.tenant_id = $1 and c.id = any (array(
             select a.id from call_attempts a where a.tenant_id = $1 and a.escalation_id = any ($2::bigint[])
             order by a.id limit $3))`,
    values: [tenantId, ids, batch.attempts],
  });
  const escalations = await client.query({
    name: 'delete-old-escalations',
    text: `delete from escalations d where d.tenant_id = $1 and d.id = any ($2::bigint[])
             and not exists (select from call_attempts a where a.tenant_id = $1 and a.escalation_id = d.id)`,
    values: [tenantId, ids],
  });
  const isFull = ids.length === batch.escalations || attempts.rowCount === batch.attempts;
  return { escalations: escalations.rowCount ?? 0, attempts: attempts.rowCount ?? 0, isFull };
}

/** Whether the escalation is about an occurrence that is still active: its timeline is kept whole. */
const isOfActiveAlarm = (escalation: string) =>
  `exists (select from alarms active where active.tenant_id = $1 and active.tag_id = ${escalation}.tag_id
     and active.occurrence_id = ${escalation}.occurrence_id and active.state & 1 = 1)`;
