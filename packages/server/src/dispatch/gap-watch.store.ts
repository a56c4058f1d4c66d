import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Tenants whose rosters are to be looked at, each by one server; nobody else takes them until then. */
export async function takeGapWatches(
  { client, now }: TenantTransaction,
  wanted: number,
  until: Date,
): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'take-gap-watches',
    text: 'select tenant_id from take_gap_watches($1, $2, $3) as tenant_id',
    values: [wanted, now, until],
  });
  return rows.map((row) => row.tenant_id);
}

/** The next look, unless something has changed since it was taken and is to be looked at sooner. */
export async function saveNextLook(
  transaction: TenantTransaction,
  { taken, next }: { taken: Date; next: Date },
): Promise<void> {
  await transaction
    .updateTable('callDirectories')
    .set({ gapsDueAt: next })
    .where('tenantId', '=', transaction.tenantId)
    .where('gapsDueAt', '=', taken)
    .execute();
}
