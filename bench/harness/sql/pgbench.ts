import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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

/** Runs a script with pgbench as the application role; gives transactions a second and their mean milliseconds. */
export async function runPgbench(
  databaseUrl: string,
  script: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<{ perSecond: number; milliseconds: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-pgbench-'));
  const file = join(folder, 'script.sql');
  await writeFile(file, script);
  const { pathname, hostname, port, username } = new URL(databaseUrl);
  firstN += 10_000_000;
  const login = ['-h', hostname, '-p', port, '-U', username];
  const size = ['-c', String(clients), '-j', '1', '-T', String(seconds)];
  const how = ['-n', '-M', 'prepared', '-D', `n=${firstN}`, '-f', file];
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
  await rm(folder, { recursive: true });
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  const milliseconds = Number(/latency average = ([\d.]+) ms/.exec(stdout)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench reported no rate:\n${stdout}`);
  return { perSecond, milliseconds };
}
