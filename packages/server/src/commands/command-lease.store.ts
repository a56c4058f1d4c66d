import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A run of a tenant that this server has taken up; whoever takes it next has a higher fence. */
export type TakenRun = { tenantId: number; id: number; fence: number };

/** How long a server that fell silent keeps others from judging its runs. */
const leaseMs = 10_000;
/** So much of a lease has passed before it is renewed. */
const renewMs = 3_000;

type TakenRow = { tenant_id: number; id: number; fence: number };

/**
 * Takes up runs that are due, in turns: one of each tenant, then a second of each. `free` more programs may run here, and
 * `held` tells how many of each tenant do. No tenant gets more than then stay free.
 */
export async function takeRuns(
  { client, now }: TenantTransaction,
  { free, held }: { free: number; held: ReadonlyMap<number, number> },
): Promise<TakenRun[]> {
  const { rows } = await client.query<TakenRow>({
    name: 'take-command-runs-in-turns',
    text: 'select tenant_id, id, fence from take_command_runs_in_turns($1, $2, $3, $4, $5)',
    values: [free, now, leaseEnd(now), [...held.keys()], [...held.values()]],
  });
  return rows.map(takenOf);
}

/** Takes up runs that nobody took in time. */
export async function takeLateRuns({ client, now }: TenantTransaction, wanted: number): Promise<TakenRun[]> {
  const { rows } = await client.query<TakenRow>({
    name: 'take-late-command-runs',
    text: 'select tenant_id, id, fence from take_command_runs($1, $2, $3, true)',
    values: [wanted, now, leaseEnd(now)],
  });
  return rows.map(takenOf);
}

/** Takes up runs whose server fell silent. */
export async function takeStrayRuns({ client, now }: TenantTransaction, wanted: number): Promise<TakenRun[]> {
  const { rows } = await client.query<TakenRow>({
    name: 'take-stray-command-runs',
    text: 'select tenant_id, id, fence from stray_command_runs($1, $2, $3)',
    values: [wanted, now, leaseEnd(now)],
  });
  return rows.map(takenOf);
}

const takenOf = ({ tenant_id: tenantId, id, fence }: TakenRow): TakenRun => ({ tenantId, id, fence });
/** Until when what is taken now is ours. */
export const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs);

/** Keeps runs ours for a while longer. Answers those that still are, and whether they are to be ended. */
export async function renewRuns(
  { client, tenantId, now }: TenantTransaction,
  held: readonly TakenRun[],
): Promise<Map<number, { isToStop: boolean }>> {
  const { rows } = await client.query<{ id: number; stopping: boolean }>({
    name: 'renew-command-runs',
    text: `with ours as materialized (
             select r.id, r.lease_until, r.stop_at from unnest($2::bigint[], $3::bigint[]) as w(id, fence)
             join command_runs r on r.tenant_id = $1 and r.id = w.id and r.fence = w.fence and r.status = 'running'
             for update of r
           ), renewed as (
             update command_runs r set lease_until = $4 from ours
             where r.tenant_id = $1 and r.id = ours.id and ours.lease_until < $5
           )
           select id, stop_at is not null as stopping from ours`,
    values: [
      tenantId,
      held.map(({ id }) => id),
      held.map(({ fence }) => fence),
      leaseEnd(now),
      new Date(now.getTime() + leaseMs - renewMs),
    ],
  });
  return new Map(rows.map(({ id, stopping }) => [id, { isToStop: stopping }]));
}
