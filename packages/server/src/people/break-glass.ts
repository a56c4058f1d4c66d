import { invalid } from '../common/problem.ts';
import type { RequestContext } from '../http/collection.ts';
import { findPasswordHash } from '../identity/sessions/account.store.ts';
import type { UserRecord, UserRow } from './user.store.ts';
import { requireRank } from './user-rules.ts';

/**
 * A break-glass account works when everything else has failed: it has a password of its own and no outside identity, so
 * that no directory or issuer can change or lock it. Only administrators make one or end it.
 */
export async function requireBreakGlassRules(
  { transaction, principal }: RequestContext,
  after: UserRecord,
  before?: UserRow,
): Promise<void> {
  if (after.breakGlass || before?.breakGlass) requireRank(principal, 'admin');
  if (!after.breakGlass) return;
  const identities = after.identities ?? before?.identities ?? [];
  if (identities.length > 0)
    throw invalid('/identities', 'must be empty: nothing outside may change a break-glass account');
  const hash = after.passwordHash ?? (before && (await findPasswordHash(transaction, before.id)));
  if (!hash) throw invalid('/breakGlass', 'needs a password: give one in the same request');
}
