/**
 * `npm run nightly [-- NAME... ] [--small]`
 *
 * Runs the steps that are too long for each change, one after the other because durations are checked. Ends with a table
 * of figures and the line `N passed, N failed`. NAME selects the steps that contain it; `--small` runs each step in a small
 * form, to try out the run itself. The output of each step is kept in `test-results/nightly`.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { missingPackages } from './needed-programs.ts';
import { figuresOf } from './nightly-figures.ts';
import { type NightlyStep, nightlySteps, smallStep } from './nightly-steps.ts';

type Done = { name: string; status: number; seconds: number; figures: string[] };

/** Exit code of a step whose programs are not installed. */
const notInstalled = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test-results', 'nightly');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = (await readdir(join(root, 'bench'))).filter((file) => file.endsWith('.bench.ts'));
const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31);
const all = nightlySteps(
  files.map((file) => file.replace('.bench.ts', '')),
  seed,
);
const wanted = all.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
if (wanted.length === 0) throw new Error(`Which step? ${all.map(({ name }) => name).join(' | ')}`);

await mkdir(folder, { recursive: true });
const done: Done[] = [];
for (const step of wanted) done.push(await run(process.argv.includes('--small') ? smallStep(step) : step));
report(done);

async function run({ name, args, environment, needs = [] }: NightlyStep): Promise<Done> {
  const missing = missingPackages(needs);
  if (missing.length > 0) {
    const figures = [`apt-get install ${missing.join(' ')}`];
    console.log(`==> ${name}: left out, ${figures[0]}`);
    return { name, status: notInstalled, seconds: 0, figures };
  }
  const log = join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.log`);
  console.log(`==> ${name}: npm run ${args.join(' ')} (${log})`);
  const started = performance.now();
  const child = spawn('npm', ['run', '--silent', ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(log);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    file.write(chunk);
  });
  child.stderr.pipe(file);
  const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`    ${outcome(status)} after ${seconds} s`);
  return { name, status, seconds, figures: figuresOf(stripVTControlCharacters(output)) };
}

function outcome(status: number): string {
  if (status === 0) return 'passed';
  return status === notInstalled ? 'left out: not installed' : 'FAILED';
}

function report(steps: readonly Done[]): void {
  const width = Math.max(...steps.map(({ name }) => name.length));
  console.log('\nFigures');
  for (const { name, status, seconds, figures } of steps) {
    console.log(`${name.padEnd(width)}  ${outcome(status)}  ${seconds} s`);
    for (const figure of figures) console.log(`${' '.repeat(width)}  ${figure}`);
  }
  const passed = steps.filter(({ status }) => status === 0).length;
  const failed = steps.filter(({ status }) => status !== 0 && status !== notInstalled).length;
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
