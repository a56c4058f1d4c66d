import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { invalid } from '../problem.ts';
import { insertUser } from './user.store.ts';
import { userRecord } from './user.wire.ts';

export type FirstAdmin = { username: string; password: string };

const shortestPassword = 12;

/** Adds the administrator a tenant begins with, and answers his id. */
export async function addAdmin(
  transaction: TenantTransaction,
  { username, password }: FirstAdmin,
): Promise<number> {
  if (username === '') throw invalid('/username', 'must not be empty');
  if (password.length < shortestPassword)
    throw invalid('/password', `must have at least ${shortestPassword} characters`);
  return insertUser(transaction, await userRecord({ username, password, role: 'admin' }));
}
