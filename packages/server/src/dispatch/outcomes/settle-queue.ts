import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { CountAttempts } from './call-metrics.ts';
import { type AttemptReport, type SettledReports, settleAttempts } from './settle-attempts.ts';

/** Stores the outcomes of attempts; resolves when they are committed. */
export type SettleReports = (tenantId: number, reports: readonly AttemptReport[]) => Promise<SettledReports>;

type Waiting = {
  reports: readonly AttemptReport[];
  resolve: (settled: SettledReports) => void;
  reject: (error: unknown) => void;
};

/** Messages in one transaction. A larger one would lock their escalations for too long. */
const maxBatch = 100;

export function settleAtOnce({ database }: Runtime, countAttempts: CountAttempts): SettleReports {
  return async (tenantId, reports) => {
    const settled = await inTenant(database, tenantId, (transaction) => settleAttempts(transaction, reports));
    countAttempts(settled.changes);
    return settled;
  };
}

/**
 * Collects the outcomes of a tenant that arrive while a transaction runs, and stores them in the next one: a flood needs
 * few transactions, and a single outcome does not wait.
 */
export function createSettleQueue(runtime: Runtime, countAttempts: CountAttempts): SettleReports {
  const settle = settleAtOnce(runtime, countAttempts);
  const queues = new Map<number, Waiting[]>();

  const write = async (tenantId: number, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const settled = await settle(
        tenantId,
        waiting.flatMap(({ reports }) => reports),
      );
      for (const { resolve } of waiting) resolve(settled);
    } catch (error) {
      // Stored one by one, so that a bad report fails alone.
      if (waiting.length > 1) for (const one of waiting) await write(tenantId, [one]);
      else waiting[0]?.reject(error);
    }
  };

  const drain = async (tenantId: number, queue: Waiting[]) => {
    while (queue.length > 0) await write(tenantId, queue.splice(0, maxBatch));
    queues.delete(tenantId);
  };

  return (tenantId, reports) =>
    new Promise((resolve, reject) => {
      const running = queues.get(tenantId);
      const queue = running ?? [];
      queue.push({ reports, resolve, reject });
      if (running) return;
      queues.set(tenantId, queue);
      void drain(tenantId, queue);
    });
}
