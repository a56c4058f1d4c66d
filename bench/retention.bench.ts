import { openRetention } from '@tocsin/server/testing';
import { createDatabase } from '../acceptance/harness/database.ts';
import type { Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import { startFlushingCluster } from './harness/plant.ts';
import { quantile, sorted } from './harness/quantile.ts';

/** Old months are dropped from many tenants while others raise alarms. */
export const benchmark: Benchmark = {
  name: 'retention',
  title: 'how long alarms wait while old months are dropped from many tenants',
  run: async (context) => {
    const past = context.smoke ? { tenants: 50, texts: 5 } : { tenants: 2_000, texts: 50 };
    const { url } = await createDatabase(await startFlushingCluster(context));
    context.progress(`${past.tenants} tenants with ${past.texts} texts in each of two months`);
    const retention = await openRetention(url, past);
    context.onCleanup(retention.close);
    const restSeconds = context.smoke ? 1 : 10;
    context.progress(`alarms alone for ${restSeconds} s`);
    const alone = await retention.raiseFor(restSeconds);
    context.progress('alarms while the oldest month is dropped');
    const { waits, seconds, months } = await retention.raiseWhileDropping();
    context.progress(`dropped ${months.join(', ')} in ${seconds.toFixed(1)} s`);
    const longest = (name: string, times: readonly number[]): Figure => ({
      name,
      value: Math.max(...times),
      unit: 'ms',
      note: `${times.length} alarms, p99 ${quantile(sorted(times), 0.99).toFixed(0)} ms`,
    });
    return [
      { ...longest('longest wait of an alarm while a month is dropped', waits), goal: { atMost: 500 } },
      longest('longest wait of an alarm before', alone),
      { name: 'time to shorten all histories and drop the month', value: seconds, unit: 's' },
      { name: 'months dropped', value: months.length, unit: '', goal: { atLeast: 1 } },
    ];
  },
};
