import type { Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import { type BenchPlant, type PlantOutcome, startPlant } from './harness/plant.ts';
import { quantile, sorted } from './harness/quantile.ts';
import { hundredAlarmsScript, oneAlarmScript } from './harness/sql/alarm-scripts.ts';
import { runPgbench } from './harness/sql/pgbench.ts';

const knownPercent = 70;

type Size = { seconds: number; knownTags: number; clients: number[] };

type Round = {
  http: Map<number, PlantOutcome>;
  bare: Map<number, number>;
  bareBatch: number;
  alone: { unread: number; http: number; bare: number };
};

/**
 * Alarms through HTTP with tokens, committed and flushed, compared with the same rows written by PostgreSQL alone. All are
 * events on known and new tags, so that each post is a new occurrence on both sides.
 */
export const benchmark: Benchmark = {
  name: 'ingest',
  title: 'durable alarms a second through HTTP, against bare PostgreSQL writing the same rows, sums included',
  run: async (context) => {
    const size: Size = context.smoke
      ? { seconds: 1, knownTags: 200, clients: [8] }
      : { seconds: 8, knownTags: 5_000, clients: [64, 256] };
    const rounds = context.smoke ? 1 : 3;
    const plant = await startPlant(context, { ...size, body: 'event' });
    // Warms up both sides.
    await plant.load({ ...size, clients: 64, seconds: Math.min(size.seconds, 3) });
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      context.progress(`round ${round} of ${rounds}: each post and each bare alarm is a new occurrence`);
      measured.push(await measureRound(plant, size, context.progress));
    }
    const peak = best(measured.flatMap(({ http }) => [...http.values()].map(({ perSecond }) => perSecond)));
    context.progress(`half of the peak rate: ${Math.round(peak / 2)}/s`);
    // More rounds than for the rates: one flush of 150 ms, which the disk of a shared machine takes now and then, makes
    // the p99 of eight seconds.
    const halves: PlantOutcome[] = [];
    for (let round = 1; round <= (context.smoke ? 1 : 5); round++) {
      const half = await plant.load({ ...size, clients: size.clients.at(-1) ?? 1, rate: peak / 2 });
      context.progress(`p50 ${half.p50.toFixed(1)} ms, p99 ${half.p99.toFixed(1)} ms`);
      halves.push(half);
    }
    return [...ratios(measured, size), ...latencies(measured, halves), ...costs(measured)];
  },
};

async function measureRound(
  plant: BenchPlant,
  { seconds, knownTags, clients: steps }: Size,
  progress: (text: string) => void,
): Promise<Round> {
  const script = { knownTags, knownPercent };
  const oneAlarm = oneAlarmScript(script);
  const http = new Map<number, PlantOutcome>();
  const bare = new Map<number, number>();
  for (const clients of steps) {
    const { perSecond } = await runPgbench(plant.databaseUrl, oneAlarm, { clients, seconds });
    bare.set(clients, perSecond);
    const outcome = await plant.load({ clients, seconds, knownTags });
    http.set(clients, outcome);
    progress(
      `${clients} clients: HTTP ${Math.round(outcome.perSecond)}/s (p99 ${outcome.p99.toFixed(1)} ms; ${cpuOf(outcome)}), bare ${Math.round(perSecond)}/s`,
    );
  }
  const batch = await runPgbench(plant.databaseUrl, hundredAlarmsScript(script), { clients: 1, seconds });
  const brief = { clients: 1, seconds: Math.min(seconds, 4) };
  const single = await runPgbench(plant.databaseUrl, oneAlarm, brief);
  const unread = await plant.load({ ...brief, knownTags });
  // The bare side wrote past the server's cache, so each tag is raised once to fill it.
  await plant.load({ clients: 64, seconds: 0, knownTags, sweep: true });
  const alone = await plant.load({ ...brief, knownTags });
  progress(
    `bare batches ${Math.round(batch.perSecond * 100)}/s; alone: HTTP ${alone.p50.toFixed(2)} ms (${unread.p50.toFixed(2)} ms before tags were read again), bare ${single.milliseconds.toFixed(2)} ms`,
  );
  return {
    http,
    bare,
    bareBatch: batch.perSecond * 100,
    alone: { unread: unread.p50, http: alone.p50, bare: single.milliseconds },
  };
}

const best = (values: readonly number[]) => Math.max(...values);

const cpuOf = ({ serverCpuMs, postgresCpuMs, clientCpuMs }: PlantOutcome) =>
  `CPU ms an alarm: server ${serverCpuMs.toFixed(3)}, PostgreSQL ${postgresCpuMs.toFixed(3)}, client ${clientCpuMs.toFixed(3)}`;

/** The best round of each side. */
function ratios(rounds: readonly Round[], { clients: steps }: Size): Figure[] {
  const httpAt = (clients: number) => best(rounds.map(({ http }) => http.get(clients)?.perSecond ?? 0));
  const perClients = steps.map((clients): Figure => {
    const ours = httpAt(clients);
    const theirs = best(rounds.map(({ bare }) => bare.get(clients) ?? 0));
    return {
      name: `HTTP ÷ pgbench, one alarm a transaction, ${clients} clients each`,
      value: ours / theirs,
      unit: '×',
      goal: { atLeast: 1 },
      note: `best of ${rounds.length}: ${Math.round(ours)}/s against ${Math.round(theirs)}/s`,
    };
  });
  const ours = best(steps.map(httpAt));
  const theirs = best(rounds.map(({ bareBatch }) => bareBatch));
  return [
    ...perClients,
    {
      name: 'HTTP ÷ bare multi-row statements of 100, one connection',
      value: ours / theirs,
      unit: '×',
      goal: { atLeast: 0.6 },
      note: `best of ${rounds.length}: ${Math.round(ours)}/s against ${Math.round(theirs)}/s`,
    },
  ];
}

function latencies(rounds: readonly Round[], halves: readonly PlantOutcome[]): Figure[] {
  const http = Math.min(...rounds.map(({ alone }) => alone.http));
  const unread = Math.min(...rounds.map(({ alone }) => alone.unread));
  const bare = Math.min(...rounds.map(({ alone }) => alone.bare));
  return [
    {
      name: 'p99 at half of the peak rate',
      value: quantile(sorted(halves.map(({ p99 }) => p99)), 0.5),
      unit: 'ms',
      goal: { atMost: 60 },
      note: `median of ${halves.length}: ${halves.map(({ p99 }) => p99.toFixed(0)).join(', ')} ms at ${Math.round(halves[0]?.perSecond ?? 0)}/s`,
    },
    {
      name: 'one request alone, over the bare transaction',
      value: http - bare,
      unit: 'ms',
      goal: { atMost: 1.5 },
      note: `${http.toFixed(2)} ms (median) against ${bare.toFixed(2)} ms (mean)`,
    },
    {
      name: 'the same, on tags that somebody else has written since',
      value: unread - bare,
      unit: 'ms',
      note: `${unread.toFixed(2)} ms (median): they are read again`,
    },
  ];
}

/** At the most clients, in the round that took least. */
function costs(rounds: readonly Round[]): Figure[] {
  const loads = rounds.flatMap(({ http }) => [...http.values()].slice(-1));
  const least = (of: (outcome: PlantOutcome) => number) => Math.min(...loads.map(of));
  return [
    { name: 'CPU of the server', value: least((load) => load.serverCpuMs), unit: 'ms an alarm' },
    { name: 'CPU of PostgreSQL', value: least((load) => load.postgresCpuMs), unit: 'ms an alarm' },
    { name: 'CPU of the load itself', value: least((load) => load.clientCpuMs), unit: 'ms an alarm' },
  ];
}
