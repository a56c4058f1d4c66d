import { addSeconds, codeLimitSeconds } from '@tocsin/domain';
import { expireMasks } from '../alarms/expire-masks.ts';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import { deleteOldEntries, monthsBefore } from '../audit/delete-old-entries.ts';
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
import { forEachTenant } from '../postgres/each-tenant.ts';
import { makePartitions } from '../postgres/partitions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { refreshStatistics } from '../postgres/statistics.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { closeMonths } from './close-months.ts';
import { deleteOldCalls } from './delete-old-calls.ts';
import { deleteTemporaryTags } from './delete-temporary-tags.ts';
import { dropOldMonths } from './drop-old-months.ts';
import { endBreakGlassAlarms } from './end-break-glass-alarms.ts';
import { forgetRestingAlarms } from './forget-resting-alarms.ts';
import { oneServerAtATime } from './one-server-at-a-time.ts';
import { raiseKeyExpiryAlarms } from './raise-key-expiry-alarms.ts';
import {
  type RowAges,
  tenantsWithExpiredRows,
  tenantsWithOldAuditEntries,
} from './tenants-with-work.store.ts';
import type { Job } from './upkeep.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const idempotencySeconds = 86_400;
const callEventSeconds = 3_600;
const approvalSeconds = 90 * 86_400;

type Retention = { retentionMonths: number; auditRetentionMonths: number };

/** The periodic jobs of a server. Several servers may run them at once: each step is safe to repeat. */
export function upkeepJobs(
  runtime: Runtime,
  writer: AlarmWriter,
  { retentionMonths, auditRetentionMonths }: Retention,
): Job[] {
  const { database } = runtime;
  const configuration = createConfigurationCache();
  return [
    { name: 'end masks', everyMs: secondMs, run: () => expireMasks(runtime, writer) },
    {
      name: 'send scheduled notices',
      everyMs: 10 * secondMs,
      run: () => sendScheduledNotices(runtime, configuration),
    },
    { name: 'refresh statistics', everyMs: 5 * secondMs, run: () => refreshStatistics(database) },
    yielding({ name: 'make partitions', everyMs: hourMs, run: () => makePartitions(database) }, runtime),
    { name: 'end break-glass alarms', everyMs: minuteMs, run: () => endBreakGlassAlarms(runtime) },
    ...tenantJobs(runtime, { retentionMonths, auditRetentionMonths }).map((job) =>
      oneServerAtATime(job, runtime),
    ),
  ];
}

/** The jobs that work in the tenants that have something to do, one after the other. */
function tenantJobs(runtime: Runtime, { retentionMonths, auditRetentionMonths }: Retention): Job[] {
  const deleteCalls = async () => void (await deleteOldCalls(runtime, retentionMonths));
  const drop = async () => void (await dropOldMonths(runtime, retentionMonths));
  return [
    { name: 'drop old months', everyMs: hourMs, run: drop },
    yielding({ name: 'close months', everyMs: hourMs, run: () => closeMonths(runtime) }, runtime),
    yielding({ name: 'delete old calls', everyMs: 10 * minuteMs, run: deleteCalls }, runtime),
    {
      name: 'delete temporary tags',
      everyMs: hourMs,
      run: () => deleteTemporaryTags(runtime, retentionMonths),
    },
    { name: 'forget resting alarms', everyMs: 6 * hourMs, run: () => forgetRestingAlarms(runtime) },
    { name: 'raise key expiry alarms', everyMs: hourMs, run: () => raiseKeyExpiryAlarms(runtime) },
    {
      name: 'delete old audit entries',
      everyMs: hourMs,
      run: () => deleteAuditTrails(runtime, auditRetentionMonths),
    },
    { name: 'delete expired rows', everyMs: hourMs, run: () => deleteExpired(runtime) },
  ];
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
  const tenantIds = await outsideTenants(database, (transaction) =>
    tenantsWithOldAuditEntries(transaction, monthsBefore(transaction.now, months)),
  );
  await forEachTenant(tenantIds, { log, job: 'delete old audit entries' }, (tenantId) =>
    deleteOldEntries(runtime, tenantId, months),
  );
}

const rowAges = (now: Date): RowAges => ({
  keysBefore: addSeconds(now, -idempotencySeconds),
  approvalsBefore: addSeconds(now, -approvalSeconds),
  signInsBefore: addSeconds(now, -signInSeconds),
  codesBefore: addSeconds(now, -codeLimitSeconds),
  eventsBefore: addSeconds(now, -callEventSeconds),
});

async function deleteExpired({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, async (transaction) => {
    await deleteOldLoginFailures(transaction, {
      failuresBefore: failuresExpireBefore(transaction.now),
      networksBefore: networksExpireBefore(transaction.now),
    });
    return tenantsWithExpiredRows(transaction, rowAges(transaction.now));
  });
  await forEachTenant(tenantIds, { log, job: 'delete expired rows' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      const ages = rowAges(transaction.now);
      await deleteIdempotencyKeys(transaction, ages.keysBefore);
      await deleteAllExpiredSessions(transaction);
      await deleteExpiredResets(transaction);
      await deleteOldApprovals(transaction, ages.approvalsBefore);
      await deleteExpiredLogInSteps(transaction);
      await deleteExpiredChallenges(transaction);
      await deleteOldSignIns(transaction, ages.signInsBefore);
      await deleteOldCodes(transaction, ages.codesBefore);
      await deleteOldCallEvents(transaction, ages.eventsBefore);
    }),
  );
}
