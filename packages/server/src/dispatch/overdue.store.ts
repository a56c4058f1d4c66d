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
