import type { UserIdentity } from '@tocsin/contract';
import { sql } from 'kysely';
import { ProblemError } from '../common/problem.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The identities of each user at outside issuers. */
export async function readIdentities(
  transaction: TenantTransaction,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, UserIdentity[]>> {
  const rows = await transaction
    .selectFrom('userIdentities')
    .select(['userId', 'issuer', 'subject'])
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
    .orderBy('issuer')
    .orderBy('subject')
    .execute();
  const identities = new Map<number, UserIdentity[]>();
  for (const { userId, ...identity } of rows) {
    const known = identities.get(userId);
    if (known) known.push(identity);
    else identities.set(userId, [identity]);
  }
  return identities;
}

/** Replaces the identities of the user at outside issuers. */
export async function saveIdentities(
  transaction: TenantTransaction,
  userId: number,
  identities: readonly UserIdentity[],
): Promise<void> {
  const { tenantId } = transaction;
  await transaction
    .deleteFrom('userIdentities')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute();
  for (const { issuer, subject } of identities) {
    const saved = await transaction
      .insertInto('userIdentities')
      .values({ tenantId, issuer, subject, userId })
      .onConflict((conflict) => conflict.columns(['tenantId', 'issuer', 'subject']).doNothing())
      .returning('userId')
      .executeTakeFirst();
    if (!saved) throw new ProblemError('conflict', `The subject ${subject} of ${issuer} is linked already`);
  }
}
