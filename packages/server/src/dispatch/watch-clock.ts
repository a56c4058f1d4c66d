import { outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';

export type ClockWatch = {
  /** One look; to be repeated. */
  run(): Promise<void>;
  /** Undefined while the clock of this server is right, else how it is wrong. */
  fault(): string | undefined;
};

const toleratedMs = 2_000;

/**
 * Compares the clock of this server with that of the database, by which everything is decided. A clock that is wrong moves no
 * call; but tokens, certificates and logs go by it, and somebody has to put it right.
 */
export function createClockWatch({ database, log }: Runtime, now: () => Date): ClockWatch {
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
      const told = await outsideTenants(database, async (outside) => outside.now);
      const after = now();
      // What the question took is no difference of the clocks.
      if (told < before) aheadMs = before.getTime() - told.getTime();
      else if (told > after) aheadMs = after.getTime() - told.getTime();
      else aheadMs = 0;
      const wrong = fault();
      if (wrong !== undefined) log.error({ aheadMs }, wrong);
    },
  };
}
