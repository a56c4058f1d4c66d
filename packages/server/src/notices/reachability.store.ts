import type { Medium } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { NoticeMedium } from './notice.store.ts';

/** The last test of an address. */
export type TestedMedium = { userId: number; medium: string; address: string; escalationId: number };

/** Of the given users, or of all. */
export async function listTested(
  transaction: TenantTransaction,
  userIds?: readonly number[],
): Promise<TestedMedium[]> {
  if (userIds?.length === 0) return [];
  let query = transaction
    .selectFrom('reachability')
    .select(['userId', 'medium', 'address', 'escalationId'])
    .where('tenantId', '=', transaction.tenantId);
  if (userIds) query = query.where('userId', 'in', userIds);
  return query.execute();
}

/** Keeps the test of each address, and forgets those of addresses that the person has no more. */
export async function saveTested(
  transaction: TenantTransaction,
  userId: number,
  media: readonly NoticeMedium[],
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .deleteFrom('reachability')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute();
  const rows = media.map(({ kind: medium, address, escalationId }) => ({
    tenantId,
    userId,
    medium,
    address,
    escalationId,
    testedAt: now,
  }));
  await transaction.insertInto('reachability').values(rows).execute();
}

/** The users with a test under way. */
export async function listTesting({ client, tenantId }: TenantTransaction): Promise<Set<number>> {
  const { rows } = await client.query<{ user_id: number }>({
    name: 'list-testing',
    text: `select distinct n.user_id from escalations d join notices n on n.tenant_id = $1 and n.id = d.notice_id
           where d.tenant_id = $1 and d.closed_at is null and d.notice_id is not null and n.kind = 'test'`,
    values: [tenantId],
  });
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Locks a user until the transaction ends, so that two requests do not both begin a test. */
export async function lockUser(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
}

/** By user, when they were last tested. */
export async function readLastTests({ client, tenantId }: TenantTransaction): Promise<Map<number, Date>> {
  const { rows } = await client.query<{ user_id: number; sent_at: Date }>({
    name: 'read-last-tests',
    text: `select user_id, max(sent_at) as sent_at from notices where tenant_id = $1 and kind = 'test' group by user_id`,
    values: [tenantId],
  });
  return new Map(rows.map(({ user_id, sent_at }) => [user_id, sent_at]));
}

export function isSameMedium(one: Medium, { medium, address }: TestedMedium): boolean {
  return one.kind === medium && one.address === address;
}
