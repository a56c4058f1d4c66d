import type { Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import type { Outcome } from './harness/load.ts';
import { runPgbench } from './harness/pgbench.ts';
import { type BenchPlant, startPlant } from './harness/plant.ts';
import { hundredAlarmsScript, oneAlarmScript } from './harness/same-rows.ts';

const knownPercent = 70;

type Size = { seconds: number; knownTags: number; clients: number[] };

type Round = {
  http: Map<number, Outcome>;
  bare: Map<number, number>;
  bareBatch: number;
  alone: { http: number; bare: number };
};

/** Alarms through real HTTP, committed and flushed, against the same rows written by the engine alone. */
export const benchmark: Benchmark = {
  name: 'ingest',
  title: 'durable alarms a second through HTTP, against bare PostgreSQL writing the same rows',
  run: async (context) => {
    const size: Size = context.smoke
      ? { seconds: 1, knownTags: 200, clients: [8] }
      : { seconds: 8, knownTags: 5_000, clients: [64, 256] };
    const rounds = context.smoke ? 1 : 3;
    const plant = await startPlant(context, size);
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      context.progress(`round ${round} of ${rounds}`);
      measured.push(await measureRound(plant, size, context.progress));
    }
    const peak = Math.max(
      ...measured.flatMap(({ http }) => [...http.values()].map(({ perSecond }) => perSecond)),
    );
    context.progress(`half of the peak rate: ${Math.round(peak / 2)}/s`);
    const half = await plant.load({ ...size, clients: size.clients[0] ?? 1, rate: peak / 2 });
    return [...ratios(measured, size), ...latencies(measured, half)];
  },
};

/** The cluster takes 200 connections: beyond this pgbench has fewer clients than HTTP has, and the figure says so. */
const mostBareClients = 150;
const bareClients = (clients: number) => Math.min(clients, mostBareClients);

async function measureRound(
  plant: BenchPlant,
  { seconds, knownTags, clients: steps }: Size,
  progress: (text: string) => void,
): Promise<Round> {
  const script = { knownTags, knownPercent };
  const http = new Map<number, Outcome>();
  const bare = new Map<number, number>();
  for (const clients of steps) {
    const { perSecond } = await runPgbench(plant.databaseUrl, oneAlarmScript(script), {
      clients: bareClients(clients),
      seconds,
    });
    bare.set(clients, perSecond);
    const outcome = await plant.load({ clients, seconds, knownTags });
    http.set(clients, outcome);
    progress(
      `${clients} clients: HTTP ${Math.round(outcome.perSecond)}/s (p99 ${outcome.p99.toFixed(1)} ms), bare ${Math.round(perSecond)}/s`,
    );
  }
  const batch = await runPgbench(plant.databaseUrl, hundredAlarmsScript(script), { clients: 1, seconds });
  const single = await runPgbench(plant.databaseUrl, oneAlarmScript(script), {
    clients: 1,
    seconds: Math.min(seconds, 4),
  });
  const alone = await plant.load({ clients: 1, seconds: Math.min(seconds, 4), knownTags });
  progress(
    `bare batches ${Math.round(batch.perSecond * 100)}/s; alone: HTTP ${alone.p50.toFixed(2)} ms, bare ${single.milliseconds.toFixed(2)} ms`,
  );
  return {
    http,
    bare,
    bareBatch: batch.perSecond * 100,
    alone: { http: alone.p50, bare: single.milliseconds },
  };
}

const best = (values: readonly number[]) => Math.max(...values);

function ratios(rounds: readonly Round[], { clients: steps }: Size): Figure[] {
  const perClients = steps.map((clients): Figure => {
    const pairs = rounds.map(
      ({ http, bare }) => [http.get(clients)?.perSecond ?? 0, bare.get(clients) ?? 1] as const,
    );
    const [ours, theirs] = pairs.toSorted(([a, b], [c, d]) => c / d - a / b)[0] ?? [0, 1];
    return {
      name: `HTTP, ${clients} clients ÷ pgbench, one alarm a transaction`,
      value: ours / theirs,
      unit: '×',
      goal: { atLeast: 1 },
      note: `${Math.round(ours)}/s against ${Math.round(theirs)}/s of ${bareClients(clients)} pgbench clients`,
    };
  });
  const toBatches = rounds.map(
    ({ http, bareBatch }) => [best([...http.values()].map(({ perSecond }) => perSecond)), bareBatch] as const,
  );
  const [ours, theirs] = toBatches.toSorted(([a, b], [c, d]) => c / d - a / b)[0] ?? [0, 1];
  return [
    ...perClients,
    {
      name: 'HTTP ÷ bare multi-row statements of 100, one connection',
      value: ours / theirs,
      unit: '×',
      goal: { atLeast: 0.4 },
      note: `${Math.round(ours)}/s against ${Math.round(theirs)}/s`,
    },
  ];
}

function latencies(rounds: readonly Round[], half: Outcome): Figure[] {
  const over = Math.min(...rounds.map(({ alone }) => alone.http - alone.bare));
  return [
    {
      name: 'p99 at half of the peak rate',
      value: half.p99,
      unit: 'ms',
      goal: { atMost: 60 },
      note: `${Math.round(half.perSecond)}/s`,
    },
    { name: 'one request alone, over the bare transaction', value: over, unit: 'ms', goal: { atMost: 1.5 } },
  ];
}
