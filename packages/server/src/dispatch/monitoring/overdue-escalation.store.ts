import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type Overdue = { tenantId: number; escalations: number; oldest: Date };

/** Counts, by tenant, the escalations that were due before then and that no dispatcher has claimed. */
export async function listOverdue({ client }: TenantTransaction, before: Date): Promise<Overdue[]> {
  const { rows } = await client.query<{ tenant_id: number; escalations: number; oldest: Date }>({
    name: 'list-overdue-escalations',
    text: 'select tenant_id, escalations, oldest from overdue_escalations($1)',
    values: [before],
  });
  return rows.map(({ tenant_id: tenantId, escalations, oldest }) => ({ tenantId, escalations, oldest }));
}

/** Calls of a tenant that have waited for too long. */
export type Waiting = {
  tenantId: number;
  /** Attempts that were never sent. */
  queued: number;
  /** Escalations for which no provider has accepted a call. */
  unaccepted: number;
};

export async function listWaiting({ client }: TenantTransaction, before: Date): Promise<Waiting[]> {
  const { rows } = await client.query<{ tenant_id: number; queued: number; unaccepted: number }>({
    name: 'list-waiting-calls',
    text: 'select tenant_id, queued, unaccepted from waiting_calls($1)',
    values: [before],
  });
  return rows.map(({ tenant_id: tenantId, queued, unaccepted }) => ({ tenantId, queued, unaccepted }));
}
