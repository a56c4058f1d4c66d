import { hash } from 'node:crypto';
import { createRecentlyUsed } from '../../common/recently-used.ts';

/** A cache of verified tokens, until they expire. Verifying one again costs fifty times as much. */
export type VerifiedTokens<Claims> = {
  recall(token: string, now: Date): Claims | undefined;
  keep(token: string, claims: Claims, validUntil: Date): void;
};

/** Stores a hash of each token, never the token, and drops the least recently used ones. */
export function createVerifiedTokens<Claims>(maxEntries: number): VerifiedTokens<Claims> {
  const entries = createRecentlyUsed<string, { claims: Claims; validUntil: number }>(maxEntries);

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
