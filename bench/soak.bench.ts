import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import { type SoakLoad, type SoakOutcome, type SoakPlant, startSoakPlant } from './harness/soak.ts';
import { rewrittenTables, type SoakSample, takeSample } from './harness/soak-sample.ts';

type Size = Pick<SoakLoad, 'rate' | 'clients' | 'tags' | 'seconds' | 'answerSeconds'> & {
  /** Samples before this are not compared with. */
  settleSeconds: number;
  sampleSeconds: number;
};

const steady: Omit<Size, 'seconds'> = {
  rate: 500,
  clients: 128,
  tags: 5_000,
  answerSeconds: { least: 1, most: 5 },
  settleSeconds: 60,
  sampleSeconds: 5,
};
const brief: Size = {
  rate: 50,
  clients: 16,
  tags: 500,
  seconds: 5,
  answerSeconds: { least: 0.2, most: 1 },
  settleSeconds: 2,
  sampleSeconds: 1,
};

/** Raises, acknowledges and resets alarms at a steady rate for a long time, and looks for growth. */
export const benchmark: Benchmark = {
  name: 'soak',
  title: 'a steady rate of alarms, acknowledgments and resets (SOAK_SECONDS, 600 by default)',
  run: async (context) => {
    const size: Size = context.smoke ? brief : { ...steady, seconds: soakSeconds() };
    const plant = await startSoakPlant(context);
    context.progress(`${size.rate} alarms a second for ${size.seconds} s`);
    const load = plant.load(size);
    const samples = await watch(context, plant, size);
    const outcome = await load;
    const settled = samples.slice(Math.ceil(size.settleSeconds / size.sampleSeconds) - 1);
    return [...growth(settled), ...connectionsAndLoop(settled), ...bloat(settled), ...answers(outcome)];
  },
};

function soakSeconds(): number {
  const seconds = Number(process.env['SOAK_SECONDS'] ?? 600);
  if (!(seconds >= 120)) throw new Error('SOAK_SECONDS must be 120 or more: the first minute is not judged');
  return seconds;
}

/** One sample each few seconds, until the load ends. */
async function watch(context: BenchContext, plant: SoakPlant, size: Size): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  const start = performance.now();
  for (let at = size.sampleSeconds; at <= size.seconds; at += size.sampleSeconds) {
    await sleep(Math.max(0, start + at * 1_000 - performance.now()));
    const sample = await takeSample(plant);
    samples.push(sample);
    if (at % 15 === 0 || context.smoke) context.progress(shownSample(sample));
  }
  return samples;
}

function shownSample({
  residentBytes,
  loopDelayMs,
  connections,
  occurrences,
  tableBytes,
}: SoakSample): string {
  return (
    `${occurrences} occurrences, ${Math.round(tableBytes / Math.max(1, occurrences))} bytes each; ` +
    `${(residentBytes / 2 ** 20).toFixed(0)} MiB resident, ${connections} connections, ` +
    `event loop p99 ${loopDelayMs.toFixed(1)} ms`
  );
}

function growth(settled: readonly SoakSample[]): Figure[] {
  // Averages three samples to even out garbage collections.
  const meanOf = (samples: readonly SoakSample[], value: (sample: SoakSample) => number) =>
    samples.reduce((sum, sample) => sum + value(sample), 0) / samples.length;
  const compare = (value: (sample: SoakSample) => number) => {
    const before = meanOf(settled.slice(0, 3), value);
    const after = meanOf(settled.slice(-3), value);
    return { before, after, ratio: after / before };
  };
  const resident = compare(({ residentBytes }) => residentBytes / 2 ** 20);
  const bytes = compare(({ tableBytes, occurrences }) => tableBytes / occurrences);
  return [
    {
      name: 'resident memory at the end ÷ after the first minute',
      value: resident.ratio,
      unit: '×',
      goal: { atMost: 1.2 },
      note: `${resident.before.toFixed(0)} → ${resident.after.toFixed(0)} MiB`,
    },
    {
      name: 'tables and indexes per occurrence at the end ÷ after the first minute',
      value: bytes.ratio,
      unit: '×',
      goal: { atMost: 1.5 },
      note: `${bytes.before.toFixed(0)} → ${bytes.after.toFixed(0)} bytes`,
    },
  ];
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Idle connections are closed and reopened, so only growth counts. */
function connectionsAndLoop(settled: readonly SoakSample[]): Figure[] {
  const half = Math.floor(settled.length / 2);
  const connections = settled.map((sample) => sample.connections);
  const [early, late] = [Math.max(...connections.slice(0, half)), Math.max(...connections.slice(half))];
  const delays = settled.map(({ loopDelayMs }) => loopDelayMs);
  const [before, after] = [median(delays.slice(0, half)), median(delays.slice(half))];
  return [
    {
      name: 'database connections: most of the second half − most of the first',
      value: late - early,
      unit: '',
      goal: { atMost: 1 },
      note: `${Math.min(...connections)} to ${Math.max(...connections)} in all`,
    },
    {
      name: "event loop's p99 delay: median of the second half ÷ of the first",
      value: after / before,
      unit: '×',
      goal: { atMost: 1.5 },
      note: `${before.toFixed(1)} → ${after.toFixed(1)} ms, worst ${Math.max(...delays).toFixed(1)} ms`,
    },
  ];
}

/**
 * Tables whose rows are rewritten by every alarm: they must not grow without more tags. Dead rows by living ones would
 * say less: most are rooted out page by page, without the vacuum that would count them off.
 */
function bloat(settled: readonly SoakSample[]): Figure[] {
  const [first, last] = [settled[0], settled.at(-1)];
  return rewrittenTables.map((table) => {
    const [before, after] = [first?.rewrittenBytes[table] ?? 0, last?.rewrittenBytes[table] ?? 0];
    const figure: Figure = {
      name: `${table}, with indexes, at the end ÷ after the first minute`,
      value: after / Math.max(1, before),
      unit: '×',
      note: `${Math.round(before / 1_024)} → ${Math.round(after / 1_024)} KiB`,
    };
    // One row, on a page or on ten.
    if (table !== 'tenant_counters') figure.goal = { atMost: 1.5 };
    return figure;
  });
}

function answers({ raised, acknowledged, reset, refused, p99 }: SoakOutcome): Figure[] {
  return [
    {
      name: 'requests refused',
      value: refused,
      unit: '',
      goal: { atMost: 0 },
      note: `raised ${raised}, acknowledged ${acknowledged}, reset ${reset}`,
    },
    { name: 'p99 of all requests', value: p99, unit: 'ms' },
  ];
}
