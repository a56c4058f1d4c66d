import { appendAudit } from '../../audit/audit.store.ts';
import type { AuditActor, AuditOrigin } from '../../audit/audit-entry.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { Account } from './account.store.ts';
import { insertSession } from './session.store.ts';
import { issueRefreshToken, type OpenSession, sessionExpiry } from './session-tokens.ts';

/** Where and how a user logs in. */
export type LoginClient = {
  /** Whether a browser keeps the refresh token in a cookie. */
  readonly inCookie: boolean;
  /** The program of the user, as it names itself. */
  readonly device: string;
  readonly origin: AuditOrigin;
};

export type SessionToOpen = LoginClient & {
  readonly account: Account;
  readonly sessionHours: number;
  /** Whether the log-in included a second factor, or an outside issuer is responsible for it. */
  readonly secondFactor: boolean;
  /** The issuer that authenticated the user, and the actor that it knows; by default the user with their password. */
  readonly outside?: { readonly issuer: string; readonly actor: AuditActor };
};

/** Opens a session of a user who has proved who they are. */
export async function openSession(
  transaction: TenantTransaction,
  { account, sessionHours, secondFactor, outside, inCookie, device, origin }: SessionToOpen,
): Promise<OpenSession> {
  const { now } = transaction;
  const { userId, name } = account;
  const id = crypto.randomUUID();
  const expiresAt = sessionExpiry(now, { now, hours: sessionHours });
  const { address } = origin;
  const issuer = outside?.issuer ?? '';
  await insertSession(transaction, { id, userId, expiresAt, device, address, secondFactor, issuer });
  const opened = await issueRefreshToken(transaction, {
    sessionId: id,
    account,
    expiresAt,
    inCookie,
    generation: 0,
  });
  const actor = outside?.actor ?? { kind: 'user' as const, id: String(userId), name };
  const act = { action: 'session.open', object: { kind: 'session', id } };
  const details = { ...(outside && { userId }), ...(account.breakGlass && { breakGlass: true }) };
  const after = Object.keys(details).length > 0 ? details : undefined;
  await appendAudit(transaction, [{ ...origin, ...act, actor, after }], now);
  return opened;
}
