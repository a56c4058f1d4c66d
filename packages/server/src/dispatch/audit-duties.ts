import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { listOverdue, listWaiting, type Overdue, type Waiting } from './overdue.store.ts';
import { tellWarnings, type Warning } from './tell-warnings.ts';
import { listWarnedTenants } from './warnings.store.ts';

/** A duty that nobody has looked at for so long is nobody's: dispatchers look every fraction of a second. */
const overdueSeconds = 60;
const folder = 'dispatch';

const warnings = {
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
} satisfies Record<string, Warning>;

type Found = { overdue: readonly Overdue[]; waiting: readonly Waiting[] };

export type Auditor = {
  /** One look; to be repeated. */
  run(): Promise<void>;
  /** What the last look found that is the fault of dispatchers, for probes and metrics. */
  overdue(): number;
};

/**
 * Looks for duties that no dispatcher has met, and for calls that were not made or that nobody took, from outside of the
 * dispatchers. It says so by an alarm: on the hub and in the list, which need none of them.
 */
export function createAuditor(runtime: Runtime, writer: AlarmWriter): Auditor {
  let last: Found = { overdue: [], waiting: [] };
  const look = async (transaction: TenantTransaction): Promise<Found> => {
    const before = addSeconds(transaction.now, -overdueSeconds);
    return {
      overdue: await listOverdue(transaction, before),
      waiting: await listWaiting(transaction, before),
    };
  };
  // Looked at again once it is this server's turn to speak: another may have said meanwhile that it is over.
  const find = async (transaction: TenantTransaction) =>
    warningsOf(await look(transaction), transaction.tenantId);

  return {
    overdue: () => faultsOf(last),
    run: async () => {
      const told = await outsideTenants(runtime.database, async (outside) => {
        last = await look(outside);
        const paths = Object.values(warnings).map(({ path }) => path);
        return (await Promise.all(paths.map((path) => listWarnedTenants(outside, path)))).flat();
      });
      if (faultsOf(last) > 0) runtime.log.error(last, 'calls are overdue');
      const found = [...last.overdue, ...last.waiting].map(({ tenantId }) => tenantId);
      for (const tenantId of new Set([...found, ...told])) {
        try {
          await tellWarnings(runtime, writer, tenantId, { folder, find });
        } catch (error) {
          runtime.log.error({ err: error, tenantId }, 'overdue calls could not be told');
        }
      }
    },
  };
}

/** That no provider takes a call is no fault of dispatchers. */
function faultsOf({ overdue, waiting }: Found): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return sum(overdue.map(({ duties }) => duties)) + sum(waiting.map(({ queued }) => queued));
}

function warningsOf({ overdue, waiting }: Found, tenantId: number): Warning[] {
  const isOf = (one: { tenantId: number }) => one.tenantId === tenantId;
  const { queued = 0, unaccepted = 0 } = waiting.find(isOf) ?? {};
  return [
    ...(overdue.some(isOf) ? [warnings.overdue] : []),
    ...(queued > 0 ? [warnings.queued] : []),
    // Said of calls that a dispatcher has met: of others it follows from that nobody did.
    ...(unaccepted > 0 && !overdue.some(isOf) && queued === 0 ? [warnings.unaccepted] : []),
  ];
}
