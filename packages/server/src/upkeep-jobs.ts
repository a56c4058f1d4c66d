import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from './alarms/alarm-writer.ts';
import { expireMasks } from './alarms/expire-masks.ts';
import { forgetIdempotencyKeys } from './http/idempotency.store.ts';
import { deleteAllExpiredSessions } from './identity/expired-session.store.ts';
import { deleteForgottenLoginFailures } from './identity/login-delay.store.ts';
import { forgottenBefore } from './identity/login-delay.ts';
import { listTenantIds } from './people/tenant.store.ts';
import { makePartitions } from './postgres/partitions.ts';
import { refreshStatistics } from './postgres/statistics.ts';
import { inTenant, outsideTenants } from './postgres/tenant-transaction.ts';
import type { Runtime } from './runtime.ts';
import type { Job } from './upkeep.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;
const keptSeconds = 86_400;

/** What a server does by itself. Several servers may do it at once: each step is safe to repeat. */
export function upkeepJobs(runtime: Runtime, writer: AlarmWriter): Job[] {
  return [
    { name: 'end masks', everyMs: secondMs, run: () => expireMasks(runtime, writer) },
    { name: 'refresh statistics', everyMs: 5 * secondMs, run: () => refreshStatistics(runtime.database) },
    { name: 'make partitions', everyMs: hourMs, run: () => makePartitions(runtime.database) },
    { name: 'forget the expired', everyMs: hourMs, run: () => forgetExpired(runtime) },
  ];
}

async function forgetExpired({ database }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, async (transaction) => {
    await deleteForgottenLoginFailures(transaction, forgottenBefore(transaction.now));
    return listTenantIds(transaction);
  });
  for (const tenantId of tenantIds) {
    await inTenant(database, tenantId, async (transaction) => {
      await forgetIdempotencyKeys(transaction, addSeconds(transaction.now, -keptSeconds));
      await deleteAllExpiredSessions(transaction);
    });
  }
}
