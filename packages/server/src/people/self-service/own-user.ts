import { notFound, ProblemError } from '../../common/problem.ts';
import { type Principal, requireWholeTenant } from '../../http/principal.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { findUser, type UserRow } from '../user.store.ts';
import { requireRank } from '../user-rules.ts';

/** Reads and locks a user for a change. Refuses everybody but the user and those who may change them. */
export async function lockOwnUser(
  transaction: TenantTransaction,
  principal: Principal,
  { id, what }: { id: number; what: string },
): Promise<{ user: UserRow; isSelf: boolean }> {
  const isSelf = principal.userId === id;
  if (!isSelf && !principal.permissions.has('people:write')) {
    const { name, role } = principal;
    throw new ProblemError('not-allowed', `${name} (${role}) may set only their own ${what}`);
  }
  if (!isSelf) requireWholeTenant(principal);
  const user = await findUser(transaction, id, { stationIds: undefined, forUpdate: true });
  if (!user) throw notFound('user', id);
  if (!isSelf) requireRank(principal, user.role);
  return { user, isSelf };
}
