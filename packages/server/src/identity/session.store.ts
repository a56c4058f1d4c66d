import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type Account, accountColumns } from './account.store.ts';

export type Session = {
  id: string;
  openedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  account: Account;
};

export type RefreshToken = { usedAt: Date | null; expiresAt: Date; session: Session };

const sessionColumns = [
  'sessions.id as sessionId',
  'sessions.createdAt as openedAt',
  'sessions.expiresAt as sessionExpiresAt',
  'sessions.revokedAt',
] as const;

type SessionRow = Account & {
  sessionId: string;
  openedAt: Date;
  sessionExpiresAt: Date;
  revokedAt: Date | null;
};

export async function insertSession(
  transaction: TenantTransaction,
  { id, userId, expiresAt }: { id: string; userId: number; expiresAt: Date },
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('sessions')
    .values({ tenantId, id, userId, createdAt: now, expiresAt })
    .execute();
}

/** The session with its user as both are now. */
export async function findSession(transaction: TenantTransaction, id: string): Promise<Session | undefined> {
  const row = await transaction
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenantId', '=', 'sessions.tenantId').onRef('users.id', '=', 'sessions.userId'),
    )
    .select([...sessionColumns, ...accountColumns])
    .where('sessions.tenantId', '=', transaction.tenantId)
    .where('sessions.id', '=', id)
    .executeTakeFirst();
  return row && sessionOf(row);
}

export async function extendSession(
  transaction: TenantTransaction,
  id: string,
  expiresAt: Date,
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ expiresAt })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function revokeSession(
  transaction: TenantTransaction,
  id: string,
  reason: string,
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ revokedAt: transaction.now, reason })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .execute();
}

export async function insertRefreshToken(
  transaction: TenantTransaction,
  { hash, sessionId, expiresAt }: { hash: Buffer; sessionId: string; expiresAt: Date },
): Promise<void> {
  await transaction
    .insertInto('refreshTokens')
    .values({ tenantId: transaction.tenantId, hash, sessionId, expiresAt })
    .execute();
}

/** Locked with its session until the transaction ends: of two who present it at once, one comes second. */
export async function lockRefreshToken(
  transaction: TenantTransaction,
  hash: Buffer,
): Promise<RefreshToken | undefined> {
  const row = await transaction
    .selectFrom('refreshTokens')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.tenantId', '=', 'refreshTokens.tenantId')
        .onRef('sessions.id', '=', 'refreshTokens.sessionId'),
    )
    .innerJoin('users', (join) =>
      join.onRef('users.tenantId', '=', 'sessions.tenantId').onRef('users.id', '=', 'sessions.userId'),
    )
    .select([...sessionColumns, ...accountColumns, 'refreshTokens.usedAt', 'refreshTokens.expiresAt'])
    .where('refreshTokens.tenantId', '=', transaction.tenantId)
    .where('refreshTokens.hash', '=', hash)
    .forUpdate(['refreshTokens', 'sessions'])
    .executeTakeFirst();
  return row && { usedAt: row.usedAt, expiresAt: row.expiresAt, session: sessionOf(row) };
}

export async function useRefreshToken(transaction: TenantTransaction, hash: Buffer): Promise<void> {
  await transaction
    .updateTable('refreshTokens')
    .set({ usedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('hash', '=', hash)
    .execute();
}

export async function deleteExpiredRefreshTokens(
  transaction: TenantTransaction,
  sessionId: string,
): Promise<void> {
  await transaction
    .deleteFrom('refreshTokens')
    .where('tenantId', '=', transaction.tenantId)
    .where('sessionId', '=', sessionId)
    .where('expiresAt', '<=', transaction.now)
    .execute();
}

function sessionOf({ sessionId, openedAt, sessionExpiresAt, revokedAt, ...account }: SessionRow): Session {
  const { userId, name, role, stationIds, enabled } = account;
  return {
    id: sessionId,
    openedAt,
    expiresAt: sessionExpiresAt,
    revokedAt,
    account: { userId, name, role, stationIds, enabled },
  };
}
