import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** An object that names the user, such as `call group 3`: no foreign key protects most of these references. */
export async function findUseOfUser(transaction: TenantTransaction, id: number): Promise<string | undefined> {
  const { tenantId } = transaction;
  const call = JSON.stringify([{ type: 'CallUser', id }]);
  const calls = sql`(alarm_actions @> ${call}::jsonb or reset_actions @> ${call}::jsonb or ack_actions @> ${call}::jsonb)`;
  const { rows } = await sql<{ used: string }>`
    select 'call group ' || call_group_id as used from call_group_members
    where tenant_id = ${tenantId} and user_id = ${id}
    union all
    select 'call group ' || call_group_id from call_group_teams
    where tenant_id = ${tenantId} and ${id} = any(user_ids)
    union all
    select 'the roster of call group ' || call_group_id from roster_overrides
    where tenant_id = ${tenantId} and user_id = ${id} and ends_at > ${transaction.now}
    union all
    select 'scenario ' || id from scenarios where tenant_id = ${tenantId} and ${calls}
    union all
    select 'the alarm actions of tag ' || id from tags where tenant_id = ${tenantId} and ${calls}
    limit 1`.execute(transaction);
  return rows[0]?.used;
}

/** The number of other administrators of the tenant. */
export async function countOtherAdministrators(transaction: TenantTransaction, id: number): Promise<number> {
  const { others } = await transaction
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('others'))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '<>', id)
    .where('role', '=', 'admin')
    .where('enabled', '=', true)
    .where(sql<boolean>`cardinality(station_ids) = 0`)
    .executeTakeFirstOrThrow();
  return others;
}

/** Ends every session of the user but one, because their tokens no longer match the name, rights or password. */
export async function revokeSessions(
  transaction: TenantTransaction,
  { userId, reason, but }: { userId: number; reason: string; but?: string | undefined },
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ revokedAt: transaction.now, reason })
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .$if(but !== undefined, (query) => query.where('id', '!=', but ?? ''))
    .where('revokedAt', 'is', null)
    .execute();
  // A log-in with the former password must not be completed.
  await transaction
    .deleteFrom('logInSteps')
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .execute();
}

/** Ends the API keys that belong to the user. */
export async function revokeApiKeysOf(transaction: TenantTransaction, userId: number): Promise<void> {
  await transaction
    .updateTable('apiKeys')
    .set({ revokedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('ownerId', '=', userId)
    .where('revokedAt', 'is', null)
    .execute();
}
