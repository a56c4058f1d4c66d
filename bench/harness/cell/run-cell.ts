import { setTimeout as sleep } from 'node:timers/promises';
import { dropMonths } from '@tocsin/server/testing';
import type { Server } from '../../../acceptance/harness/server.ts';
import type { BenchContext } from '../benchmark.ts';
import { cpuSeconds, postgresCpuSeconds, postmasterOf } from '../cpu-time.ts';
import type { Figure } from '../figure.ts';
import { oneAlarmScript } from '../sql/alarm-scripts.ts';
import { runPgbench } from '../sql/pgbench.ts';
import { callFigure } from './check-cell.ts';
import { countStatements, forgetStatements } from './idle-cost.ts';
import type { Cell, CellSize } from './open-cell.ts';
import { runStorm, type Storm, type StormOutcome, windowSeconds } from './storm.ts';
import { zipfExponent } from './zipf.ts';

export type RunSize = CellSize & {
  rate: number;
  seconds: number;
  clients: number;
  rounds: number;
  roundSeconds: number;
  idleSeconds: number;
  retentionSeconds: number;
  /** Before and after a server is killed. */
  killSeconds: { before: number; after: number };
};

/** A cell that is being measured. */
export type CellRun = {
  readonly context: BenchContext;
  readonly cell: Cell;
  readonly size: RunSize;
  nodes: Server[];
  readonly storms: StormOutcome[];
};

const limitMs = 250;
const retentionLimitMs = 500;
const callShare = 0.01;
/** Of the highest rate: what is left is for calls, jobs, and what comes beside them. The first one that is held counts. */
const heldShares = [0.8, 0.65, 0.5, 0.4, 0.3, 0.25, 0.2];
const trySeconds = 30;
/** A try is short: a rate that only just held would not hold for longer. */
const tryLimitMs = 0.8 * limitMs;
/** Calls that are due at the end of the storm are made by then. */
const lastCallsMs = 6_000;
const numbersPerStorm = 10_000_000;

/** The statements of two idle servers from their start on, when every job runs once, and after that. */
export async function measureIdle(run: CellRun): Promise<Figure[]> {
  const { databaseUrl, startNode } = run.cell;
  const { idleSeconds, tenants } = run.size;
  run.context.progress('starting two servers');
  await forgetStatements(databaseUrl);
  const started = performance.now();
  run.nodes = await Promise.all([startNode(), startNode()]);
  const startMs = performance.now() - started;
  const first = await countStatements(databaseUrl, idleSeconds);
  await forgetStatements(databaseUrl);
  const second = await countStatements(databaseUrl, idleSeconds);
  run.context.progress(`from the start: ${first.top}`);
  run.context.progress(`after that: ${second.top}`);
  const noteOf = ({ transactions }: typeof first) => `${tenants} tenants; ${transactions} transactions`;
  return [
    { name: 'two servers are ready after', value: startMs / 1_000, unit: 's' },
    {
      name: 'statements a minute from the start of two idle servers',
      value: first.statements,
      unit: '/min',
      note: noteOf(first),
    },
    {
      name: 'statements a minute of two idle servers after that',
      value: second.statements,
      unit: '/min',
      note: noteOf(second),
    },
  ];
}

/** The highest rate through HTTP, compared with pgbench. */
export async function compareRates(run: CellRun): Promise<{ figures: Figure[]; highest: number }> {
  const { rounds, roundSeconds, clients, tenants, knownTags, rate } = run.size;
  const script = oneAlarmScript({ knownTags, knownPercent: 70, tenants, zipf: zipfExponent });
  const ours: number[] = [];
  const bare: number[] = [];
  const used = { alarms: 0, servers: 0, postgres: 0 };
  for (let round = 1; round <= rounds; round++) {
    const before = await processorTimes(run);
    const storm = await raiseStorm(run, { seconds: roundSeconds });
    const after = await processorTimes(run);
    used.alarms += storm.answered.length;
    used.servers += after.servers - before.servers;
    used.postgres += after.postgres - before.postgres;
    const load = { clients: Math.min(clients, 100), seconds: roundSeconds };
    const { perSecond } = await runPgbench(run.cell.databaseUrl, script, load);
    ours.push(storm.perSecond);
    bare.push(perSecond);
    run.context.progress(
      `round ${round}: HTTP ${Math.round(storm.perSecond)}/s (p99 ${storm.p99.toFixed(0)} ms), bare ${Math.round(perSecond)}/s`,
    );
  }
  const [best, bestBare] = [Math.max(...ours), Math.max(...bare)];
  const ratio: Figure = {
    name: 'HTTP ÷ pgbench, one alarm a transaction',
    value: best / bestBare,
    unit: '×',
    goal: { atLeast: 1 },
    note: `${Math.round(best)}/s against ${Math.round(bestBare)}/s; Zipf over ${tenants} tenants`,
  };
  const costOf = (name: string, seconds: number): Figure => {
    return {
      name: `CPU of ${name}`,
      value: (seconds * 1_000) / Math.max(1, used.alarms),
      unit: 'ms an alarm',
    };
  };
  const figures = [ratio, costOf('two servers', used.servers), costOf('PostgreSQL', used.postgres)];
  return { figures, highest: Math.min(rate, Math.floor(best)) };
}

