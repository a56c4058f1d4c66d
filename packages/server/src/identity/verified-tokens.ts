import { hash } from 'node:crypto';
import { createRecentlyUsed } from '../recently-used.ts';

/** Tokens whose signature was found good, until they expire: to check one again costs fifty times as much. */
export type VerifiedTokens<Claims> = {
  recall(token: string, now: Date): Claims | undefined;
  keep(token: string, claims: Claims, validUntil: Date): void;
};

/** Holds a hash of each token, never the token, and forgets those that were not used for longest. */
export function createVerifiedTokens<Claims>(largest: number): VerifiedTokens<Claims> {
  const entries = createRecentlyUsed<string, { claims: Claims; validUntil: number }>(largest);

  return {
    recall(token, now) {
      const entry = entries.get(hash('sha256', token, 'base64'));
      return entry && now.getTime() < entry.validUntil ? entry.claims : undefined;
    },
    keep(token, claims, validUntil) {
      const key = hash('sha256', token, 'base64');
      entries.set(key, { claims, validUntil: validUntil.getTime() });
    },
  };
}
