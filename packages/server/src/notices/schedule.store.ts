import { addSeconds } from '@tocsin/domain';
import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The tenants that want scheduled tests or reminders. Works outside tenants only. */
export async function listScheduledTenants(transaction: TenantTransaction): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select tenants_with_scheduled_notices() as id`.execute(
    transaction,
  );
  return rows.map(({ id }) => id);
}

/** Whether this server sends the scheduled notices of the tenant now. The others leave it alone for these seconds. */
export async function claimSchedule(
  { client, tenantId, now }: TenantTransaction,
  leaseSeconds: number,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'claim-notice-schedule',
    text: `insert into notice_schedules as s (tenant_id, lease_until) values ($1, $3)
           on conflict (tenant_id) do update set lease_until = excluded.lease_until where s.lease_until <= $2`,
    values: [tenantId, now, addSeconds(now, leaseSeconds)],
  });
  return rowCount === 1;
}

export type Duty = { userId: number; callGroupId: number; startsAt: Date };

/** Marks a duty as announced. False if it was already, by whichever server. */
export async function claimDuty(
  { client, tenantId }: TenantTransaction,
  { userId, callGroupId, startsAt }: Duty,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'claim-duty-notice',
    text: `insert into duty_notices (tenant_id, user_id, call_group_id, starts_at) values ($1, $2, $3, $4)
           on conflict do nothing`,
    values: [tenantId, userId, callGroupId, startsAt],
  });
  return rowCount === 1;
}

export async function saveDutyNotice(
  transaction: TenantTransaction,
  { userId, callGroupId, startsAt }: Duty,
  noticeId: number,
): Promise<void> {
  await transaction
    .updateTable('dutyNotices')
    .set({ noticeId })
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('callGroupId', '=', callGroupId)
    .where('startsAt', '=', startsAt)
    .execute();
}

/** Deletes shifts that began before then, and up to `limit` old notices without an escalation. Returns how many notices. */
export async function forgetNotices(
  { client, tenantId }: TenantTransaction,
  before: Date,
  limit: number,
): Promise<number> {
  await client.query({
    name: 'forget-duty-notices',
    text: 'delete from duty_notices where tenant_id = $1 and starts_at < $2',
    values: [tenantId, before],
  });
  const { rowCount } = await client.query({
    name: 'forget-notices',
    text: `with old as materialized (
             select n.id from notices n where n.tenant_id = $1 and n.sent_at < $2
               and not exists (select from escalations d where d.tenant_id = $1 and d.notice_id = n.id)
             order by n.sent_at limit $3 for update skip locked)
           delete from notices n using old where n.tenant_id = $1 and n.id = old.id`,
    values: [tenantId, before, limit],
  });
  return rowCount ?? 0;
}
