import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { type Account, accountColumns } from './account.store.ts';

export type Session = {
  id: string;
  openedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** The issuer that authenticated the user; empty after a log-in with a password. */
  issuer: string;
  account: Account;
  /** The name of the desk, if it is the session of a shared desk. */
  deskName: string | null;
  /** The session of the shared desk at which the user has signed in with a PIN or badge. */
  deskSessionId: string | null;
};

export type RefreshToken = {
  usedAt: Date | null;
  expiresAt: Date;
  inCookie: boolean;
  /** Refreshes since the log-in. */
  generation: number;
  session: Session;
};

const sessionColumns = [
  'sessions.id as sessionId',
  'sessions.createdAt as openedAt',
  'sessions.expiresAt as sessionExpiresAt',
  'sessions.revokedAt',
  'sessions.deskName',
  'sessions.deskSessionId',
  'sessions.issuer',
] as const;

const tokenColumns = [
  'refreshTokens.usedAt',
  'refreshTokens.expiresAt',
  'refreshTokens.inCookie',
  'refreshTokens.generation',
] as const;

const lacksSecondFactor = sql<boolean>`not sessions.second_factor
  and requires_second_factor(users.tenant_id, users.role)
  and not has_second_factor(users.tenant_id, users.id)`.as('lacksSecondFactor');

type SessionRow = Account & {
  sessionId: string;
  openedAt: Date;
  sessionExpiresAt: Date;
  revokedAt: Date | null;
  deskName: string | null;
  deskSessionId: string | null;
  issuer: string;
};

export type NewSession = {
  id: string;
  userId: number;
  expiresAt: Date;
  device: string;
  address: string;
  /** Whether the log-in included one, or an outside issuer is responsible for it. */
  secondFactor: boolean;
  /** The issuer that authenticated the user; by default the password did. */
  issuer?: string;
  /** The desk at which the user signs in with a PIN or badge. */
  deskSessionId?: string;
};

/** The log-in itself counts as a confirmation of the session. */
export async function insertSession(transaction: TenantTransaction, session: NewSession): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('sessions')
    .values({ tenantId, createdAt: now, confirmedAt: now, ...session })
    .execute();
}

/** A session, and whether its user has to set up a second factor before anything else. */
export async function findSession(
  transaction: TenantTransaction,
  id: string,
): Promise<(Session & { lacksSecondFactor: boolean }) | undefined> {
  const row = await transaction
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenantId', '=', 'sessions.tenantId').onRef('users.id', '=', 'sessions.userId'),
    )
    .select([...sessionColumns, ...accountColumns, lacksSecondFactor])
    .where('sessions.tenantId', '=', transaction.tenantId)
    .where('sessions.id', '=', id)
    .executeTakeFirst();
  return row && { ...sessionOf(row), lacksSecondFactor: row.lacksSecondFactor };
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
  token: { hash: Buffer; sessionId: string; expiresAt: Date; inCookie: boolean; generation: number },
): Promise<void> {
  await transaction
    .insertInto('refreshTokens')
    .values({ tenantId: transaction.tenantId, ...token })
    .execute();
}

/** Locks the token and its session until the transaction ends, so that concurrent uses are detected. */
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
    .select([...sessionColumns, ...accountColumns, ...tokenColumns])
    .where('refreshTokens.tenantId', '=', transaction.tenantId)
    .where('refreshTokens.hash', '=', hash)
    .forUpdate(['refreshTokens', 'sessions'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { usedAt, expiresAt, inCookie, generation } = row;
  return { usedAt, expiresAt, inCookie, generation, session: sessionOf(row) };
}

/** Marks the token of this generation, and those that other tabs got in its place. */
export async function markRefreshTokenUsed(
  transaction: TenantTransaction,
  { generation, session }: RefreshToken,
): Promise<void> {
  await transaction
    .updateTable('refreshTokens')
    .set({ usedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('sessionId', '=', session.id)
    .where('generation', '<=', generation)
    .where('usedAt', 'is', null)
    .execute();
}

/** Whether a token that followed this one was used. */
export async function isFollowedByUsedToken(
  transaction: TenantTransaction,
  { generation, session }: RefreshToken,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('refreshTokens')
    .select('hash')
    .where('tenantId', '=', transaction.tenantId)
    .where('sessionId', '=', session.id)
    .where('generation', '>', generation)
    .where('usedAt', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findSessionOfToken(
  transaction: TenantTransaction,
  hash: Buffer,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('refreshTokens')
    .select('sessionId')
    .where('tenantId', '=', transaction.tenantId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.sessionId;
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

function sessionOf({
  sessionId,
  openedAt,
  sessionExpiresAt,
  revokedAt,
  issuer,
  ...row
}: SessionRow): Session {
  const { userId, name, role, stationIds, enabled, breakGlass, deskName, deskSessionId } = row;
  return {
    id: sessionId,
    openedAt,
    expiresAt: sessionExpiresAt,
    revokedAt,
    issuer,
    account: { userId, name, role, stationIds, enabled, breakGlass },
    deskName,
    deskSessionId,
  };
}
