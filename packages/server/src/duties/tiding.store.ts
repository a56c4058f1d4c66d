import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/**
 * The end of a statement that tells hub clients of attempts, which the query `changed` names by id, duty_id and outcome.
 * $1 is the tenant and $3 the time. It comes with the change itself: it costs no round trip, and there are both or none.
 */
export function tellOf(changed: string): string {
  return `insert into tidings (tenant_id, at, kind, duty_id, attempt_id)
           select $1, $3::timestamptz, t.outcome, t.duty_id, t.id from ${changed} t where t.duty_id is not null`;
}

/** As `tellOf`, of duties that the query `closed` names by id. */
export const tellClosed = `insert into tidings (tenant_id, at, kind, duty_id)
           select $1, $3::timestamptz, 'closed', t.id from closed t`;

/** Whoever has not been told by then has been away, and looks for himself. */
export async function forgetTidings(transaction: TenantTransaction, before: Date): Promise<void> {
  await transaction
    .deleteFrom('tidings')
    .where('tenantId', '=', transaction.tenantId)
    .where('at', '<', before)
    .execute();
}
