import type { SecondFactors } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { ProblemError } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import { listPasskeys } from '../../identity/second-factors/passkey.store.ts';
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  replaceRecoveryCodes,
} from '../../identity/second-factors/recovery-code.store.ts';
import { secondFactorMethods } from '../../identity/second-factors/second-factor-methods.store.ts';
import { totpSince } from '../../identity/second-factors/totp.store.ts';
import { readSecuritySettings } from '../../identity/security-settings/security-settings.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { lockOwnUser, requireOwnUser } from '../self-service/own-user.ts';
import type { UserRow } from '../user.store.ts';
import { passkeyToWire } from './passkey.wire.ts';

/** Locks the user for a change of their second factors. Nobody else may make it, not even an administrator. */
export async function lockSelf(
  transaction: TenantTransaction,
  principal: Principal,
  id: number,
): Promise<UserRow> {
  requireSelf(principal, id);
  return (await lockOwnUser(transaction, principal, { id, what: 'second factors' })).user;
}

/** Reads the user for a change of their second factors. */
export async function readSelf(
  transaction: TenantTransaction,
  principal: Principal,
  id: number,
): Promise<UserRow> {
  requireSelf(principal, id);
  return (await requireOwnUser(transaction, principal, { id, what: 'second factors' })).user;
}

function requireSelf({ userId, name, role }: Principal, id: number): void {
  if (userId === id) return;
  throw new ProblemError(
    'not-allowed',
    `${name} (${role}) may change only their own second factors; administrators remove those of others with DELETE /users/{id}/second-factors`,
  );
}

export async function readSecondFactors(
  transaction: TenantTransaction,
  { id, role }: Pick<UserRow, 'id' | 'role'>,
): Promise<SecondFactors> {
  const since = await totpSince(transaction, id);
  const passkeys = await listPasskeys(transaction, id);
  const { settings } = await readSecuritySettings(transaction);
  return {
    ...(since && { totp: { since: formatUtc(since) } }),
    passkeys: passkeys.map(passkeyToWire),
    recoveryCodesLeft: await countRecoveryCodes(transaction, id),
    required: settings.secondFactorRoles.includes(role),
  };
}

/** New recovery codes for a user without any, so that a lost device does not lock them out; empty if they have some. */
export async function firstRecoveryCodes(transaction: TenantTransaction, userId: number): Promise<string[]> {
  const left = await countRecoveryCodes(transaction, userId);
  return left > 0 ? [] : replaceRecoveryCodes(transaction, userId);
}

/** After the removal of a factor: refuses it if the role needs one, and drops codes that no longer recover anything. */
export async function afterRemoval(
  transaction: TenantTransaction,
  { id, role }: Pick<UserRow, 'id' | 'role'>,
): Promise<void> {
  if ((await secondFactorMethods(transaction, id)).length > 0) return;
  const { settings } = await readSecuritySettings(transaction);
  if (settings.secondFactorRoles.includes(role))
    throw new ProblemError('conflict', `The role ${role} needs a second factor: set up another one first`);
  await deleteRecoveryCodes(transaction, id);
}
