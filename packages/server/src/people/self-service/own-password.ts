import { invalid, ProblemError } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import { findPasswordHash } from '../../identity/sessions/account.store.ts';
import { countLoginFailure, refuseWhileDelayed } from '../../identity/sessions/login-failures.ts';
import { loginSubjects } from '../../identity/sessions/login-subjects.ts';
import { hashPassword, verifyPassword } from '../../identity/sessions/password.ts';
import { requireStrongPassword } from '../../identity/sessions/weak-password.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { readTenantSettings } from '../tenant.store.ts';
import { findUser } from '../user.store.ts';

export type PasswordChange = {
  readonly id: number;
  readonly currentPassword: string;
  readonly password: string;
  readonly address: string;
};

/**
 * The hash of a new password, if the current one is right. Wrong ones count and delay like failed log-ins, because whoever
 * finds a desk that is signed in could guess here.
 */
export async function hashOwnPassword(
  { database }: Pick<Runtime, 'database'>,
  { tenantId, userId, name, role }: Principal,
  { id, currentPassword, password, address }: PasswordChange,
): Promise<string> {
  if (userId !== id)
    throw new ProblemError(
      'not-allowed',
      `${name} (${role}) may change only their own password here; administrators set that of others with PUT /users/{id}`,
    );
  const subjects = loginSubjects(`password of user ${tenantId}/${id}`, address);
  await refuseWhileDelayed(database, subjects);
  const { hash, names } = await readTenant(database, tenantId, async (transaction) => {
    const user = await findUser(transaction, id, { stationIds: undefined, forUpdate: false });
    const { name: tenantName } = await readTenantSettings(transaction);
    const names = [user?.username ?? '', user?.name ?? '', tenantName];
    return { hash: await findPasswordHash(transaction, id), names };
  });
  if (!(await verifyPassword(currentPassword, hash))) {
    await countLoginFailure(database, subjects);
    throw invalid('/currentPassword', 'is not the current password');
  }
  requireStrongPassword(password, names);
  return hashPassword(password);
}
