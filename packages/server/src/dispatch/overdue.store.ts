import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type Overdue = { tenantId: number; duties: number; oldest: Date };

/** By tenant, the duties that were due before then and that no dispatcher has looked at. */
export async function listOverdue({ client }: TenantTransaction, before: Date): Promise<Overdue[]> {
  const { rows } = await client.query<{ tenant_id: number; duties: number; oldest: Date }>({
    name: 'overdue-duties',
    text: 'select tenant_id, duties, oldest from overdue_duties($1)',
    values: [before],
  });
  return rows.map(({ tenant_id: tenantId, duties, oldest }) => ({ tenantId, duties, oldest }));
}

/** Of a tenant, what has waited for too long. */
export type Waiting = {
  tenantId: number;
  /** Attempts that were never sent. */
  queued: number;
  /** Duties for which no provider has accepted a call. */
  unaccepted: number;
};

export async function listWaiting({ client }: TenantTransaction, before: Date): Promise<Waiting[]> {
  const { rows } = await client.query<{ tenant_id: number; queued: number; unaccepted: number }>({
    name: 'waiting-calls',
    text: 'select tenant_id, queued, unaccepted from waiting_calls($1)',
    values: [before],
  });
  return rows.map(({ tenant_id: tenantId, queued, unaccepted }) => ({ tenantId, queued, unaccepted }));
}
