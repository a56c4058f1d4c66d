import { addSeconds, epochSeconds } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { issueAccessToken } from '../tokens/access-token.ts';
import { sha256 } from '../tokens/secret.ts';
import { accessTokenSeconds, currentSigningKey, type KeyStore } from '../tokens/signing-keys.ts';
import type { Account } from './account.store.ts';
import { newRefreshToken } from './refresh-token.ts';
import { insertRefreshToken } from './session.store.ts';

const idleSeconds = 14 * 86_400;

/** A session after a log-in or a refresh. */
export type OpenSession = {
  tenantId: number;
  sessionId: string;
  account: Account;
  refreshToken: string;
  issuedAt: Date;
  expiresAt: Date;
};

/** The tokens for the client; the only place that holds them in plain text. */
export type LoginTokens = {
  accessToken: string;
  accessSeconds: number;
  refreshToken: string;
  refreshSeconds: number;
  userId: number;
  name: string;
};

/** A session ends after 14 days without a refresh, and `hours` after its log-in in any case. */
export function sessionExpiry(openedAt: Date, { now, hours }: { now: Date; hours: number }): Date {
  const idle = addSeconds(now, idleSeconds);
  const latest = addSeconds(openedAt, hours * 3_600);
  return idle < latest ? idle : latest;
}

export type NewRefreshToken = {
  sessionId: string;
  account: Account;
  expiresAt: Date;
  inCookie: boolean;
  generation: number;
};

export async function issueRefreshToken(
  transaction: TenantTransaction,
  { sessionId, account, expiresAt, inCookie, generation }: NewRefreshToken,
): Promise<OpenSession> {
  const { tenantId, now } = transaction;
  const refreshToken = newRefreshToken(tenantId);
  const hash = sha256(refreshToken);
  await insertRefreshToken(transaction, { hash, sessionId, expiresAt, inCookie, generation });
  return { tenantId, sessionId, account, refreshToken, issuedAt: now, expiresAt };
}

export async function issueLoginTokens(
  keeper: KeyStore,
  { tenantId, sessionId, account, refreshToken, issuedAt, expiresAt }: OpenSession,
): Promise<LoginTokens> {
  const { userId, name } = account;
  const signingKey = await currentSigningKey(keeper);
  const secondsLeft = epochSeconds(expiresAt) - epochSeconds(issuedAt);
  const period = { now: issuedAt, seconds: Math.min(accessTokenSeconds, secondsLeft) };
  const accessToken = await issueAccessToken(signingKey, { tenantId, userId, sessionId }, period);
  return {
    accessToken,
    accessSeconds: period.seconds,
    refreshToken,
    refreshSeconds: secondsLeft,
    userId,
    name,
  };
}
