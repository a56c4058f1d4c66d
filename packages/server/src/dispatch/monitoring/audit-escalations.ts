import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { listTenantsWithMonitorAlarm } from './monitor-alarm.store.ts';
import { listOverdue, listWaiting, type Overdue, type Waiting } from './overdue-escalation.store.ts';
import { type MonitorAlarm, raiseMonitorAlarms } from './raise-monitor-alarms.ts';

/** Dispatchers poll several times a second, so an escalation that is due for longer is being missed. */
export const overdueSeconds = 60;
const folder = 'dispatch';

const alarms = {
  overdue: {
    path: `${folder}/overdue`,
    message: 'Calls are overdue: no dispatcher has looked at them for a minute',
    more: { resetMessage: 'Calls are no longer overdue' },
  },
  queued: {
    path: `${folder}/queued`,
    message: 'Calls have waited for a minute in the queue of the server and were not made',
    more: { resetMessage: 'No call waits in the queue any more' },
  },
  unaccepted: {
    path: `${folder}/unaccepted`,
    message: 'There are alarms for which no provider has taken a call for a minute',
    more: { resetMessage: 'For each alarm a provider has taken a call' },
  },
} satisfies Record<string, MonitorAlarm>;

type Found = { overdue: readonly Overdue[]; waiting: readonly Waiting[] };

export type Auditor = {
  /** Runs one check. */
  run(): Promise<void>;
  /** The number of calls that the last check found to be missed by dispatchers, for probes and metrics. */
  overdue(): number;
};

/**
 * Checks, independently of the dispatchers, for escalations that no dispatcher has handled and for calls that were not made
 * or not accepted. It raises system alarms, which the hub and the alarm list show even if all dispatchers fail.
 */
export function createAuditor(runtime: Runtime, writer: AlarmWriter): Auditor {
  let last: Found = { overdue: [], waiting: [] };
  const search = async (transaction: TenantTransaction): Promise<Found> => {
    const before = addSeconds(transaction.now, -overdueSeconds);
    return {
      overdue: await listOverdue(transaction, before),
      waiting: await listWaiting(transaction, before),
    };
  };
  // Searched again under the write lock, because another server may have reset the alarm meanwhile.
  const find = async (transaction: TenantTransaction) =>
    monitorAlarmsOf(await search(transaction), transaction.tenantId);

  return {
    overdue: () => faultsOf(last),
    run: async () => {
      const raised = await outsideTenants(runtime.database, async (outside) => {
        last = await search(outside);
        const paths = Object.values(alarms).map(({ path }) => path);
        return (await Promise.all(paths.map((path) => listTenantsWithMonitorAlarm(outside, path)))).flat();
      });
      if (faultsOf(last) > 0) runtime.log.error(last, 'calls are overdue');
      const found = [...last.overdue, ...last.waiting].map(({ tenantId }) => tenantId);
      for (const tenantId of new Set([...found, ...raised])) {
        try {
          await raiseMonitorAlarms(runtime, writer, tenantId, { folder, find });
        } catch (error) {
          runtime.log.error({ err: error, tenantId }, 'alarms about overdue calls were not raised');
        }
      }
    },
  };
}

/** Calls that no provider accepts are not the dispatchers' fault. */
function faultsOf({ overdue, waiting }: Found): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return sum(overdue.map(({ escalations }) => escalations)) + sum(waiting.map(({ queued }) => queued));
}

function monitorAlarmsOf({ overdue, waiting }: Found, tenantId: number): MonitorAlarm[] {
  const isOf = (one: { tenantId: number }) => one.tenantId === tenantId;
  const { queued = 0, unaccepted = 0 } = waiting.find(isOf) ?? {};
  return [
    ...(overdue.some(isOf) ? [alarms.overdue] : []),
    ...(queued > 0 ? [alarms.queued] : []),
    // Only if dispatchers work: otherwise the first two alarms already explain it.
    ...(unaccepted > 0 && !overdue.some(isOf) && queued === 0 ? [alarms.unaccepted] : []),
  ];
}
