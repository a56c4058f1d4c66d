import { systemOrigin } from '../audit/audit-entry.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { addAdmin } from './add-admin.ts';
import { openTenant } from './open-tenant.ts';
import { replaceSetUpCode } from './set-up-code.store.ts';
import { newSetUpCode } from './set-up-code.ts';
import { hasNoTenant } from './tenant.store.ts';
import { hashTypedCode } from './typed-code.ts';

/** The outcome of the check for a first administrator at start. */
export type FirstAdminOutcome =
  | { kind: 'exists' }
  | { kind: 'created'; username: string }
  | { kind: 'set-up-code'; code: string };

/** The name of the first tenant of an installation. */
export const firstTenantName = 'Tocsin';

/**
 * Creates the first tenant of an empty installation with its administrator, or, if none is configured, a one-time code
 * for the set-up. Two processes that start together do it once.
 */
export function ensureFirstAdmin(
  { database }: Pick<Runtime, 'database'>,
  { username, password }: { username?: string | undefined; password?: string | undefined },
): Promise<FirstAdminOutcome> {
  return outsideTenants(database, async (outside) => {
    if (!(await hasNoTenant(outside))) return { kind: 'exists' };
    if (username !== undefined && password !== undefined) {
      const transaction = await openTenant(outside, { name: firstTenantName }, systemOrigin);
      await addAdmin(transaction, { username, password }, systemOrigin);
      return { kind: 'created', username };
    }
    const code = newSetUpCode();
    await replaceSetUpCode(outside, hashTypedCode(code));
    return { kind: 'set-up-code', code };
  });
}
