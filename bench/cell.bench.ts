import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import type { CellRun, RunSize } from './harness/cell/cell-run.ts';
import { lossFigures } from './harness/cell/check-cell.ts';
import { compareRates } from './harness/cell/compare-rates.ts';
import { measureIdle } from './harness/cell/measure-idle.ts';
import { measureQuiet } from './harness/cell/measure-quiet.ts';
import { measureRetention } from './harness/cell/measure-retention.ts';
import { findHeldRate, measureStorm } from './harness/cell/measure-storm.ts';
import { measureTakeOver } from './harness/cell/measure-take-over.ts';
import { openCell } from './harness/cell/open-cell.ts';

/**
 * A provider's cell: thousands of tenants with years of history on two servers, one of which dies in a storm. The sizes
 * can be set, such as `--tenants=500 --months=12 --occurrences=500000`.
 */
export const benchmark: Benchmark = {
  name: 'cell',
  title: 'a storm over many tenants with a long history, on two servers, one of which is killed',
  run: async (context) => {
    const size = sizeOf(context);
    const cell = await openCell(context, size);
    const run: CellRun = { context, cell, size, nodes: [], storms: [] };
    const idle = await measureIdle(run);
    const quiet = await measureQuiet(run);
    const { figures: rates, highest } = await compareRates(run);
    const held = await findHeldRate(run, highest);
    const storm = await measureStorm(run, held);
    const retention = await measureRetention(run, held);
    const takeOver = await measureTakeOver(run, held);
    return [
      ...storm,
      ...rates,
      ...retention,
      takeOver,
      ...(await lossFigures(cell.databaseUrl, run.storms)),
      ...quiet,
      ...idle,
    ];
  },
};

const full: RunSize = {
  tenants: 5_000,
  months: 66,
  occurrences: 20_000_000,
  knownTags: 20,
  people: 20,
  rate: 1_750,
  seconds: 120,
  clients: 256,
  rounds: 3,
  roundSeconds: 15,
  idleSeconds: 60,
  retentionSeconds: 360,
  killSeconds: { before: 10, after: 40 },
};

const small: RunSize = {
  tenants: 30,
  months: 3,
  occurrences: 3_000,
  knownTags: 5,
  people: 3,
  rate: 100,
  seconds: 2,
  clients: 16,
  rounds: 1,
  roundSeconds: 1,
  idleSeconds: 2,
  retentionSeconds: 4,
  killSeconds: { before: 1, after: 3 },
};

function sizeOf({ smoke, size }: BenchContext): RunSize {
  const usual = smoke ? small : full;
  return {
    ...usual,
    tenants: size('tenants', usual.tenants),
    months: size('months', usual.months),
    occurrences: size('occurrences', usual.occurrences),
    rate: size('rate', usual.rate),
    seconds: size('seconds', usual.seconds),
    clients: size('clients', usual.clients),
    rounds: size('rounds', usual.rounds),
    roundSeconds: size('round-seconds', usual.roundSeconds),
    idleSeconds: size('idle-seconds', usual.idleSeconds),
  };
}
