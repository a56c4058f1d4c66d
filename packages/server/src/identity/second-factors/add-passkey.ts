import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { invalid, ProblemError } from '../../common/problem.ts';
import type { SecretBox } from '../../common/secret-box.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { loadWebauthn } from './load-webauthn.ts';
import { insertPasskey, type NewPasskey, type PasskeyRow } from './passkey.store.ts';
import { readCreation } from './passkey-answer.ts';
import { challengeEnd } from './passkey-challenge.ts';
import { passkeyAlgorithms, type RelyingParty } from './relying-party.ts';
import { useChallenge } from './used-challenge.store.ts';

export type PasskeyCreation = {
  readonly userId: number;
  readonly name: string;
  readonly response: unknown;
  readonly relyingParty: RelyingParty;
};

/** Stores a passkey that the device has made for the user on this server. */
export async function addPasskey(
  transaction: TenantTransaction,
  box: SecretBox,
  { userId, name, response, relyingParty }: PasskeyCreation,
): Promise<PasskeyRow> {
  const { tenantId, now } = transaction;
  const answered = { challenge: '', expiresAt: now };
  const isOurs = (challenge: string) => {
    const purpose = `add to user ${tenantId}/${userId}` as const;
    const expiresAt = challengeEnd(box, challenge, { purpose, now });
    if (expiresAt) Object.assign(answered, { challenge, expiresAt });
    return expiresAt !== undefined;
  };
  const creation = readCreation(response);
  const made = creation && (await verifiedPasskey(creation, { relyingParty, isOurs }));
  if (!made || !(await useChallenge(transaction, answered)))
    throw invalid('/response', 'is no answer to POST /users/{id}/passkeys/options of the last five minutes');
  const stored = await insertPasskey(transaction, { ...made, userId, name });
  if (!stored) throw new ProblemError('conflict', 'This passkey is stored already');
  return stored;
}

async function verifiedPasskey(
  response: RegistrationResponseJSON,
  { relyingParty, isOurs }: { relyingParty: RelyingParty; isOurs: (challenge: string) => boolean },
): Promise<Omit<NewPasskey, 'userId' | 'name'> | undefined> {
  const { verifyRegistrationResponse } = await loadWebauthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: isOurs,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      supportedAlgorithmIDs: passkeyAlgorithms,
      requireUserVerification: true,
    });
    if (!registrationInfo) return undefined;
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
    const key = Buffer.from(publicKey);
    return { credentialId, publicKey: key, counter, transports: [...transports], rpId: relyingParty.id };
  } catch {
    // The library throws for each fault of an answer, which comes from outside.
    return undefined;
  }
}
