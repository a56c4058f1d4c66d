import { ProblemError } from '../common/problem.ts';
import type { Principal } from '../http/principal.ts';

/** The user of the token. An API key has no desk, so it has no views and no settings. */
export function ownUserId({ userId, name }: Principal): number {
  if (userId !== undefined) return userId;
  throw new ProblemError('not-allowed', `${name} is an API key: only users have views and settings`);
}
