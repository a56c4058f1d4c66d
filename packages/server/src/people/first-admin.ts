import { systemOrigin } from '../audit/audit-entry.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { addAdmin } from './add-admin.ts';
import { openTenant } from './open-tenant.ts';
import { replaceSetUpCode } from './set-up-code.store.ts';
import { hashSetUpCode, newSetUpCode } from './set-up-code.ts';
import { hasNoTenant } from './tenant.store.ts';

/** What a server finds, or does, about its first administrator when it starts. */
export type FirstAdminOutcome =
  | { kind: 'exists' }
  | { kind: 'created'; username: string }
  | { kind: 'set-up-code'; code: string };

/** The name of the tenant that an installation begins with. */
export const firstTenantName = 'Tocsin';

/**
 * On an installation without any tenant: makes the first one with its administrator, or, when nobody is named,
 * a one-time code to make them with. Two processes that start together do it once.
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
    await replaceSetUpCode(outside, hashSetUpCode(code));
    return { kind: 'set-up-code', code };
  });
}
