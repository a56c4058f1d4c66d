import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../figure.ts';
import { pacedPgbench } from '../sql/pgbench.ts';
import {
  bareScript,
  type CellRun,
  callShare,
  type HeldRate,
  lastCallsMs,
  limitMs,
  maxBareClients,
  raiseStorm,
} from './cell-run.ts';
import { callFigure } from './check-cell.ts';
import { costFigures, processorTimes } from './processor-cost.ts';

/** Of the highest rate: what is left is for calls, jobs, and what comes beside them. The first one that is held counts. */
const heldShares = [0.8, 0.65, 0.5, 0.4, 0.3, 0.25, 0.2];
const trySeconds = 30;
/** A try is short: a rate that only just held would not hold for longer. */
const tryLimitMs = 0.8 * limitMs;

/** The highest rate that the machine holds: with calls, no refusal, and p99 within the limit. Otherwise the lowest one. */
export async function findHeldRate(run: CellRun, highest: number): Promise<HeldRate> {
  let rate = highest;
  for (const share of heldShares) {
    rate = Math.floor(highest * share);
    const seconds = Math.min(trySeconds, run.size.seconds);
    const { p99, refused } = await raiseStorm(run, { seconds, rate, callShare });
    run.context.progress(`${rate} alarms/s for ${seconds} s: p99 ${p99.toFixed(0)} ms, ${refused} refused`);
    await sleep(run.context.smoke ? 0 : lastCallsMs);
    if (p99 <= tryLimitMs && refused === 0) return { rate, isHeld: true };
  }
  return { rate, isHeld: false };
}

export async function measureStorm(run: CellRun, { rate, isHeld }: HeldRate): Promise<Figure[]> {
  run.context.progress(`a storm of ${rate} alarms/s for ${run.size.seconds} s`);
  const before = await processorTimes(run);
  const storm = await raiseStorm(run, { seconds: run.size.seconds, rate, callShare });
  const after = await processorTimes(run);
  const used = {
    alarms: storm.answered.length,
    servers: after.servers - before.servers,
    postgres: after.postgres - before.postgres,
  };
  await sleep(run.context.smoke ? 1_500 : lastCallsMs);
  const calls = await callFigure(run.cell.databaseUrl, run.cell.phones, storm);
  const held = isHeld ? 'the highest that a try has held' : 'no try was held, this is the lowest';
  return [
    {
      name: 'p99 of an alarm in the storm',
      value: storm.p99,
      unit: 'ms',
      goal: { atMost: limitMs },
      note: `${Math.round(storm.perSecond)} of ${rate}/s, ${held}; p50 ${storm.p50.toFixed(1)} ms`,
    },
    { name: 'answers that were not 200', value: storm.refused, unit: '', goal: { atMost: 0 } },
    calls,
    ...costFigures(used, 'in the storm, with calls and jobs'),
    await measureBareWait(run, rate),
  ];
}

/** What the machine, its disk and PostgreSQL take at the same rate, while the servers have no load. */
async function measureBareWait({ cell, context, size }: CellRun, rate: number): Promise<Figure> {
  const { clients, seconds } = size;
  context.progress(`pgbench at the same rate for ${seconds} s`);
  const load = { clients: Math.min(clients, maxBareClients), seconds, rate };
  const { p99, perSecond } = await pacedPgbench(cell.databaseUrl, bareScript(size), load);
  return {
    name: 'p99 of pgbench at the same rate, one alarm a transaction, no calls',
    value: p99,
    unit: 'ms',
    note: `${Math.round(perSecond)} of ${rate}/s`,
  };
}
