import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type OpenSessionRow = {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  /** When a token was last renewed; null before the first time. */
  lastUsedAt: Date | null;
  device: string;
  address: string;
};

/** The sessions of a user that go on, the latest log-in first. */
export async function listOpenSessions(
  transaction: TenantTransaction,
  userId: number,
): Promise<OpenSessionRow[]> {
  const { tenantId, now } = transaction;
  return transaction
    .selectFrom('sessions')
    .leftJoin('refreshTokens', (join) =>
      join
        .onRef('refreshTokens.tenantId', '=', 'sessions.tenantId')
        .onRef('refreshTokens.sessionId', '=', 'sessions.id'),
    )
    .select(({ fn }) => [
      'sessions.id',
      'sessions.createdAt',
      'sessions.expiresAt',
      'sessions.device',
      'sessions.address',
      fn.max('refreshTokens.usedAt').as('lastUsedAt'),
    ])
    .where('sessions.tenantId', '=', tenantId)
    .where('sessions.userId', '=', userId)
    .where('sessions.revokedAt', 'is', null)
    .where('sessions.expiresAt', '>', now)
    .groupBy([
      'sessions.id',
      'sessions.createdAt',
      'sessions.expiresAt',
      'sessions.device',
      'sessions.address',
    ])
    .orderBy('sessions.createdAt', 'desc')
    .orderBy('sessions.id')
    .execute();
}

/** Ends a session; false if the user has no such one that goes on. */
export async function endSessionOf(
  transaction: TenantTransaction,
  { userId, sessionId, reason }: { userId: number; sessionId: string; reason: string },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('sessions')
    .set({ revokedAt: transaction.now, reason })
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', transaction.now)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}
