import { addShiftTenant, cycleAlarms, measureShift, type StatementMeter } from '@tocsin/server/testing';
import { createDatabase } from '../acceptance/harness/database.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { postgresCpuSeconds, postmasterOf } from './harness/cpu-time.ts';
import type { Figure } from './harness/figure.ts';
import { startFlushingCluster } from './harness/plant.ts';
import { quantile, sorted } from './harness/quantile.ts';
import { queryDatabase } from './harness/sql/query-database.ts';

type Size = { tags: number; cycles: number; cycleRounds: number; rounds: number; repeat: number };
type Plant = {
  months: number;
  url: string;
  tenantId: number;
  seconds: number[];
  /** Of PostgreSQL. */
  cpuSeconds: number[];
  meters: StatementMeter[];
};

const few = 2;
const many = 66;

/** A plant after five years compared with a new one: what each statement takes, and how updates use the heap. */
export const benchmark: Benchmark = {
  name: 'months',
  title: `statements on ${many} monthly partitions, against the same on ${few}`,
  run: async (context) => {
    const size: Size = context.smoke
      ? { tags: 20, cycles: 2, cycleRounds: 1, rounds: 1, repeat: 2 }
      : { tags: 200, cycles: 15, cycleRounds: 15, rounds: 4, repeat: 40 };
    const clusterUrl = await startFlushingCluster(context);
    const plants = [await openPlant(clusterUrl, few), await openPlant(clusterUrl, many)] as const;
    const inRounds = async (rounds: number, what: string, run: (plant: Plant) => Promise<void>) => {
      for (let round = 1; round <= rounds; round += 1) {
        context.progress(`${what}, round ${round} of ${rounds}`);
        for (const plant of round % 2 === 1 ? plants : plants.toReversed()) await run(plant);
      }
    };
    const postmaster = await postmasterOf(plants[0].url);
    await inRounds(size.cycleRounds, 'alarms in cycles', async ({ url, tenantId, seconds, cpuSeconds }) => {
      // As a server does every five seconds: plans of new tables are bad ones.
      await queryDatabase(url, 'select refresh_statistics()');
      const before = await postgresCpuSeconds(postmaster);
      seconds.push(await cycleAlarms(url, tenantId, size));
      cpuSeconds.push((await postgresCpuSeconds(postmaster)) - before);
    });
    const heap = await hotShares(plants[1]);
    await inRounds(size.rounds, 'each statement by itself', (plant) => measureStatements(plant, size));
    return [...ratesOf(plants), ...heap, ...statementFigures(plants)];
  },
};

async function openPlant(clusterUrl: string, months: number): Promise<Plant> {
  const { url } = await createDatabase(clusterUrl);
  // The migration has made this month and the next three; the shift also needs the month before.
  await queryDatabase(
    url,
    `select make_partitions(now() - make_interval(months => ${months - 1}), ${months - 1})`,
  );
  return { months, url, tenantId: await addShiftTenant(url), seconds: [], cpuSeconds: [], meters: [] };
}

async function measureStatements({ url, meters }: Plant, { repeat }: Size): Promise<void> {
  let time = Date.now() - 31 * 86_400_000;
  const clock = {
    now: () => new Date(time),
    advance: (more: number) => {
      time += more * 1_000;
    },
  };
  meters.push(await measureShift(url, await addShiftTenant(url, clock), { clock, repeat }));
}

/** By the clock, which is judged, and by the processor time of PostgreSQL, which tells the same on a busy machine. */
function ratesOf([one, other]: readonly [Plant, Plant]): Figure[] {
  const compare = (name: string, which: 'seconds' | 'cpuSeconds'): Figure => {
    const [less, more] = [median(warm(one[which])), median(warm(other[which]))];
    const note = `median of ${warm(one[which]).length}: ${more.toFixed(2)} s against ${less.toFixed(2)} s`;
    return { name: `${name}: ${other.months} months ÷ ${one.months}`, value: less / more, unit: '×', note };
  };
  return [
    { ...compare('rate of alarms in cycles', 'seconds'), goal: { atLeast: 0.95 } },
    compare('the same for equal processor time of PostgreSQL', 'cpuSeconds'),
  ];
}

/** Without the first round, in which tables are empty. */
const warm = (rounds: readonly number[]) => (rounds.length > 1 ? rounds.slice(1) : rounds);

const median = (values: readonly number[]) => quantile(sorted(values), 0.5);

type Updates = { name: string; updates: number; hot: number };

/** Share of updates that left the row in its page and touched no index. */
async function hotShares({ url }: Plant): Promise<Figure[]> {
  const rows = await queryDatabase<Updates>(
    url,
    `select case when relname = 'alarms' then 'alarms' else 'occurrences' end as name,
       sum(n_tup_upd)::integer as updates, sum(n_tup_hot_upd)::integer as hot
     from pg_stat_user_tables where relname = 'alarms' or relname like 'occurrences%' group by 1 order by 1`,
  );
  return rows.map(({ name, updates, hot }) => ({
    name: `HOT share of the updates of ${name}`,
    value: (100 * hot) / Math.max(1, updates),
    unit: '%',
    goal: { atLeast: 90 },
    note: `${hot} of ${updates}`,
  }));
}

type Compared = { name: string; before: Best; after: Best };

/** All statements together, and each by itself: its time with few months ÷ with many, and its locks. */
function statementFigures([one, other]: readonly [Plant, Plant]): Figure[] {
  const names = new Set<string>(
    [...one.meters, ...other.meters].flatMap(({ figures }) => figures.keys().toArray()),
  );
  const all = [...names]
    .toSorted((left, right) => left.localeCompare(right))
    .map((name) => ({ name, before: bestOf(one, name), after: bestOf(other, name) }));
  const sum = (which: 'before' | 'after') => all.reduce((total, each) => total + each[which].ms, 0);
  const growing = all.filter(({ before, after }) => after.locks > before.locks);
  const visiting = all.filter(({ before, after }) => after.months > before.months);
  return [
    {
      name: `all statements once: ${one.months} months ÷ ${other.months}`,
      value: sum('before') / sum('after'),
      unit: '×',
      goal: { atLeast: 0.95 },
      note: `${sum('before').toFixed(2)} → ${sum('after').toFixed(2)} ms`,
    },
    {
      name: `statements with more locks with ${other.months} months`,
      value: growing.length,
      unit: '',
      goal: { atMost: 0 },
      note: growing.map(({ name }) => name).join(', '),
    },
    {
      name: `statements that lock partitions of more months`,
      value: visiting.length,
      unit: '',
      note: visiting.map(({ name }) => name).join(', '),
    },
    ...all.map(statementFigure),
  ];
}

function statementFigure({ name, before, after }: Compared): Figure {
  const note = `${before.ms.toFixed(3)} → ${after.ms.toFixed(3)} ms, ${before.locks} → ${after.locks} locks`;
  return { name, value: before.ms / after.ms, unit: '×', note };
}

type Best = { ms: number; locks: number; months: number };

function bestOf({ meters }: Plant, name: string): Best {
  const found = meters.flatMap(({ figures }) => figures.get(name) ?? []);
  return {
    ms: Math.min(...found.map(({ bestMs }) => bestMs)),
    locks: Math.max(0, ...found.map(({ locks }) => locks)),
    months: Math.max(0, ...found.map(({ months }) => months.size)),
  };
}