/** A rate for the storms, and whether a try has held it. */
export type HeldRate = { readonly rate: number; readonly isHeld: boolean };

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

/** Seconds of CPU that the servers and PostgreSQL have taken so far. */
async function processorTimes({ cell, nodes }: CellRun): Promise<{ servers: number; postgres: number }> {
  const servers = await Promise.all(nodes.map(({ pid }) => cpuSeconds(pid)));
  const postgres = await postgresCpuSeconds(await postmasterOf(cell.databaseUrl));
  return { servers: servers.reduce((sum, one) => sum + one, 0), postgres };
}

export async function measureStorm(run: CellRun, { rate, isHeld }: HeldRate): Promise<Figure[]> {
  run.context.progress(`a storm of ${rate} alarms/s for ${run.size.seconds} s`);
  const storm = await raiseStorm(run, { seconds: run.size.seconds, rate, callShare });
  await sleep(run.context.smoke ? 1_500 : lastCallsMs);
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
    await callFigure(run.cell.databaseUrl, run.cell.phones, storm),
  ];
}

/** The oldest month is dropped in the middle of a storm; an alarm that was raised in it is still active. */
export async function measureRetention(run: CellRun, { rate }: HeldRate): Promise<Figure[]> {
  const { databaseUrl } = run.cell;
  const { retentionSeconds, months: kept } = run.size;
  const beforeSeconds = Math.min(30, retentionSeconds / 4);
  run.context.progress(`dropping a month of ${kept} during a storm of ${rate} alarms/s`);
  const storm = raiseStorm(run, { seconds: retentionSeconds, rate });
  await sleep(beforeSeconds * 1_000);
  const begun = Date.now();
  const months = await dropMonths(databaseUrl, kept - 1);
  const ended = Date.now();
  const { longestBySecond, startedAt } = await storm;
  const [from, to] = [begun, ended].map((at) => Math.floor((at - startedAt) / 1_000));
  const longest = (seconds: readonly number[]) => Math.max(0, ...seconds);
  const during = longestBySecond.slice(from, (to ?? 0) + 1);
  const apart = [...longestBySecond.slice(0, from), ...longestBySecond.slice((to ?? 0) + 1)];
  const slow = (seconds: readonly number[]) =>
    `${seconds.filter((one) => one > retentionLimitMs).length} of ${seconds.length}`;
  run.context.progress(`longest of each second: ${longestBySecond.map(Math.round).join(' ')} ms`);
  return [
    {
      name: 'longest wait of an alarm in a storm while a month is dropped',
      value: longest(during),
      unit: 'ms',
      goal: { atMost: retentionLimitMs },
      note: `longer than that in ${slow(during)} seconds, and without it, before and after, in ${slow(apart)}, up to ${longest(apart).toFixed(0)} ms; it took ${((ended - begun) / 1_000).toFixed(1)} s`,
    },
    {
      name: 'months dropped, with an alarm active since then',
      value: months.length,
      unit: '',
      goal: { atLeast: 1 },
      note: months.join(', '),
    },
  ];
}

/** One server has all the load and is killed; the other has just started and knows no tenant. */
export async function measureTakeOver(run: CellRun, { rate }: HeldRate): Promise<Figure> {
  const [busy, idle] = run.nodes;
  await idle?.stop();
  run.nodes = [...(busy ? [busy] : []), await run.cell.startNode()];
  const { before, after } = run.size.killSeconds;
  run.context.progress(`killing the server of all tenants after ${before} s at ${rate} alarms/s`);
  const running = raiseStorm(run, { seconds: before + after, rate, route: 'first' });
  await sleep(before * 1_000);
  await busy?.kill();
  const killedAt = Date.now();
  const { p99BySecond, p99ByWindow, startedAt, refused } = await running;
  run.context.progress(`p99 of each second: ${p99BySecond.map((p99) => Math.round(p99)).join(' ')} ms`);
  const killedAfter = (killedAt - startedAt) / 1_000;
  const lastSlow = (values: readonly number[]) =>
    Math.max(0, values.findLastIndex((p99) => p99 >= limitMs) + 1 - killedAfter);
  return {
    name: `p99 of ${windowSeconds} seconds is below ${limitMs} ms again after the kill`,
    value: lastSlow(p99ByWindow),
    unit: 's',
    goal: { atMost: 20 },
    note: `by single seconds, of ${rate} alarms each: ${lastSlow(p99BySecond).toFixed(1)} s; ${refused} answers were not 200`,
  };
}

async function raiseStorm(
  { cell, size, nodes, storms }: CellRun,
  wanted: Pick<Storm, 'seconds'> & Partial<Storm>,
): Promise<StormOutcome> {
  const outcome = await runStorm({
    ports: nodes.map(({ baseUrl }) => Number(new URL(baseUrl).port)),
    route: 'by-tenant',
    tokens: [...cell.tokens],
    clients: size.clients,
    knownTags: size.knownTags,
    callShare: 0,
    callGroups: size.people,
    firstNumber: numbersPerStorm * (storms.length + 10),
    ...wanted,
  });
  storms.push(outcome);
  return outcome;
}
