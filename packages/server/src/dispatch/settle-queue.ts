import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { type AttemptReport, settleAttempts } from './settle-attempts.ts';

/** Stores what became of attempts; resolves once that is durable. */
export type SettleReports = (
  tenantId: number,
  reports: readonly AttemptReport[],
) => Promise<{ stale: number }>;

type Waiting = {
  reports: readonly AttemptReport[];
  resolve: (settled: { stale: number }) => void;
  reject: (error: unknown) => void;
};

/** So many messages at a time: a larger transaction would keep their duties locked for longer. */
const largest = 100;

export function settleAtOnce({ database }: Runtime): SettleReports {
  return (tenantId, reports) =>
    inTenant(database, tenantId, (transaction) => settleAttempts(transaction, reports));
}

/**
 * Outcomes of a tenant that come in while others are being stored are stored together with the next: in a flood one
 * transaction holds many, and on a quiet night nothing waits.
 */
export function createSettleQueue(runtime: Runtime): SettleReports {
  const settle = settleAtOnce(runtime);
  const queues = new Map<number, Waiting[]>();

  const write = async (tenantId: number, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const settled = await settle(
        tenantId,
        waiting.flatMap(({ reports }) => reports),
      );
      for (const { resolve } of waiting) resolve(settled);
    } catch (error) {
      // One of them is bad: alone, it fails alone.
      if (waiting.length > 1) for (const one of waiting) await write(tenantId, [one]);
      else waiting[0]?.reject(error);
    }
  };

  const drain = async (tenantId: number, queue: Waiting[]) => {
    while (queue.length > 0) await write(tenantId, queue.splice(0, largest));
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
