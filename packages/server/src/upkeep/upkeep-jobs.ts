import { addSeconds, codeLimitSeconds } from '@tocsin/domain';
import { expireMasks } from '../alarms/expire-masks.ts';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import { deleteOldEntries } from '../audit/delete-old-entries.ts';
import { ProblemError } from '../common/problem.ts';
import { deleteOldCodes } from '../contacts/address-code.store.ts';
import { deleteOldCallEvents } from '../escalations/call-event.store.ts';
import { createConfigurationCache } from '../escalations/configuration-cache.ts';
import { deleteIdempotencyKeys } from '../http/idempotency.store.ts';
import { deleteOldApprovals } from '../identity/approvals/approval.store.ts';
import { deleteExpiredLogInSteps } from '../identity/second-factors/log-in-step.store.ts';
import { deleteExpiredChallenges } from '../identity/second-factors/used-challenge.store.ts';
import { deleteAllExpiredSessions } from '../identity/sessions/expired-session.store.ts';
import { deleteOldLoginFailures } from '../identity/sessions/login-delay.store.ts';
import { failuresExpireBefore, networksExpireBefore } from '../identity/sessions/login-delay.ts';
import { sendScheduledNotices } from '../notices/send-scheduled.ts';
import { signInSeconds } from '../outside/issuers/finish-sign-in.ts';
import { deleteOldSignIns } from '../outside/issuers/sign-in.store.ts';
import { deleteExpiredResets } from '../people/password-reset.store.ts';
import { listTenantIds } from '../people/tenant.store.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import { dropOldestMonth, makePartitions } from '../postgres/partitions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { refreshStatistics } from '../postgres/statistics.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { closeMonths } from './close-months.ts';
import { deleteOldCalls } from './delete-old-calls.ts';
import { deleteTemporaryTags } from './delete-temporary-tags.ts';
import { endBreakGlassAlarms } from './end-break-glass-alarms.ts';
import { raiseKeyExpiryAlarms } from './raise-key-expiry-alarms.ts';
import type { Job } from './upkeep.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const idempotencySeconds = 86_400;
const callEventSeconds = 3_600;
const approvalSeconds = 90 * 86_400;

/** The periodic jobs of a server. Several servers may run them at once: each step is safe to repeat. */
export function upkeepJobs(
  runtime: Runtime,
  writer: AlarmWriter,
  { retentionMonths, auditRetentionMonths }: { retentionMonths: number; auditRetentionMonths: number },
): Job[] {
  const { database } = runtime;
  const configuration = createConfigurationCache();
  const drop = () => dropOldMonths(runtime, retentionMonths);
  const deleteCalls = async () => void (await deleteOldCalls(runtime, retentionMonths));
  return [
    { name: 'end masks', everyMs: secondMs, run: () => expireMasks(runtime, writer) },
    {
      name: 'send scheduled notices',
      everyMs: 10 * secondMs,
      run: () => sendScheduledNotices(runtime, configuration),
    },
    { name: 'refresh statistics', everyMs: 5 * secondMs, run: () => refreshStatistics(database) },
    yielding({ name: 'make partitions', everyMs: hourMs, run: () => makePartitions(database) }, runtime),
    yielding({ name: 'drop old months', everyMs: hourMs, run: drop }, runtime),
    yielding({ name: 'close months', everyMs: hourMs, run: () => closeMonths(runtime) }, runtime),
    yielding({ name: 'delete old calls', everyMs: 10 * minuteMs, run: deleteCalls }, runtime),
    {
      name: 'delete temporary tags',
      everyMs: hourMs,
      run: () => deleteTemporaryTags(runtime, retentionMonths),
    },
    { name: 'end break-glass alarms', everyMs: minuteMs, run: () => endBreakGlassAlarms(runtime) },
    { name: 'raise key expiry alarms', everyMs: hourMs, run: () => raiseKeyExpiryAlarms(runtime) },
    {
      name: 'delete old audit entries',
      everyMs: hourMs,
      run: () => deleteAuditTrails(runtime, auditRetentionMonths),
    },
    { name: 'delete expired rows', everyMs: hourMs, run: () => deleteExpired(runtime) },
  ];
}

/** Drops month by month, from the oldest on; 0 keeps all months. */
async function dropOldMonths({ database, log }: Runtime, retentionMonths: number): Promise<void> {
  if (retentionMonths === 0) return;
  for (;;) {
    const month = await dropOldestMonth(database, retentionMonths);
    if (month === undefined) return;
    log.info({ month }, 'old month dropped');
  }
}

/** A job that often yields to other transactions: this is not an error, because the next run may succeed. */
function yielding({ name, everyMs, run }: Job, { log }: Runtime): Job {
  return {
    name,
    everyMs,
    run: () =>
      run().catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
        log.info({ err: error, job: name }, 'upkeep job yielded');
      }),
  };
}

async function deleteAuditTrails(runtime: Runtime, months: number): Promise<void> {
  if (months === 0) return;
  const { database, log } = runtime;
  const tenantIds = await outsideTenants(database, listTenantIds);
  await forEachTenant(tenantIds, { log, job: 'delete old audit entries' }, (tenantId) =>
    deleteOldEntries(runtime, tenantId, months),
  );
}

async function deleteExpired({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, async (transaction) => {
    await deleteOldLoginFailures(transaction, {
      failuresBefore: failuresExpireBefore(transaction.now),
      networksBefore: networksExpireBefore(transaction.now),
    });
    return listTenantIds(transaction);
  });
  await forEachTenant(tenantIds, { log, job: 'delete expired rows' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      await deleteIdempotencyKeys(transaction, addSeconds(transaction.now, -idempotencySeconds));
      await deleteAllExpiredSessions(transaction);
      await deleteExpiredResets(transaction);
      await deleteOldApprovals(transaction, addSeconds(transaction.now, -approvalSeconds));
      await deleteExpiredLogInSteps(transaction);
      await deleteExpiredChallenges(transaction);
      await deleteOldSignIns(transaction, addSeconds(transaction.now, -signInSeconds));
      await deleteOldCodes(transaction, addSeconds(transaction.now, -codeLimitSeconds));
      await deleteOldCallEvents(transaction, addSeconds(transaction.now, -callEventSeconds));
    }),
  );
}
