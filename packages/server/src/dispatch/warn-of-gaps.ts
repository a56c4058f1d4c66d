import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import { readCallDirectory } from '../duties/call-directory.store.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { saveNextLook, takeGapWatches } from './gap-watch.store.ts';
import { gapFolder, gapWarnings } from './roster-gaps.ts';
import { tellWarnings } from './tell-warnings.ts';

const tenantsAtOnce = 100;
/** So soon another server looks where one has died or failed. */
const takenSeconds = 60;
/** Without a change a gap only comes nearer, or new days come into sight. */
const nextLookSeconds = 3_600;

/** Tells of gaps in rosters, one alarm for each call group, in those tenants whose turn it is. To be repeated. */
export async function warnOfGaps(runtime: Runtime, writer: AlarmWriter): Promise<void> {
  const { database, log } = runtime;
  const { tenantIds, until } = await outsideTenants(database, async (outside) => {
    const until = addSeconds(outside.now, takenSeconds);
    return { tenantIds: await takeGapWatches(outside, tenantsAtOnce, until), until };
  });
  for (const tenantId of tenantIds) {
    try {
      await tellWarnings(runtime, writer, tenantId, {
        folder: gapFolder,
        find: async (transaction) => gapWarnings(await readCallDirectory(transaction), transaction.now),
      });
      await inTenant(database, tenantId, (transaction) =>
        saveNextLook(transaction, { taken: until, next: addSeconds(transaction.now, nextLookSeconds) }),
      );
    } catch (error) {
      log.error({ err: error, tenantId }, 'gaps in rosters could not be told');
    }
  }
}
