import { addSeconds } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { issueAccessToken } from './access-token.ts';
import type { Account } from './account.store.ts';
import { newRefreshToken } from './refresh-token.ts';
import { sha256 } from './secret.ts';
import { insertRefreshToken } from './session.store.ts';
import { currentSigningKey, type KeyKeeper } from './signing-keys.ts';

const sessionSeconds = 14 * 86_400;

/** A session as it stands after a log-in or a refresh. */
export type OpenSession = {
  tenantId: number;
  sessionId: string;
  account: Account;
  refreshToken: string;
  openedAt: Date;
};

/** What the one who entered gets: the only place where either token is in the clear. */
export type Entered = { accessToken: string; refreshToken: string; userId: number; name: string };

/** How long a session lives unless it is refreshed. */
export function sessionExpiry(now: Date): Date {
  return addSeconds(now, sessionSeconds);
}

export async function giveRefreshToken(
  transaction: TenantTransaction,
  { sessionId, account }: { sessionId: string; account: Account },
): Promise<OpenSession> {
  const { tenantId, now } = transaction;
  const refreshToken = newRefreshToken(tenantId);
  const expiresAt = sessionExpiry(now);
  await insertRefreshToken(transaction, { hash: sha256(refreshToken), sessionId, expiresAt });
  return { tenantId, sessionId, account, refreshToken, openedAt: now };
}

export async function giveAccessToken(
  keeper: KeyKeeper,
  { tenantId, sessionId, account, refreshToken, openedAt }: OpenSession,
): Promise<Entered> {
  const { userId, name } = account;
  const signingKey = await currentSigningKey(keeper);
  const accessToken = await issueAccessToken(signingKey, { tenantId, userId, sessionId }, openedAt);
  return { accessToken, refreshToken, userId, name };
}
