import { timingSafeEqual } from 'node:crypto';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { addAdmin, type FirstAdmin } from './add-admin.ts';
import { firstTenantName } from './first-admin.ts';
import { openTenant } from './open-tenant.ts';
import { countSetUpFailure, deleteSetUpCodes, findSetUpCode } from './set-up-code.store.ts';
import { hasNoTenant } from './tenant.store.ts';
import { hashTypedCode } from './typed-code.ts';

export type SetUpOutcome = { kind: 'done'; userId: number } | { kind: 'too-late' } | { kind: 'wrong-code' };

const allowedFailures = 5;

/** Creates the first tenant and its administrator, if the one-time code is right. */
export function setUp(
  { database }: Pick<Runtime, 'database'>,
  { code, username, password }: FirstAdmin & { code: string },
  origin: AuditOrigin,
): Promise<SetUpOutcome> {
  return outsideTenants(database, async (outside) => {
    // Locks the code, so that concurrent tries are all counted.
    if (!(await hasNoTenant(outside))) return { kind: 'too-late' };
    const kept = await findSetUpCode(outside);
    // A code with too many failures is not compared any more, so that the count is that of the tries.
    if (!kept || kept.failures >= allowedFailures) return { kind: 'wrong-code' };
    if (!timingSafeEqual(kept.codeHash, hashTypedCode(code))) {
      await countSetUpFailure(outside);
      return { kind: 'wrong-code' };
    }
    await deleteSetUpCodes(outside);
    const transaction = await openTenant(outside, { name: firstTenantName }, origin);
    return { kind: 'done', userId: await addAdmin(transaction, { username, password }, origin) };
  });
}
