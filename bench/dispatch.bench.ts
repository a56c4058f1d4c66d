import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import { cpuSeconds, postgresCpuSeconds, postmasterOf } from './harness/cpu-time.ts';
import { type DispatchPlant, startDispatchPlant } from './harness/dispatch-plant.ts';
import type { Figure } from './harness/figure.ts';
import { oneEscalationScript } from './harness/sql/dispatch-script.ts';
import { runPgbench } from './harness/sql/pgbench.ts';
import { queryDatabase } from './harness/sql/query-database.ts';

type Size = {
  people: number;
  escalations: number;
  timers: number;
  bare: { escalations: number; seconds: number };
};
type Taken = { atMs: number; urgent: boolean };

/** Calls through the dispatcher to a provider that accepts them at once, compared with the same rows in plain SQL. */
export const benchmark: Benchmark = {
  name: 'dispatch',
  title:
    'escalations called a second, against bare PostgreSQL doing the same to the same rows; and many due at once',
  run: async (context) => {
    const size: Size = context.smoke
      ? { people: 20, escalations: 100, timers: 100, bare: { escalations: 2_000, seconds: 1 } }
      : { people: 1_000, escalations: 10_000, timers: 10_000, bare: { escalations: 12_000, seconds: 4 } };
    const plant = await startDispatchPlant(context, { people: size.people });
    const called = await callAll(context, plant, size);
    const bare = await callBare(context, plant, size);
    const ratio: Figure = {
      name: 'escalations through the dispatcher ÷ the same work by pgbench, one escalation a script, 4 connections each',
      value: called.perSecond / bare,
      unit: '×',
      goal: { atLeast: 0.5 },
      note: `${Math.round(called.perSecond)}/s against ${Math.round(bare)}/s`,
    };
    return [ratio, ...called.costs, ...(await allAtOnce(context, plant, size))];
  },
};

/** Rate of escalations that are all due before the dispatcher starts. */
async function callAll(
  { progress }: BenchContext,
  plant: DispatchPlant,
  { escalations }: Size,
): Promise<{ perSecond: number; costs: Figure[] }> {
  progress(`raising ${escalations} alarms while nobody calls`);
  await plant.raise(escalations, 0, () => ({ priority: 2 }));
  const postmaster = await postmasterOf(plant.databaseUrl);
  const postgresBefore = await postgresCpuSeconds(postmaster);
  const dispatcher = await plant.startDispatcher();
  const taken = await untilTaken(plant, escalations);
  await untilSettled(plant);
  const postgresMs = ((await postgresCpuSeconds(postmaster)) - postgresBefore) * 1_000;
  const serverMs = (await cpuSeconds(dispatcher.pid)) * 1_000;
  await dispatcher.stop();
  const seconds = ((taken.at(-1)?.atMs ?? 0) - (taken[0]?.atMs ?? 0)) / 1_000;
  const perSecond = escalations / seconds;
  progress(`${escalations} escalations called in ${seconds.toFixed(1)} s: ${Math.round(perSecond)}/s`);
  await rest(plant);
  const costs = [
    {
      name: 'CPU of the dispatcher, its start included',
      value: serverMs / escalations,
      unit: 'ms an escalation',
    },
    { name: 'CPU of PostgreSQL', value: postgresMs / escalations, unit: 'ms an escalation' },
  ];
  return { perSecond, costs };
}

async function callBare(
  { progress }: BenchContext,
  plant: DispatchPlant,
  { bare: { escalations, seconds } }: Size,
): Promise<number> {
  progress(`raising ${escalations} alarms for pgbench`);
  await plant.raise(escalations, 0, () => ({ priority: 2 }));
  // Too few rows are an error, so that an empty run is not reported as fast.
  const load = { clients: 4, seconds };
  const { perSecond } = await runPgbench(plant.databaseUrl, oneEscalationScript, load);
  progress(`the same work by pgbench: ${Math.round(perSecond)} escalations/s`);
  await rest(plant);
  return perSecond;
}

/** Delays of escalations that all become due within one second, a twentieth of them urgent. */
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
  const [due] = await queryDatabase<{ first: number; last: number }>(
    plant.databaseUrl,
    `select (extract(epoch from min(first_due_at)) * 1000)::float8 as first,
       (extract(epoch from max(first_due_at)) * 1000)::float8 as last
     from escalations where tenant_id = 1 and closed_at is null`,
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
  return log.lines
    .slice(from)
    .map(({ at, text }) => ({ atMs: Date.parse(at), urgent: text.startsWith('urgent') }));
}

async function untilSettled({ databaseUrl }: DispatchPlant): Promise<void> {
  const text = `select count(*)::integer as left from call_attempts where outcome in ('queued', 'calling')`;
  while (((await queryDatabase<{ left: number }>(databaseUrl, text))[0]?.left ?? 0) > 0) await sleep(200);
}

/** Closes all open escalations, so that they are not called again. */
async function rest({ databaseUrl }: DispatchPlant): Promise<void> {
  await queryDatabase(
    databaseUrl,
    `with ended as (update escalations set closed_at = now(), closed_reason = 'reset', lease_until = null where closed_at is null)
     update call_attempts set ended_at = now(), outcome = 'cancelled' where ended_at is null`,
  );
  await queryDatabase(databaseUrl, 'vacuum analyze escalations, call_attempts');
}
