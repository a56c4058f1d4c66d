import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { readCallDirectory } from '../../escalations/call-directory.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../../postgres/tenant-transaction.ts';
import { raiseMonitorAlarms } from './raise-monitor-alarms.ts';
import { claimRosterChecks, saveNextCheck } from './roster-check.store.ts';
import { gapFolder, rosterGapAlarms } from './roster-gaps.ts';

const tenantsAtOnce = 100;
/** After this time another server may check the tenant: the first one has died or failed. */
const claimSeconds = 60;
/** The interval of checks while no roster changes: time moves, so new gaps come into sight. */
const nextCheckSeconds = 3_600;

/** Checks the rosters of the tenants that are due, and raises a system alarm for each call group with a gap. */
export async function checkRosters(runtime: Runtime, writer: AlarmWriter): Promise<void> {
  const { database, log } = runtime;
  const { tenantIds, until } = await outsideTenants(database, async (outside) => {
    const until = addSeconds(outside.now, claimSeconds);
    return { tenantIds: await claimRosterChecks(outside, tenantsAtOnce, until), until };
  });
  for (const tenantId of tenantIds) {
    try {
      await raiseMonitorAlarms(runtime, writer, tenantId, {
        folder: gapFolder,
        find: async (transaction) => rosterGapAlarms(await readCallDirectory(transaction), transaction.now),
      });
      await inTenant(database, tenantId, (transaction) =>
        saveNextCheck(transaction, {
          claimedUntil: until,
          next: addSeconds(transaction.now, nextCheckSeconds),
        }),
      );
    } catch (error) {
      log.error({ err: error, tenantId }, 'alarms about roster gaps were not raised');
    }
  }
}
