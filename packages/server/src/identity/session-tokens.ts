import { addSeconds, epochSeconds } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { issueAccessToken } from './access-token.ts';
import type { Account } from './account.store.ts';
import { newRefreshToken } from './refresh-token.ts';
import { sha256 } from './secret.ts';
import { insertRefreshToken } from './session.store.ts';
import { accessTokenSeconds, currentSigningKey, type KeyKeeper } from './signing-keys.ts';

const idleSeconds = 14 * 86_400;

/** A session as it stands after a log-in or a refresh. */
export type OpenSession = {
  tenantId: number;
  sessionId: string;
  account: Account;
  refreshToken: string;
  givenAt: Date;
  expiresAt: Date;
};

/** What the one who entered gets: the only place where either token is in the clear. */
export type Entered = {
  accessToken: string;
  accessSeconds: number;
  refreshToken: string;
  userId: number;
  name: string;
};

/** A session ends when it was not refreshed for 14 days, and so many hours after its log-in in any case. */
export function sessionExpiry(openedAt: Date, { now, hours }: { now: Date; hours: number }): Date {
  const [idle, last] = [addSeconds(now, idleSeconds), addSeconds(openedAt, hours * 3_600)];
  return idle < last ? idle : last;
}

export async function giveRefreshToken(
  transaction: TenantTransaction,
  { sessionId, account, expiresAt }: { sessionId: string; account: Account; expiresAt: Date },
): Promise<OpenSession> {
  const { tenantId, now } = transaction;
  const refreshToken = newRefreshToken(tenantId);
  await insertRefreshToken(transaction, { hash: sha256(refreshToken), sessionId, expiresAt });
  return { tenantId, sessionId, account, refreshToken, givenAt: now, expiresAt };
}

export async function giveAccessToken(
  keeper: KeyKeeper,
  { tenantId, sessionId, account, refreshToken, givenAt, expiresAt }: OpenSession,
): Promise<Entered> {
  const { userId, name } = account;
  const signingKey = await currentSigningKey(keeper);
  const left = epochSeconds(expiresAt) - epochSeconds(givenAt);
  const period = { now: givenAt, seconds: Math.min(accessTokenSeconds, left) };
  const accessToken = await issueAccessToken(signingKey, { tenantId, userId, sessionId }, period);
  return { accessToken, accessSeconds: period.seconds, refreshToken, userId, name };
}
