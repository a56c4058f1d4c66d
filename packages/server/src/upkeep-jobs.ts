import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from './alarms/alarm-writer.ts';
import { expireMasks } from './alarms/expire-masks.ts';
import { forgetOldEntries } from './audit/forget-old-entries.ts';
import { forgetTidings } from './duties/tiding.store.ts';
import { forgetPastCalls } from './forget-past-calls.ts';
import { forgetTemporaryTags } from './forget-temporary-tags.ts';
import { forgetIdempotencyKeys } from './http/idempotency.store.ts';
import { deleteAllExpiredSessions } from './identity/expired-session.store.ts';
import { deleteForgottenLoginFailures } from './identity/login-delay.store.ts';
import { forgottenBefore, strangeBefore } from './identity/login-delay.ts';
import { listTenantIds } from './people/tenant.store.ts';
import { forEachTenant } from './postgres/each-tenant.ts';
import { dropOldestMonth, makePartitions } from './postgres/partitions.ts';
import { refreshStatistics } from './postgres/statistics.ts';
import { inTenant, outsideTenants } from './postgres/tenant-transaction.ts';
import { ProblemError } from './problem.ts';
import type { Runtime } from './runtime.ts';
import type { Job } from './upkeep.ts';
import { warnOfEndingKeys } from './warn-of-ending-keys.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const keptSeconds = 86_400;
const tidingSeconds = 3_600;

/** What a server does by itself. Several servers may do it at once: each step is safe to repeat. */
export function upkeepJobs(
  runtime: Runtime,
  writer: AlarmWriter,
  { retentionMonths, auditRetentionMonths }: { retentionMonths: number; auditRetentionMonths: number },
): Job[] {
  const { database } = runtime;
  const drop = () => dropOldMonths(runtime, retentionMonths);
  const forget = async () => void (await forgetPastCalls(runtime, retentionMonths));
  return [
    { name: 'end masks', everyMs: secondMs, run: () => expireMasks(runtime, writer) },
    { name: 'refresh statistics', everyMs: 5 * secondMs, run: () => refreshStatistics(database) },
    givingWay({ name: 'make partitions', everyMs: hourMs, run: () => makePartitions(database) }, runtime),
    givingWay({ name: 'drop old months', everyMs: hourMs, run: drop }, runtime),
    givingWay({ name: 'forget past calls', everyMs: 10 * minuteMs, run: forget }, runtime),
    {
      name: 'forget temporary tags',
      everyMs: hourMs,
      run: () => forgetTemporaryTags(runtime, retentionMonths),
    },
    { name: 'warn of ending keys', everyMs: hourMs, run: () => warnOfEndingKeys(runtime) },
    {
      name: 'forget old audit entries',
      everyMs: hourMs,
      run: () => forgetAuditEntries(runtime, auditRetentionMonths),
    },
    { name: 'forget the expired', everyMs: hourMs, run: () => forgetExpired(runtime) },
  ];
}

/** Month by month, from the oldest on; 0 keeps them all. */
async function dropOldMonths({ database, log }: Runtime, retentionMonths: number): Promise<void> {
  if (retentionMonths === 0) return;
  for (;;) {
    const month = await dropOldestMonth(database, retentionMonths);
    if (month === undefined) return;
    log.info({ month }, 'old month dropped');
  }
}

/** Work that gives way to others does so often: what matters is that it is done one day. */
function givingWay({ name, everyMs, run }: Job, { log }: Runtime): Job {
  return {
    name,
    everyMs,
    run: () =>
      run().catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
        log.info({ err: error, job: name }, 'upkeep job gave way');
      }),
  };
}

async function forgetAuditEntries(runtime: Runtime, months: number): Promise<void> {
  if (months === 0) return;
  const { database, log } = runtime;
  const tenantIds = await outsideTenants(database, listTenantIds);
  await forEachTenant(tenantIds, { log, job: 'forget old audit entries' }, (tenantId) =>
    forgetOldEntries(runtime, tenantId, months),
  );
}

async function forgetExpired({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, async (transaction) => {
    await deleteForgottenLoginFailures(transaction, {
      failuresBefore: forgottenBefore(transaction.now),
      homesBefore: strangeBefore(transaction.now),
    });
    return listTenantIds(transaction);
  });
  await forEachTenant(tenantIds, { log, job: 'forget the expired' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      await forgetIdempotencyKeys(transaction, addSeconds(transaction.now, -keptSeconds));
      await deleteAllExpiredSessions(transaction);
      await forgetTidings(transaction, addSeconds(transaction.now, -tidingSeconds));
    }),
  );
}
