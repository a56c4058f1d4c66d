import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { listOverdue, type Overdue } from './overdue.store.ts';
import { tellWarnings, type Warning } from './tell-warnings.ts';
import { listWarnedTenants } from './warnings.store.ts';

/** A duty that nobody has looked at for so long is nobody's: dispatchers look every fraction of a second. */
const overdueSeconds = 60;
const folder = 'dispatch';
const warning: Warning = {
  path: `${folder}/overdue`,
  message: 'Calls are overdue: no dispatcher has looked at them for a minute',
  more: { resetMessage: 'Calls are no longer overdue' },
};

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
  let last: readonly Overdue[] = [];
  const look = (transaction: TenantTransaction) =>
    listOverdue(transaction, addSeconds(transaction.now, -overdueSeconds));
  // Looked at again once it is this server's turn to speak: another may have said meanwhile that it is over.
  const find = async (transaction: TenantTransaction) =>
    (await look(transaction)).some(({ tenantId }) => tenantId === transaction.tenantId) ? [warning] : [];

  return {
    overdue: () => last.reduce((sum, { duties }) => sum + duties, 0),
    run: async () => {
      const told = await outsideTenants(runtime.database, async (outside) => {
        last = await look(outside);
        return listWarnedTenants(outside, warning.path);
      });
      if (last.length > 0) runtime.log.error({ overdue: last }, 'calls are overdue');
      for (const tenantId of new Set([...last.map((found) => found.tenantId), ...told]))
        await tellWarnings(runtime, writer, tenantId, { folder, find });
    },
  };
}
