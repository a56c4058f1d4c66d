import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** Claims tenants whose rosters are due for a check, until then. */
export async function claimRosterChecks(
  { client, now }: TenantTransaction,
  wanted: number,
  until: Date,
): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'claim-roster-checks',
    text: 'select tenant_id from claim_roster_checks($1, $2, $3) as tenant_id',
    values: [wanted, now, until],
  });
  return rows.map((row) => row.tenant_id);
}

/** Stores the next check, unless a change since the claim has requested an earlier one. */
export async function saveNextCheck(
  transaction: TenantTransaction,
  { claimedUntil, next }: { claimedUntil: Date; next: Date },
): Promise<void> {
  await transaction
    .updateTable('configurationVersions')
    .set({ rosterCheckDueAt: next })
    .where('tenantId', '=', transaction.tenantId)
    .where('rosterCheckDueAt', '=', claimedUntil)
    .execute();
}
