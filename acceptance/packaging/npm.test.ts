import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort, startCluster } from '../../tools/postgres-cluster.ts';
import { projectFolder, run } from '../harness/packaging/commands.ts';

let folder = '';
let tarballs: string[] = [];
const app = () => join(folder, 'app');
const main = () => join(app(), 'node_modules/@tocsin/server/dist/main.js');

/** The names of the packages that are published. */
function publishedNames(): string[] {
  return globSync('packages/*/package.json', { cwd: projectFolder })
    .map(
      (path) =>
        JSON.parse(readFileSync(join(projectFolder, path), 'utf8')) as { name: string; private?: boolean },
    )
    .filter((manifest) => manifest.private !== true)
    .map(({ name }) => name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-npm-'));
  await mkdir(app());
  await writeFile(join(app(), 'package.json'), '{"private":true}');
  const workspaces = publishedNames().map((name) => `--workspace=${name}`);
  await run('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`, ...workspaces]);
  tarballs = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  const files = tarballs.map((file) => join(folder, file));
  const started = performance.now();
  // As docs/install.md says: without the PostgreSQL of the demo.
  const flags = [
    '--omit=dev',
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  await run('npm', ['install', ...flags, ...files], { cwd: app() });
  console.log(`${tarballs.length} packages installed in ${Math.round(performance.now() - started)} ms`);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the packages contain built files only: no tests, no sources, no maps', async () => {
  expect(tarballs.length).toBeGreaterThan(5);
  for (const tarball of tarballs) {
    const files = (await run('tar', ['-tzf', join(folder, tarball)])).split('\n');
    expect(files, tarball).toContain('package/LICENSE');
    expect(
      files.some((file) => file.startsWith('package/dist/')),
      tarball,
    ).toBe(true);
    const wrong = files.filter((file) =>
      /^package\/src\/|\.(test|fixture)\.|\.map$|tsbuildinfo|(?<!\.d)\.tsx?$/.test(file),
    );
    expect(wrong, tarball).toEqual([]);
  }
});

test('the installed server prints its commands', async () => {
  expect(await run(process.execPath, [main(), 'help'], { cwd: app() })).toContain('create-tenant');
});

test('the installed server is ready with an empty database, and serves its console', async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  const create = join(projectFolder, 'create-database.sh');
  const env = { PGHOST: '127.0.0.1', PGPORT: String(cluster.port), PGUSER: 'postgres' };
  await run('sh', [create], { cwd: app(), env });
  const port = await freePort();
  const child = spawn(process.execPath, [main(), 'serve'], {
    cwd: app(),
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: tmpdir(),
      DATABASE_URL_FILE: '.tocsin/server-url',
      MIGRATE_DATABASE_URL_FILE: '.tocsin/owner-url',
      PORT: String(port),
      ADMIN_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output}`);
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.status;
  };
  try {
    await expect.poll(isReady, { timeout: 60_000 }).toBe(200);
    const page = await (await fetch(`${url}/`)).text();
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\/index-/);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  expect(child.exitCode).toBe(0);
});
