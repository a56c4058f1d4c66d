import { notFound, ProblemError } from '../../common/problem.ts';
import { type Principal, requireWholeTenant } from '../../http/principal.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { findUser, type UserRow } from '../user.store.ts';
import { requireRank } from '../user-rules.ts';

type Asked = {
  readonly id: number /** What the user has of their own, such as a PIN. */;
  readonly what: string;
};
type Found = { readonly user: UserRow; readonly isSelf: boolean };

/** Reads and locks a user for a change. Refuses everybody but the user and those who may change them. */
export function lockOwnUser(
  transaction: TenantTransaction,
  principal: Principal,
  asked: Asked,
): Promise<Found> {
  return findOwnUser(transaction, principal, { ...asked, forUpdate: true });
}

/** Reads a user. Refuses everybody but the user and those who may change them. */
export function requireOwnUser(
  transaction: TenantTransaction,
  principal: Principal,
  asked: Asked,
): Promise<Found> {
  return findOwnUser(transaction, principal, { ...asked, forUpdate: false });
}

async function findOwnUser(
  transaction: TenantTransaction,
  principal: Principal,
  { id, what, forUpdate }: Asked & { readonly forUpdate: boolean },
): Promise<Found> {
  const isSelf = principal.userId === id;
  if (!isSelf && !principal.permissions.has('people:write')) {
    const { name, role } = principal;
    throw new ProblemError(
      'not-allowed',
      `${name} (${role}) may ${forUpdate ? 'set' : 'see'} only their own ${what}`,
    );
  }
  if (!isSelf) requireWholeTenant(principal);
  const user = await findUser(transaction, id, { stationIds: undefined, forUpdate });
  if (!user) throw notFound('user', id);
  if (!isSelf) requireRank(principal, user.role);
  return { user, isSelf };
}
