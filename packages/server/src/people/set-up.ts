import { timingSafeEqual } from 'node:crypto';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { addAdmin, type FirstAdmin } from './add-admin.ts';
import { firstTenantName } from './first-admin.ts';
import { openTenant } from './open-tenant.ts';
import { countSetUpFailure, deleteSetUpCodes, findSetUpCode } from './set-up-code.store.ts';
import { hashSetUpCode } from './set-up-code.ts';
import { hasNoTenant } from './tenant.store.ts';

export type SetUpOutcome = { kind: 'done'; userId: number } | { kind: 'too-late' } | { kind: 'wrong-code' };

const allowedFailures = 5;

/** Makes the first tenant and its administrator for whoever knows the one-time code. */
export function setUp(
  { database }: Pick<Runtime, 'database'>,
  { code, username, password }: FirstAdmin & { code: string },
  origin: AuditOrigin,
): Promise<SetUpOutcome> {
  return outsideTenants(database, async (outside) => {
    // Also the lock that lets one try after the other in: none is missed in the count.
    if (!(await hasNoTenant(outside))) return { kind: 'too-late' };
    const kept = await findSetUpCode(outside);
    // A burnt code is not compared with anything, so that what is counted is what was tried.
    if (!kept || kept.failures >= allowedFailures) return { kind: 'wrong-code' };
    if (!timingSafeEqual(kept.codeHash, hashSetUpCode(code))) {
      await countSetUpFailure(outside);
      return { kind: 'wrong-code' };
    }
    await deleteSetUpCodes(outside);
    const transaction = await openTenant(outside, { name: firstTenantName }, origin);
    return { kind: 'done', userId: await addAdmin(transaction, { username, password }, origin) };
  });
}
