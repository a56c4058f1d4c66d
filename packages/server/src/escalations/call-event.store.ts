import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

// Call events are written by the statement that makes the change: this needs no further round trip, and both are stored
// or neither is. In all of these fragments $1 is the tenant and $3 the time.

/** Inserts call events of attempts, which the query `changed` returns by id, escalation_id and outcome. */
export function insertAttemptEvents(changed: string): string {
  return `insert into call_events (tenant_id, at, kind, escalation_id, attempt_id)
           select $1, $3::timestamptz, t.outcome, t.escalation_id, t.id from ${changed} t where t.escalation_id is not null`;
}

/** Inserts call events of closed escalations, which the query `closed` returns by id. */
export const insertClosedEvents = `insert into call_events (tenant_id, at, kind, escalation_id)
           select $1, $3::timestamptz, 'closed', t.id from closed t`;

/** Hub clients that were away for longer read the current calls instead. */
export async function deleteOldCallEvents(transaction: TenantTransaction, before: Date): Promise<void> {
  await transaction
    .deleteFrom('callEvents')
    .where('tenantId', '=', transaction.tenantId)
    .where('at', '<', before)
    .execute();
}
