import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type PostgresCluster = {
  /** Connection string of a database in it; `postgres` when none is named. */
  url(database?: string): string;
  readonly port: number;
  readonly folder: string;
  /** Kills the server as a power cut would, and starts it again after `downMs`. */
  restart(pause?: { downMs: number }): Promise<void>;
  /** Runs a program of PostgreSQL, such as `pg_dump`, in the folder of the server. */
  run(program: string, args: string[]): Promise<unknown>;
  /** Copies the data folder of the stopped server; the result restarts the server on the copy. */
  save(): Promise<() => Promise<void>>;
  /** Kills the server, deletes its data folder, and starts it on what `restore` writes there. */
  rebuild(restore: (data: string) => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A PostgreSQL server in a temporary folder, on a free port of the loopback interface. With `durable` it flushes as in
 * production; without, tests run faster.
 */
export async function startCluster({
  durable = false,
  settings = [] as string[],
} = {}): Promise<PostgresCluster> {
  const bin = await postgresBin();
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-postgres-'));
  const port = await freePort();
  const user = await unprivilegedUser(folder);
  const data = join(folder, 'data');
  const command = (name: string, args: string[]) =>
    run(name === 'cp' ? name : join(bin, name), args, { ...user, cwd: folder });

  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await command('initdb', init);
  const flags = [
    `port=${port}`,
    "listen_addresses='127.0.0.1'",
    `unix_socket_directories='${folder}'`,
    'max_connections=200',
    'shared_buffers=256MB',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    ...settings,
  ];
  const options = flags.flatMap((flag) => ['-c', flag]).join(' ');
  const log = join(folder, 'log');
  const start = () =>
    withLog(log, command('pg_ctl', ['-D', data, '-w', '-t', '30', '-l', log, '-o', options, 'start']));
  const stop = () => command('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
  const rebuild = async (restore: (data: string) => Promise<unknown>) => {
    await stop();
    await rm(data, { recursive: true });
    await restore(data);
    await start();
  };
  await start();

  return {
    port,
    folder,
    url: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
    restart: async ({ downMs } = { downMs: 0 }) => {
      await stop();
      await sleep(downMs);
      await start();
    },
    run: command,
    save: async () => {
      const saved = join(folder, 'saved');
      await stop();
      await command('cp', ['-a', data, saved]);
      await start();
      return () => rebuild(() => command('cp', ['-a', saved, data]));
    },
    rebuild,
    stop: async () => {
      await stop().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Adds what PostgreSQL has logged to the error of a start. */
async function withLog(log: string, starting: Promise<unknown>): Promise<void> {
  try {
    await starting;
  } catch (error) {
    throw new Error((await readFile(log, 'utf8')).slice(-2_000), { cause: error });
  }
}

/** Below the ephemeral ports, which an outgoing connection could take first. */
const ports = { from: 15_000, to: 32_000 };
const given = new Set<number>();

/** A free port, returned once. Chosen at random, so that concurrent processes get different ones. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.from + Math.floor(Math.random() * (ports.to - ports.from));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

export async function postgresBin(): Promise<string> {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? (await readdir(root)).toSorted((a, b) => Number(b) - Number(a)) : [];
  const newest = versions.find((version) => existsSync(join(root, version, 'bin', 'initdb')));
  if (newest === undefined) throw new Error('PostgreSQL 15 or later is needed: apt-get install postgresql');
  return join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
export async function unprivilegedUser(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const uid = idOf('-u');
  const gid = idOf('-g');
  await chown(folder, uid, gid);
  await chmod(folder, 0o755);
  return { uid, gid };
}
