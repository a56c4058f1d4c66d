import { randomBytes } from 'node:crypto';
import { addSeconds } from '@tocsin/domain';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { SecretBox } from '../../common/secret-box.ts';

/** What an authenticator signs a challenge for: to add a passkey to a user, or to prove that somebody has one. */
export type ChallengePurpose = 'prove' | `add to user ${number}/${number}`;

export const challengeSeconds = 300;

const place = 'challenge for a passkey';
const Content = Type.Object({ purpose: Type.String(), until: Type.Number() });

/**
 * A challenge that every server of the installation recognizes as its own. It is sealed, so nothing is stored until it was
 * answered: anybody may ask for one, and must not be able to fill a table.
 */
export function newChallenge(box: SecretBox, purpose: ChallengePurpose, now: Date): Uint8Array<ArrayBuffer> {
  const until = addSeconds(now, challengeSeconds).getTime();
  const nonce = randomBytes(16).toString('base64url');
  return Uint8Array.from(box.seal(JSON.stringify({ purpose, until, nonce }), place));
}

/** When the challenge ends; undefined if it is not ours, has ended, or was made for something else. */
export function challengeEnd(
  box: SecretBox,
  challenge: string,
  { purpose, now }: { purpose: ChallengePurpose; now: Date },
): Date | undefined {
  const text = box.open(Buffer.from(challenge, 'base64url'), place);
  if (text === undefined) return undefined;
  const content: unknown = JSON.parse(text);
  if (!Check(Content, content) || content.purpose !== purpose || content.until <= now.getTime())
    return undefined;
  return new Date(content.until);
}
