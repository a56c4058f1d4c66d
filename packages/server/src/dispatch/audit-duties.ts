import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { listOverdue, type Overdue } from './overdue.store.ts';
import { tellSystemAlarm } from './system-alarm.ts';

/** A duty that nobody has looked at for so long is nobody's: dispatchers look every fraction of a second. */
const overdueMs = 60_000;
const path = 'dispatch/overdue';

export type Auditor = {
  /** One look; to be repeated. */
  run(): Promise<void>;
  /** What the last look found, for probes and metrics. */
  overdue(): number;
};

/**
 * Looks for duties that no dispatcher has met, from outside of the dispatchers, and says so by an alarm: on the hub and
 * in the list, which need none of them.
 */
export function createAuditor(runtime: Runtime, writer: AlarmWriter): Auditor {
  const told = new Set<number>();
  let last: readonly Overdue[] = [];

  const tell = async (tenantId: number, found: Overdue | undefined) => {
    const message = found
      ? `${found.duties} calls are overdue: no dispatcher has looked at them`
      : 'Calls are no longer overdue';
    await tellSystemAlarm(writer, { tenantId, path, raised: found !== undefined, message });
    if (found) told.add(tenantId);
    else told.delete(tenantId);
  };

  return {
    overdue: () => last.reduce((sum, { duties }) => sum + duties, 0),
    run: async () => {
      last = await outsideTenants(runtime.database, (outside) =>
        listOverdue(outside, new Date(outside.now.getTime() - overdueMs)),
      );
      const overdue = new Map(last.map((found) => [found.tenantId, found]));
      if (last.length > 0) runtime.log.error({ overdue: last }, 'calls are overdue');
      for (const [tenantId, found] of overdue) if (!told.has(tenantId)) await tell(tenantId, found);
      for (const tenantId of told) if (!overdue.has(tenantId)) await tell(tenantId, undefined);
    },
  };
}
