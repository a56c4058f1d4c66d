import { addSeconds } from '@tocsin/domain';
import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Whether this server may run the job now: no other server is running it, or the one that was has not ended in time. */
export async function claimJob(
  transaction: TenantTransaction,
  job: string,
  leaseSeconds: number,
): Promise<boolean> {
  const { now } = transaction;
  const leaseUntil = addSeconds(now, leaseSeconds);
  const { rows } = await sql`
    insert into upkeep_leases as l (job, lease_until) values (${job}, ${leaseUntil})
    on conflict (job) do update set lease_until = excluded.lease_until where l.lease_until <= ${now}
    returning job`.execute(transaction);
  return rows.length === 1;
}

export async function releaseJob(transaction: TenantTransaction, job: string): Promise<void> {
  await transaction
    .updateTable('upkeepLeases')
    .set({ leaseUntil: transaction.now })
    .where('job', '=', job)
    .execute();
}
