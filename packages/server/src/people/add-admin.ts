import { appendAudit } from '../audit/audit.store.ts';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import { invalid } from '../common/problem.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readTenantSettings } from './tenant.store.ts';
import { insertUser } from './user.store.ts';
import { userRecord } from './user.wire.ts';

export type FirstAdmin = { username: string; password: string };

const shortestPassword = 12;

/** Adds the first administrator of a tenant, and returns their id. */
export async function addAdmin(
  transaction: TenantTransaction,
  { username, password }: FirstAdmin,
  origin: AuditOrigin,
): Promise<number> {
  if (username === '') throw invalid('/username', 'must not be empty');
  if (password.length < shortestPassword)
    throw invalid('/password', `must have at least ${shortestPassword} characters`);
  const { name: tenantName } = await readTenantSettings(transaction);
  const user = await userRecord(
    { username, password, role: 'admin' },
    { tenantName, confirmation: undefined },
  );
  const id = await insertUser(transaction, user);
  const act = { action: 'user.create', object: { kind: 'user', id: String(id) } };
  const after = { id, username, role: 'admin', secretsGiven: ['password'] };
  await appendAudit(transaction, [{ ...origin, ...act, after }], transaction.now);
  return id;
}
