import { hash } from 'node:crypto';
import { keepNewest } from '../keep-newest.ts';

/** Tokens whose signature was found good, until they expire: to check one again costs fifty times as much. */
export type VerifiedTokens<Claims> = {
  recall(token: string, now: Date): Claims | undefined;
  keep(token: string, claims: Claims, validUntil: Date): void;
};

/** Holds a hash of each token, never the token, and forgets the one that was not used for longest. */
export function createVerifiedTokens<Claims>(largest: number): VerifiedTokens<Claims> {
  const entries = new Map<string, { claims: Claims; validUntil: number }>();

  return {
    recall(token, now) {
      const key = hash('sha256', token, 'base64');
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (now.getTime() >= entry.validUntil) return undefined;
      entries.set(key, entry);
      return entry.claims;
    },
    keep(token, claims, validUntil) {
      const key = hash('sha256', token, 'base64');
      keepNewest(entries, [key, { claims, validUntil: validUntil.getTime() }], largest);
    },
  };
}
