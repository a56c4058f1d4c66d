import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A run that this server has claimed. A later claim of the same run has a higher fencing token. */
export type ClaimedRun = { tenantId: number; id: number; fencingToken: number };

/** After this time another server may claim the run: the first one has died or hangs. */
const leaseMs = 10_000;
/** A lease is renewed after this time. */
const renewMs = 3_000;

type ClaimedRow = { tenant_id: number; id: number; fencing_token: number };

/**
 * Claims due runs fairly: one of each tenant, then a second of each. `free` more programs may run on this server, and
 * `held` counts the running ones by tenant. No tenant gets more slots than remain free.
 */
export async function claimRuns(
  { client, now }: TenantTransaction,
  { free, held }: { free: number; held: ReadonlyMap<number, number> },
): Promise<ClaimedRun[]> {
  const { rows } = await client.query<ClaimedRow>({
    name: 'claim-command-runs-fairly',
    text: 'select tenant_id, id, fencing_token from claim_command_runs_fairly($1, $2, $3, $4, $5)',
    values: [free, now, leaseEnd(now), [...held.keys()], [...held.values()]],
  });
  return rows.map(claimOf);
}

/** Claims runs that no server claimed in time. */
export async function claimLateRuns(
  { client, now }: TenantTransaction,
  wanted: number,
): Promise<ClaimedRun[]> {
  const { rows } = await client.query<ClaimedRow>({
    name: 'claim-late-command-runs',
    text: 'select tenant_id, id, fencing_token from claim_command_runs($1, $2, $3, true)',
    values: [wanted, now, leaseEnd(now)],
  });
  return rows.map(claimOf);
}

/** Claims runs whose server died or hangs. */
export async function claimAbandonedRuns(
  { client, now }: TenantTransaction,
  wanted: number,
): Promise<ClaimedRun[]> {
  const { rows } = await client.query<ClaimedRow>({
    name: 'claim-abandoned-command-runs',
    text: 'select tenant_id, id, fencing_token from claim_abandoned_command_runs($1, $2, $3)',
    values: [wanted, now, leaseEnd(now)],
  });
  return rows.map(claimOf);
}

const claimOf = ({ tenant_id: tenantId, id, fencing_token: fencingToken }: ClaimedRow): ClaimedRun => ({
  tenantId,
  id,
  fencingToken,
});
export const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs);

/** Renews leases. Returns the runs that are still claimed by this server, and whether they should be stopped. */
export async function renewRuns(
  { client, tenantId, now }: TenantTransaction,
  claims: readonly ClaimedRun[],
): Promise<Map<number, { shouldStop: boolean }>> {
  const { rows } = await client.query<{ id: number; stopping: boolean }>({
    name: 'renew-command-runs',
    text: `with ours as materialized (
             select r.id, r.lease_until, r.stop_at from unnest($2::bigint[], $3::bigint[]) as w(id, fencing_token)
             join command_runs r on r.tenant_id = $1 and r.id = w.id and r.fencing_token = w.fencing_token and r.status = 'running'
             for update of r
           ), renewed as (
             update command_runs r set lease_until = $4 from ours
             where r.tenant_id = $1 and r.id = ours.id and ours.lease_until < $5
           )
           select id, stop_at is not null as stopping from ours`,
    values: [
      tenantId,
      claims.map(({ id }) => id),
      claims.map(({ fencingToken }) => fencingToken),
      leaseEnd(now),
      new Date(now.getTime() + leaseMs - renewMs),
    ],
  });
  return new Map(rows.map(({ id, stopping }) => [id, { shouldStop: stopping }]));
}
