import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';

export type ClockCheck = {
  /** Runs one check. */
  run(): Promise<void>;
  /** How the clock of this server is wrong; undefined while it is right. */
  fault(): string | undefined;
};

const toleratedMs = 2_000;

/**
 * Compares the clock of this server with the database's, which decides about all calls. A wrong clock delays no call, but
 * it affects tokens, certificates and logs.
 */
export function createClockCheck(
  { database, log }: Pick<Runtime, 'database' | 'log'>,
  now: () => Date,
): ClockCheck {
  let aheadMs = 0;
  const fault = () => {
    if (Math.abs(aheadMs) <= toleratedMs) return undefined;
    const seconds = Math.abs(aheadMs / 1_000).toFixed(1);
    return `The clock of this server is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database`;
  };
  return {
    fault,
    run: async () => {
      const before = now();
      const databaseNow = await outsideTenants(database, async (outside) => outside.now);
      const after = now();
      // The duration of the query is not a difference of the clocks.
      if (databaseNow < before) aheadMs = before.getTime() - databaseNow.getTime();
      else if (databaseNow > after) aheadMs = after.getTime() - databaseNow.getTime();
      else aheadMs = 0;
      const wrong = fault();
      if (wrong !== undefined) log.error({ aheadMs }, wrong);
    },
  };
}
