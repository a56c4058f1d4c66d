import type { DeskAnswer } from '@tocsin/contract';
import { issueAccessToken } from '../../identity/tokens/access-token.ts';
import { currentSigningKey, type KeyStore } from '../../identity/tokens/signing-keys.ts';
import type { SignedInAtDesk } from './switch-person.ts';

/** A shift. Whoever acts stays signed in without a new token, so it outlives `deskMinutes`; its session decides. */
const maxTokenSeconds = 12 * 3_600;

export async function issueDeskToken(
  keeper: KeyStore,
  tenantId: number,
  { person, sessionId, now, seconds, deskSeconds }: SignedInAtDesk,
): Promise<DeskAnswer> {
  const signingKey = await currentSigningKey(keeper);
  const claims = { tenantId, userId: person.id, sessionId };
  const period = { now, seconds: Math.min(maxTokenSeconds, deskSeconds) };
  return {
    access_token: await issueAccessToken(signingKey, claims, period),
    token_type: 'bearer',
    expires_in: seconds,
    id: String(person.id),
    name: person.name,
  };
}
