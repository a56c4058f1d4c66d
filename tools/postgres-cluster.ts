import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
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
  /** Ends the server at once, as a power cut would, and starts it again, after a while if so wished. */
  restart(pause?: { downMs: number }): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A PostgreSQL server of our own in a temporary folder and on a free port of the loopback. With `durable` it
 * flushes as a plant's does; without, tests run faster.
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
  const command = (name: string, args: string[]) => run(join(bin, name), args, { ...user, cwd: folder });

  await command('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
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
  const start = () =>
    command('pg_ctl', ['-D', data, '-w', '-t', '30', '-l', join(folder, 'log'), '-o', options, 'start']);
  const stop = () => command('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
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
    stop: async () => {
      await stop().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port to be had');
  return address.port;
}

async function postgresBin(): Promise<string> {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? (await readdir(root)).toSorted((a, b) => Number(b) - Number(a)) : [];
  const newest = versions.find((version) => existsSync(join(root, version, 'bin', 'initdb')));
  if (newest === undefined) throw new Error('PostgreSQL 15 or later is needed: apt-get install postgresql');
  return join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
async function unprivilegedUser(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const uid = idOf('-u');
  const gid = idOf('-g');
  await chown(folder, uid, gid);
  await chmod(folder, 0o755);
  return { uid, gid };
}
