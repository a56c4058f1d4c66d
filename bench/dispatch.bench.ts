import { setTimeout as sleep } from 'node:timers/promises';
import { askDatabase } from './harness/ask-database.ts';
import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import { cpuSeconds, postgresCpuSeconds, postmasterOf } from './harness/cpu-time.ts';
import { type DispatchPlant, startDispatchPlant } from './harness/dispatch-plant.ts';
import { oneDutyScript } from './harness/dispatch-same-work.ts';
import type { Figure } from './harness/figure.ts';
import { runPgbench } from './harness/pgbench.ts';

type Size = { people: number; duties: number; timers: number; bare: { duties: number; seconds: number } };
type Taken = { atMs: number; urgent: boolean };

/** Calls through the whole dispatcher to a provider that takes them at once, against the same rows by plain SQL. */
export const benchmark: Benchmark = {
  name: 'dispatch',
  title:
    'duties called a second, against bare PostgreSQL doing the same to the same rows; and many due at once',
  run: async (context) => {
    const size: Size = context.smoke
      ? { people: 20, duties: 100, timers: 100, bare: { duties: 2_000, seconds: 1 } }
      : { people: 1_000, duties: 10_000, timers: 10_000, bare: { duties: 12_000, seconds: 4 } };
    const plant = await startDispatchPlant(context, { people: size.people });
    const called = await callAll(context, plant, size);
    const bare = await callBare(context, plant, size);
    const ratio: Figure = {
      name: 'duties through the dispatcher ÷ the same work by pgbench, one duty a script, 4 connections each',
      value: called.perSecond / bare,
      unit: '×',
      goal: { atLeast: 0.5 },
      note: `${Math.round(called.perSecond)}/s against ${Math.round(bare)}/s`,
    };
    return [ratio, ...called.costs, ...(await allAtOnce(context, plant, size))];
  },
};

/** All are due before the dispatcher starts: how fast it works them off. */
async function callAll(
  { progress }: BenchContext,
  plant: DispatchPlant,
  { duties }: Size,
): Promise<{ perSecond: number; costs: Figure[] }> {
  progress(`raising ${duties} alarms while nobody calls`);
  await plant.raise(duties, 0, () => ({ priority: 2 }));
  const postmaster = await postmasterOf(plant.databaseUrl);
  const postgresBefore = await postgresCpuSeconds(postmaster);
  const dispatcher = await plant.startDispatcher();
  const taken = await untilTaken(plant, duties);
  await untilSettled(plant);
  const postgresMs = ((await postgresCpuSeconds(postmaster)) - postgresBefore) * 1_000;
  const serverMs = (await cpuSeconds(dispatcher.pid)) * 1_000;
  await dispatcher.stop();
  const seconds = ((taken.at(-1)?.atMs ?? 0) - (taken[0]?.atMs ?? 0)) / 1_000;
  const perSecond = duties / seconds;
  progress(`${duties} duties called in ${seconds.toFixed(1)} s: ${Math.round(perSecond)}/s`);
  await rest(plant);
  const costs = [
    { name: 'CPU of the dispatcher, its start included', value: serverMs / duties, unit: 'ms a duty' },
    { name: 'CPU of PostgreSQL', value: postgresMs / duties, unit: 'ms a duty' },
  ];
  return { perSecond, costs };
}

async function callBare(
  { progress }: BenchContext,
  plant: DispatchPlant,
  { bare: { duties, seconds } }: Size,
): Promise<number> {
  progress(`raising ${duties} alarms for pgbench`);
  await plant.raise(duties, 0, () => ({ priority: 2 }));
  // When there are too few it fails, rather than be fast at nothing.
  const load = { clients: 4, seconds };
  const { perSecond } = await runPgbench(plant.databaseUrl, oneDutyScript, load);
  progress(`the same work by pgbench: ${Math.round(perSecond)} duties/s`);
  await rest(plant);
  return perSecond;
}

/** All fall due within one second of a dispatcher that is at work, a twentieth of them urgent. */
async function allAtOnce(
  { progress }: BenchContext,
  plant: DispatchPlant,
  { timers }: Size,
): Promise<Figure[]> {
  const dispatcher = await plant.startDispatcher();
  const before = plant.log.lines.length;
  const dueMs = Math.ceil(Date.now() / 1_000) * 1_000 + 2_000 + timers * 6;
  progress(`raising ${timers} alarms that are due in ${Math.round((dueMs - Date.now()) / 1_000)} s`);
  await plant.raise(timers, 1, (number) => ({
    priority: number % 20 === 0 ? 1 : 3,
    alarmMessage: number % 20 === 0 ? 'urgent' : 'not urgent',
    alarmDelay: Math.max(0, Math.ceil((dueMs - Date.now()) / 1_000)),
  }));
  if (Date.now() > dueMs) throw new Error('raising took longer than the delay');
  const taken = await untilTaken(plant, timers, before);
  await dispatcher.stop();
  const [due] = await askDatabase<{ first: number; last: number }>(
    plant.databaseUrl,
    `select (extract(epoch from min(first_due_at)) * 1000)::float8 as first,
       (extract(epoch from max(first_due_at)) * 1000)::float8 as last
     from duties where tenant_id = 1 and closed_at is null`,
  );
  const { first, last } = due ?? { first: 0, last: 0 };
  progress(`all were due within ${Math.round(last - first)} ms`);
  const after = (some: readonly Taken[]) => ((some.at(-1)?.atMs ?? 0) - first) / 1_000;
  const urgent = taken.filter((one) => one.urgent);
  const behind = taken
    .slice(
      0,
      taken.findLastIndex((one) => one.urgent),
    )
    .filter((one) => !one.urgent).length;
  const note = `${behind} of ${taken.length - urgent.length} that are not urgent were called before the last urgent one`;
  return [
    {
      name: `${timers} timers due in one second: the last call handed over`,
      value: after(taken),
      unit: 's after the first was due',
      goal: { atMost: 10 },
    },
    {
      name: 'the last urgent one of them',
      value: after(urgent),
      unit: 's after the first was due',
      goal: { atMost: 3 },
      note,
    },
  ];
}

async function untilTaken({ log }: DispatchPlant, count: number, from = 0): Promise<Taken[]> {
  await log.until(() => true, { count: from + count, withinMs: 120_000 });
  return log.lines.slice(from).map(({ at, text }) => ({ atMs: Date.parse(at), urgent: text === 'urgent' }));
}

async function untilSettled({ databaseUrl }: DispatchPlant): Promise<void> {
  const text = `select count(*)::integer as left from call_attempts where outcome in ('queued', 'calling')`;
  while (((await askDatabase<{ left: number }>(databaseUrl, text))[0]?.left ?? 0) > 0) await sleep(200);
}

/** Whatever is open is over, so that it is not called for again. */
async function rest({ databaseUrl }: DispatchPlant): Promise<void> {
  await askDatabase(
    databaseUrl,
    `with ended as (update duties set closed_at = now(), closed_reason = 'reset', lease_until = null where closed_at is null)
     update call_attempts set ended_at = now(), outcome = 'cancelled' where ended_at is null`,
  );
  await askDatabase(databaseUrl, 'vacuum analyze duties, call_attempts');
}
