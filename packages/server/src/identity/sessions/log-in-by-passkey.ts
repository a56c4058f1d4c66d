import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { checkPasskey } from '../second-factors/check-passkey.ts';
import { ownerOfProof, readProof } from '../second-factors/passkey-answer.ts';
import type { RelyingParty } from '../second-factors/relying-party.ts';
import { findAccount } from './account.store.ts';
import { type LoginClient, openSession } from './open-session.ts';
import { issueLoginTokens, type LoginTokens } from './session-tokens.ts';

export type PasskeyLogin = LoginClient & { readonly proof: string; readonly relyingParty: RelyingParty };

/**
 * Opens a session by a passkey alone: the device is one factor, and the finger or PIN with which it knows its user is the
 * other. Undefined if the proof is not valid.
 */
export async function logInByPasskey(
  { database, log, box }: Runtime,
  sessionHours: number,
  { proof: text, relyingParty, ...client }: PasskeyLogin,
): Promise<LoginTokens | undefined> {
  const proof = readProof(text);
  const owner = proof && ownerOfProof(proof);
  if (!proof || !owner) return undefined;
  const { tenantId, userId } = owner;
  const session = await inTenant(database, tenantId, async (transaction) => {
    const account = await findAccount(transaction, userId);
    if (account?.enabled !== true) return undefined;
    if (!(await checkPasskey(transaction, box, { userId, proof, relyingParty }))) return undefined;
    return openSession(transaction, { ...client, account, sessionHours, secondFactor: true });
  });
  if (!session) {
    log.info({ tenantId, userId, address: client.origin.address }, 'log-in refused');
    return undefined;
  }
  log.info({ tenantId, userId, sessionId: session.sessionId, by: 'passkey' }, 'logged in');
  return issueLoginTokens({ database, box }, session);
}
