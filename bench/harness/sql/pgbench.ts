import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quantile, sorted } from '../quantile.ts';

const run = promisify(execFile);

/** Where the variable `n` of scripts starts, so that names made from it are new in every run. */
let firstN = 0;

/**
 * The settings of the server's connections for alarms, so that outdated planner statistics do not affect the comparison.
 */
const session = [
  'role=tocsin_app',
  'timezone=UTC',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
];

type Load = {
  clients: number;
  seconds: number;
  /** Transactions a second over all clients; absent, each client begins the next one when the last has ended. */
  rate?: number;
};

type Outcome = { perSecond: number; milliseconds: number };

/** Runs a script with pgbench as the application role; gives transactions a second and their mean milliseconds. */
export function runPgbench(databaseUrl: string, script: string, load: Load): Promise<Outcome> {
  return inFolder((folder) => runIn(folder, { databaseUrl, script, ...load }));
}

/** Runs a script at a rate; gives the 99th percentile of the milliseconds from when a transaction was due to its end. */
export function pacedPgbench(
  databaseUrl: string,
  script: string,
  load: Required<Load>,
): Promise<Outcome & { p99: number }> {
  return inFolder(async (folder) => {
    const log = join(folder, 'log');
    const outcome = await runIn(folder, { databaseUrl, script, ...load, log });
    return { ...outcome, p99: quantile(sorted(await readWaits(folder)), 0.99) };
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-pgbench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The milliseconds of each transaction in the logs, whose third column has microseconds. */
async function readWaits(folder: string): Promise<number[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('log.'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  return lines.map((line) => Number(line.split(' ')[2]) / 1_000);
}

async function runIn(
  folder: string,
  {
    databaseUrl,
    script,
    clients,
    seconds,
    rate,
    log,
  }: Load & { databaseUrl: string; script: string; log?: string },
): Promise<Outcome> {
  const file = join(folder, 'script.sql');
  await writeFile(file, script);
  const { pathname, hostname, port, username } = new URL(databaseUrl);
  firstN += 10_000_000;
  const login = ['-h', hostname, '-p', port, '-U', username];
  const size = ['-c', String(clients), '-j', '1', '-T', String(seconds)];
  const pace = rate === undefined ? [] : ['-R', String(rate)];
  const logging = log === undefined ? [] : ['-l', `--log-prefix=${log}`];
  const how = [...pace, ...logging, '-n', '-M', 'prepared', '-D', `n=${firstN}`, '-f', file];
  const environment = {
    PATH: process.env['PATH'] ?? '',
    PGOPTIONS: session.map((setting) => `-c ${setting}`).join(' '),
  };
  const { stdout } = await run('pgbench', [...login, ...size, ...how, pathname.slice(1)], {
    env: environment,
    maxBuffer: 1 << 24,
  }).catch((error: Error & { stderr?: string }) => {
    // Every client reports the same error.
    throw new Error(`pgbench failed: ${(error.stderr || error.message).split('\n').slice(0, 4).join('\n')}`);
  });
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  const milliseconds = Number(/latency average = ([\d.]+) ms/.exec(stdout)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench reported no rate:\n${stdout}`);
  return { perSecond, milliseconds };
}
