import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, startCluster } from '../../tools/postgres-cluster.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));
const readme = await readFile(join(project, 'README.md'), 'utf8');

/** The commands of the fenced blocks with this info string. */
function blocks(info: string): string[] {
  const found = readme.matchAll(new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...found].map(([, commands = '']) => commands.trim());
}

/** A clone of the project, without files that git ignores. */
async function cloneProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: project });
  const files = stdout.split('\0').filter((file) => file !== '');
  await Promise.all(
    files.map((file) =>
      cp(join(project, file), join(folder, file)).catch(() => undefined /* deleted meanwhile */),
    ),
  );
  return folder;
}

/**
 * The environment of a new user: a plain PATH, and a PostgreSQL of the test in place of the local one. npm uses its
 * cache.
 */
async function newcomer(port: number): Promise<{ environment: Record<string, string>; databaseUrl: string }> {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  const path = (process.env['PATH'] ?? '').split(':').filter((entry) => !entry.includes('node_modules'));
  const environment = {
    PATH: path.join(':'),
    HOME: process.env['HOME'] ?? tmpdir(),
    TMPDIR: tmpdir(),
    PGHOST: '127.0.0.1',
    PGPORT: String(cluster.port),
    PGUSER: 'postgres',
    PORT: String(port),
    ADMIN_PORT: '0',
    npm_config_prefer_offline: 'true',
  };
  return { environment, databaseUrl: cluster.url('tocsin') };
}

/** The port of the README, or another one if somebody else has it here. */
async function portToUse(): Promise<number> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(8_080, () => server.close(() => resolve(true)));
  });
  return isFree ? 8_080 : freePort();
}

/** Runs the commands in a shell that is closed at the end of the test. */
function terminal(commands: string, folder: string, environment: Record<string, string>) {
  const child = spawn('sh', ['-ec', commands], { cwd: folder, env: environment, detached: true });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    // The whole group: npm and the server below it.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  return { output: () => output, hasEnded: () => child.exitCode !== null };
}

async function untilReady(port: number, { output, hasEnded }: ReturnType<typeof terminal>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    if (hasEnded()) throw new Error(`the commands of the README ended:\n${output()}`);
    const answer = await fetch(`http://localhost:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`the server of the README is not ready:\n${output()}`);
}

/** The roles of the other connections to the database, and their rights. */
async function loginsAt(databaseUrl: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(`
    select distinct r.rolname as name, r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb as mighty,
      exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
              and pg_has_role(r.oid, c.relowner, 'member')) as owns
    from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
    where a.datname = current_database() and a.pid <> pg_backend_pid()`);
  await client.end();
  return rows;
}

const mark = '--- next command ---';

test('the commands of the README bring up a server that takes an alarm and lists it', {
  timeout: 240_000,
}, async () => {
  const [install = ''] = blocks('sh run');
  const [attempt = ''] = blocks('sh try');
  expect(install.split('\n').length).toBeGreaterThan(1);
  expect(attempt.split('\n').length).toBeGreaterThan(1);

  const port = await portToUse();
  const elsewhere = (commands: string) => commands.replaceAll('localhost:8080', `localhost:${port}`);
  const [folder, { environment, databaseUrl }] = await Promise.all([cloneProject(), newcomer(port)]);
  const started = performance.now();
  const first = terminal(install, folder, environment);
  await untilReady(port, first);
  console.log(`from clone to a ready server in ${((performance.now() - started) / 1_000).toFixed(0)} s`);

  const acknowledge = blocks('sh').filter((commands) => commands.includes('/acknowledge'));
  const commands = [...attempt.split('\n'), ...acknowledge].join(`\necho '${mark}'\n`);
  const { stdout } = await run('sh', ['-ec', elsewhere(commands)], { cwd: folder, env: environment });
  const [, raised, listed, ...acknowledged] = stdout
    .split(mark)
    .map((answer): unknown => JSON.parse(answer.trim() || 'null'));
  expect(raised).toBe(1);
  expect(listed).toMatchObject({
    items: [{ id: 1, path: 'pump/1', message: 'Pump 1 is too hot', state: 3 }],
    paging: { total: 1 },
  });
  expect(acknowledged).toMatchObject(acknowledge.map(() => ({ id: 1, state: 1, ackUser: 'admin' })));
  expect(await loginsAt(databaseUrl)).toEqual([{ name: 'tocsin_server', mighty: false, owns: false }]);
  const page = await fetch(`http://localhost:${port}/docs`);
  expect(page.headers.get('content-type')).toContain('text/html');
});
