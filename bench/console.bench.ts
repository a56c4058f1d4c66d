import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { executablePath, launch, type Page } from '../acceptance/harness/console/chromium.ts';
import { startPlantStorm } from '../acceptance/harness/console/plant-storm.ts';
import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import { startConsolePlant } from './harness/console/console-plant.ts';
import { type FirstLoad, openMeasuredDesk } from './harness/console/open-desk.ts';
import {
  acknowledgeNext,
  cpuOf,
  type Frames,
  framesOf,
  heapOf,
  startProbe,
  watchPointer,
} from './harness/console/page-probe.ts';
import type { Figure } from './harness/figure.ts';
import { quantile, sorted } from './harness/quantile.ts';

type Size = { alarms: number; perSecond: number; seconds: number; acknowledgments: number };

type Measured = {
  readonly firstLoad: FirstLoad;
  readonly frames: Frames;
  /** Of one core, while the storm lasts. */
  readonly cpuShare: number;
  /** Bytes after each quarter of the storm. */
  readonly heaps: readonly number[];
  /** Milliseconds from the key to the changed row. */
  readonly acknowledgments: readonly number[];
};

async function run(context: BenchContext): Promise<Figure[]> {
  const size: Size = context.smoke
    ? { alarms: 300, perSecond: 50, seconds: 10, acknowledgments: 5 }
    : { alarms: 5_000, perSecond: 50, seconds: 60, acknowledgments: 30 };
  const { baseUrl, client, works } = await startConsolePlant(context, size.alarms);
  const browser = await launch();
  context.onCleanup(() => browser.close());
  context.progress('opening the console with an empty cache');
  const { page, firstLoad } = await openMeasuredDesk(browser, baseUrl);
  const rows = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  if (rows !== size.alarms) throw new Error(`${size.alarms} alarms were raised, ${rows} are in the list`);
  context.progress(`${size.perSecond} changes a second for ${size.seconds} s`);
  const storm = startPlantStorm(client, works, { perSecond: size.perSecond, tags: size.alarms });
  const [cpuBefore, begun] = [await cpuOf(browser), performance.now()];
  const measured = await watchStorm(page, size);
  const cpuShare = ((await cpuOf(browser)) - cpuBefore) / ((performance.now() - begun) / 1_000);
  const { sent, answered } = await storm.stop();
  if (answered < 0.99 * sent) throw new Error(`${answered} of ${sent} changes were granted`);
  return figuresOf({ firstLoad, cpuShare, ...measured }, size);
}

/** For three quarters of the storm the pointer rests on a row; in the last one alarms are acknowledged by key. */
async function watchStorm(page: Page, { seconds, acknowledgments }: Size) {
  const quarterMs = (seconds / 4) * 1_000;
  const heaps: number[] = [];
  const times: number[] = [];
  await startProbe(page);
  await watchPointer(page, { x: 500, y: 500 });
  for (let quarter = 0; quarter < 3; quarter++) {
    await sleep(quarterMs);
    heaps.push(await heapOf(page));
  }
  await watchPointer(page);
  const end = performance.now() + quarterMs;
  for (let count = 0; count < acknowledgments; count++) times.push(await acknowledgeNext(page));
  await sleep(Math.max(0, end - performance.now()));
  heaps.push(await heapOf(page));
  return { heaps, acknowledgments: times, frames: await framesOf(page) };
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

function figuresOf({ firstLoad, frames, cpuShare, heaps, acknowledgments }: Measured, size: Size): Figure[] {
  const shared = `server, PostgreSQL, Chromium and this program share ${availableParallelism()} cores`;
  const load = `${size.alarms} alarms, ${size.perSecond} changes/s for ${size.seconds} s`;
  const deltas = sorted(frames.deltas);
  const times = sorted(acknowledgments);
  const [first = 0] = heaps;
  return [
    {
      name: 'frame time, p95',
      value: quantile(deltas, 0.95),
      unit: 'ms',
      goal: { atMost: 33 },
      note: `${load}; ${shared}`,
    },
    { name: 'frame time, median', value: quantile(deltas, 0.5), unit: 'ms', note: `${deltas.length} frames` },
    { name: 'frame time, longest', value: deltas.at(-1) ?? 0, unit: 'ms' },
    { name: 'CPU of the page', value: 100 * cpuShare, unit: '% of a core' },
    { name: 'row elements in the page', value: frames.mostRows, unit: '', goal: { atMost: 60 } },
    { name: 'acknowledge key to changed row, median', value: quantile(times, 0.5), unit: 'ms' },
    {
      name: 'acknowledge key to changed row, p95',
      value: quantile(times, 0.95),
      unit: 'ms',
      goal: { atMost: 150 },
      note: `${times.length} alarms`,
    },
    {
      name: 'moves of the row under the pointer',
      value: frames.pointerMoves,
      unit: '',
      goal: { atMost: 0 },
    },
    {
      name: 'JS heap, last quarter to first',
      value: (heaps.at(-1) ?? 0) / first,
      unit: '',
      goal: { atMost: 1.1 },
      note: `${heaps.map(megabytes).join(', ')} MB after each quarter`,
    },
    { name: 'first load, files', value: firstLoad.fileBytes / 1_000, unit: 'kB', note: 'compressed' },
    { name: 'first load, answers', value: firstLoad.dataBytes / 1_000, unit: 'kB' },
    {
      name: 'time to interactive, cold cache',
      value: firstLoad.interactiveMs,
      unit: 'ms',
      goal: { atMost: 2_000 },
      note: 'until a row has taken the focus by key',
    },
  ];
}

function missing(): string | undefined {
  if (!existsSync(executablePath)) return 'apt-get install chromium-headless-shell';
  return existsSync(new URL('../packages/console/dist/index.html', import.meta.url))
    ? undefined
    : 'npm run build';
}

export const benchmark: Benchmark = {
  name: 'console',
  title: 'The live list of the console in a storm of alarms',
  missing,
  run,
};
