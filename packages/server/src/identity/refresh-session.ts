import { appendAudit } from '../audit/audit.store.ts';
import { type AuditOrigin, systemActor } from '../audit/audit-entry.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { readRefreshToken } from './refresh-token.ts';
import {
  deleteExpiredRefreshTokens,
  extendSession,
  lockRefreshToken,
  type RefreshToken,
  revokeSession,
  useRefreshToken,
} from './session.store.ts';
import {
  type Entered,
  giveAccessToken,
  giveRefreshToken,
  type OpenSession,
  sessionExpiry,
} from './session-tokens.ts';

type Refreshed = { kind: 'refreshed'; session: OpenSession } | { kind: 'refused' } | Reused;
type Reused = { kind: 'reused'; sessionId: string; userId: number };

/** Trades a refresh token for new tokens; undefined when it is not good. A used one ends its session. */
export async function refreshSession(
  { database, log, box }: Runtime,
  { refreshToken, origin, sessionHours }: { refreshToken: string; origin: AuditOrigin; sessionHours: number },
): Promise<Entered | undefined> {
  const read = readRefreshToken(refreshToken);
  if (!read) return undefined;
  const { tenantId, hash } = read;
  const outcome = await inTenant(database, tenantId, (transaction) =>
    refresh(transaction, { hash, origin, sessionHours }),
  );
  if (outcome.kind === 'refreshed') return giveAccessToken({ database, box }, outcome.session);
  if (outcome.kind === 'reused') {
    const { sessionId, userId } = outcome;
    log.warn({ tenantId, userId, sessionId }, 'refresh token used twice, session revoked');
  }
  return undefined;
}

async function refresh(
  transaction: TenantTransaction,
  { hash, origin, sessionHours }: { hash: Buffer; origin: AuditOrigin; sessionHours: number },
): Promise<Refreshed> {
  const { now } = transaction;
  const token = await lockRefreshToken(transaction, hash);
  if (!token) return { kind: 'refused' };
  const { id: sessionId, account } = token.session;
  const expiresAt = sessionExpiry(token.session.openedAt, { now, hours: sessionHours });
  if (!isOpen(token, now) || expiresAt <= now) return { kind: 'refused' };
  if (token.usedAt) {
    const reason = 'a refresh token was used twice';
    await revokeSession(transaction, sessionId, reason);
    const act = { action: 'session.revoke', object: { kind: 'session', id: sessionId } };
    await appendAudit(transaction, [{ ...origin, ...act, actor: systemActor, reason }], now);
    return { kind: 'reused', sessionId, userId: account.userId };
  }
  await useRefreshToken(transaction, hash);
  await deleteExpiredRefreshTokens(transaction, sessionId);
  await extendSession(transaction, sessionId, expiresAt);
  const session = await giveRefreshToken(transaction, { sessionId, account, expiresAt });
  return { kind: 'refreshed', session };
}

function isOpen({ expiresAt, session }: RefreshToken, now: Date): boolean {
  return !session.revokedAt && session.expiresAt > now && expiresAt > now && session.account.enabled;
}
