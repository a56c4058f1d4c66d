/**
 * `npm run bench -- NAME [--check] [--smoke] [--json] [--SIZE=NUMBER ...]`
 *
 * Prints the figures of one benchmark. With `--check` it exits 1 when one falls short of its goal, and its last line
 * is the figure that matters most; with `--smoke` it is small and unjudged. It exits 2 when what it would be measured
 * against is not installed. Some benchmarks have sizes that can be set, such as `--tenants=200`.
 */
import { readdir } from 'node:fs/promises';
import { openRunFolder } from '../tools/run-folder.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { type Figure, goalText, reached, shown, table, unjudged } from './harness/figure.ts';

const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const sizes = readSizes([...flags]);
const name = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const files = (await readdir(new URL('.', import.meta.url))).filter((file) => file.endsWith('.bench.ts'));
const known = files.map((file) => file.replace('.bench.ts', ''));

if (name === undefined || !known.includes(name)) {
  console.error(`Which benchmark? npm run bench -- ${known.join(' | ')} [--check] [--smoke] [--json]`);
  process.exit(2);
}

const { benchmark } = (await import(`./${name}.bench.ts`)) as { benchmark: Benchmark };
const missing = benchmark.missing?.();
if (missing === undefined) report(await measure(benchmark, flags.has('--smoke')));
else skip(missing);

/** The sizes that were set on the command line. */
function readSizes(given: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const flag of given) {
    const [, size, value] = /^--([a-z-]+)=(\d+(?:\.\d+)?)$/.exec(flag) ?? [];
    if (size !== undefined) found.set(size, Number(value));
  }
  return found;
}

function skip(command: string): void {
  console.error(
    `${flags.has('--smoke') ? 'Skipped' : 'Not measured'}: ${name} needs what is not installed: ${command}`,
  );
  process.exitCode = flags.has('--smoke') ? 0 : 2;
}

async function measure({ title, run }: Benchmark, smoke: boolean): Promise<Figure[]> {
  const started = performance.now();
  const closeRun = openRunFolder();
  const cleanups: (() => Promise<unknown>)[] = [];
  const progress = (text: string) =>
    console.error(`${((performance.now() - started) / 1_000).toFixed(0).padStart(5)} s  ${text}`);
  progress(title + (smoke ? ' (smoke: small and unjudged)' : ''));
  try {
    const size = (wanted: string, usual: number) => sizes.get(wanted) ?? usual;
    const figures = await run({ smoke, size, progress, onCleanup: (work) => cleanups.unshift(work) });
    return smoke ? figures.map(unjudged) : figures;
  } finally {
    for (const cleanup of cleanups) await cleanup();
    await closeRun();
  }
}

function report(measured: readonly Figure[]): void {
  if (flags.has('--json')) console.log(JSON.stringify({ benchmark: name, figures: measured }, null, 2));
  else console.log(table(measured));
  if (!flags.has('--check')) return;
  const judged = measured.filter(({ goal }) => goal !== undefined);
  const figure = judged.find((one) => !reached(one)) ?? judged[0];
  if (figure) console.log(`${figure.name}: ${shown(figure.value)} ${figure.unit} (goal ${goalText(figure)})`);
  process.exitCode = judged.every(reached) ? 0 : 1;
}
