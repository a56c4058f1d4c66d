import { addSeconds } from '@tocsin/domain';
import { appendAudit } from '../../audit/audit.store.ts';
import { type AuditOrigin, systemActor } from '../../audit/audit-entry.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { readRefreshToken } from './refresh-token.ts';
import {
  deleteExpiredRefreshTokens,
  extendSession,
  isFollowedByUsedToken,
  lockRefreshToken,
  markRefreshTokenUsed,
  type RefreshToken,
  revokeSession,
} from './session.store.ts';
import {
  issueLoginTokens,
  issueRefreshToken,
  type LoginTokens,
  type OpenSession,
  sessionExpiry,
} from './session-tokens.ts';

type Refreshed = { kind: 'refreshed'; session: OpenSession } | { kind: 'refused' } | Reused;
type Reused = { kind: 'reused'; sessionId: string; userId: number };

export type RefreshAttempt = {
  refreshToken: string;
  /** Whether the browser sent it as a cookie. A token is accepted only the way it was given out. */
  inCookie: boolean;
  origin: AuditOrigin;
  sessionHours: number;
};

/**
 * How long a used token in a cookie is accepted again. All tabs of a browser send the same cookie, and one that was
 * answered while its connection broke has only the old one.
 */
const secondUseSeconds = 30;

/** Exchanges a refresh token for new tokens; undefined if it is invalid. A token that is used twice ends its session. */
export async function refreshSession(
  { database, log, box }: Runtime,
  { refreshToken, ...attempt }: RefreshAttempt,
): Promise<LoginTokens | undefined> {
  const read = readRefreshToken(refreshToken);
  if (!read) return undefined;
  const { tenantId, hash } = read;
  const outcome = await inTenant(database, tenantId, (transaction) =>
    refresh(transaction, { hash, ...attempt }),
  );
  if (outcome.kind === 'refreshed') return issueLoginTokens({ database, box }, outcome.session);
  if (outcome.kind === 'reused') {
    const { sessionId, userId } = outcome;
    log.warn({ tenantId, userId, sessionId }, 'refresh token used twice, session revoked');
  }
  return undefined;
}

async function refresh(
  transaction: TenantTransaction,
  { hash, inCookie, origin, sessionHours }: Omit<RefreshAttempt, 'refreshToken'> & { hash: Buffer },
): Promise<Refreshed> {
  const { now } = transaction;
  const token = await lockRefreshToken(transaction, hash);
  if (!token || token.inCookie !== inCookie) return { kind: 'refused' };
  const { id: sessionId, account } = token.session;
  const expiresAt = sessionExpiry(token.session.openedAt, { now, hours: sessionHours });
  if (!isOpen(token, now) || expiresAt <= now) return { kind: 'refused' };
  if (token.usedAt && !(await maySendAgain(transaction, token, token.usedAt))) {
    const reason = 'a refresh token was used twice';
    await revokeSession(transaction, sessionId, reason);
    const act = { action: 'session.revoke', object: { kind: 'session', id: sessionId } };
    await appendAudit(transaction, [{ ...origin, ...act, actor: systemActor, reason }], now);
    return { kind: 'reused', sessionId, userId: account.userId };
  }
  await markRefreshTokenUsed(transaction, token);
  await deleteExpiredRefreshTokens(transaction, sessionId);
  await extendSession(transaction, sessionId, expiresAt);
  const generation = token.generation + 1;
  const session = await issueRefreshToken(transaction, {
    sessionId,
    account,
    expiresAt,
    inCookie,
    generation,
  });
  return { kind: 'refreshed', session };
}

/**
 * Whether the second use of a token is that of another tab, or of one that did not get its answer. Once a token that
 * followed was used, the browser has a newer cookie, so only a thief can have this one.
 */
async function maySendAgain(
  transaction: TenantTransaction,
  token: RefreshToken,
  usedAt: Date,
): Promise<boolean> {
  if (!token.inCookie || addSeconds(usedAt, secondUseSeconds) < transaction.now) return false;
  return !(await isFollowedByUsedToken(transaction, token));
}

function isOpen({ expiresAt, session }: RefreshToken, now: Date): boolean {
  return !session.revokedAt && session.expiresAt > now && expiresAt > now && session.account.enabled;
}
