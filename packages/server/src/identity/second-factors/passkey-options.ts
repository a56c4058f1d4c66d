import type { WebAuthnJson } from '@tocsin/contract';
import type { SecretBox } from '../../common/secret-box.ts';
import { loadWebauthn } from './load-webauthn.ts';
import type { PasskeyRow } from './passkey.store.ts';
import { userHandleOf } from './passkey-answer.ts';
import { challengeSeconds, newChallenge } from './passkey-challenge.ts';
import { passkeyAlgorithms, type RelyingParty } from './relying-party.ts';

const timeout = challengeSeconds * 1_000;

/** What the browser needs to prove a passkey: one of `passkeys`, or without them any that it has for this server. */
export async function proofOptions(
  box: SecretBox,
  { id: rpID }: RelyingParty,
  { passkeys, now }: { passkeys: readonly PasskeyRow[]; now: Date },
): Promise<WebAuthnJson> {
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: newChallenge(box, 'prove', now),
    allowCredentials: passkeys.map(credentialOf),
    userVerification: 'required',
    timeout,
  });
  return { ...options };
}

type NewOwner = {
  readonly tenantId: number;
  readonly userId: number;
  readonly username: string;
  readonly name: string;
  readonly passkeys: readonly PasskeyRow[];
};

/** What the browser needs to make a passkey that signs in without a user name. */
export async function creationOptions(
  box: SecretBox,
  { id: rpID }: RelyingParty,
  { owner, now }: { owner: NewOwner; now: Date },
): Promise<WebAuthnJson> {
  const { tenantId, userId, username, name, passkeys } = owner;
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Tocsin',
    rpID,
    userID: userHandleOf({ tenantId, userId }),
    userName: username,
    userDisplayName: name,
    challenge: newChallenge(box, `add to user ${tenantId}/${userId}`, now),
    excludeCredentials: passkeys.map(credentialOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: passkeyAlgorithms,
    attestationType: 'none',
    timeout,
  });
  return { ...options };
}

function credentialOf({ credentialId: id, transports }: PasskeyRow) {
  return { id, transports };
}
