import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The `issuer` in the identities of users who are linked to an entry of the tenant's directory. */
export const directoryIssuer = 'ldap:directory';

/** The user of a refresh token, if the directory checks their password. */
export type DirectoryUser = { userId: number; subject: string; username: string; checkedAt: Date | null };

export function findDirectoryUser(
  transaction: TenantTransaction,
  refreshTokenHash: Buffer,
): Promise<DirectoryUser | undefined> {
  return transaction
    .selectFrom('refreshTokens as t')
    .innerJoin('sessions as s', (join) =>
      join.onRef('s.tenantId', '=', 't.tenantId').onRef('s.id', '=', 't.sessionId'),
    )
    .innerJoin('users as u', (join) =>
      join.onRef('u.tenantId', '=', 's.tenantId').onRef('u.id', '=', 's.userId'),
    )
    .innerJoin('userIdentities as i', (join) =>
      join
        .onRef('i.tenantId', '=', 's.tenantId')
        .onRef('i.userId', '=', 's.userId')
        .on('i.issuer', '=', directoryIssuer),
    )
    .leftJoin('directoryChecks as c', (join) =>
      join.onRef('c.tenantId', '=', 's.tenantId').onRef('c.userId', '=', 's.userId'),
    )
    .select(['s.userId', 'i.subject', 'u.username', 'c.checkedAt'])
    .where('t.tenantId', '=', transaction.tenantId)
    .where('t.hash', '=', refreshTokenHash)
    .where('s.issuer', '=', '')
    .where('s.revokedAt', 'is', null)
    .where('u.passwordHash', 'is', null)
    .executeTakeFirst();
}

export async function saveDirectoryCheck(transaction: TenantTransaction, userId: number): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('directoryChecks')
    .values({ tenantId, userId, checkedAt: now })
    .onConflict((conflict) => conflict.columns(['tenantId', 'userId']).doUpdateSet({ checkedAt: now }))
    .execute();
}
