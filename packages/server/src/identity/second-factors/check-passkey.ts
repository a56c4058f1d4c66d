import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { SecretBox } from '../../common/secret-box.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { loadWebauthn } from './load-webauthn.ts';
import { lockPasskey, type PasskeyRow, recordPasskeyUse } from './passkey.store.ts';
import { challengeEnd } from './passkey-challenge.ts';
import type { RelyingParty } from './relying-party.ts';
import { useChallenge } from './used-challenge.store.ts';

export type PasskeyProof = {
  readonly userId: number;
  readonly proof: AuthenticationResponseJSON;
  readonly relyingParty: RelyingParty;
};

/**
 * Whether the proof is one of a passkey of the user, with the user verified by the device. Each challenge is accepted once,
 * and a counter that does not rise is refused, because the device may have been copied.
 */
export async function checkPasskey(
  transaction: TenantTransaction,
  box: SecretBox,
  { userId, proof, relyingParty }: PasskeyProof,
): Promise<boolean> {
  const passkey = await lockPasskey(transaction, { userId, credentialId: proof.id });
  if (!passkey) return false;
  const { now } = transaction;
  const answered = { challenge: '', expiresAt: now };
  const isOurs = (challenge: string) => {
    const expiresAt = challengeEnd(box, challenge, { purpose: 'prove', now });
    if (expiresAt) Object.assign(answered, { challenge, expiresAt });
    return expiresAt !== undefined;
  };
  const counter = await verifiedCounter(passkey, { proof, origin: relyingParty.origin, isOurs });
  if (counter === undefined || !(await useChallenge(transaction, answered))) return false;
  await recordPasskeyUse(transaction, { id: passkey.id, counter });
  return true;
}

/** The new count of the device; undefined if the proof is not valid. */
async function verifiedCounter(
  { credentialId: id, publicKey, counter, rpId }: PasskeyRow,
  asked: {
    proof: AuthenticationResponseJSON;
    origin: string;
    isOurs: (challenge: string) => boolean;
  },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadWebauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: asked.proof,
      expectedChallenge: asked.isOurs,
      expectedOrigin: asked.origin,
      expectedRPID: rpId,
      credential: { id, publicKey: Uint8Array.from(publicKey), counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for each fault of a proof, which comes from outside.
    return undefined;
  }
}
