import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowedMs } from '../harness/judged-times.ts';
import { needPrograms, projectFolder, run } from '../harness/packaging/commands.ts';

const visit = fileURLToPath(new URL('../harness/demo/visit-demo.ts', import.meta.url));
const coldGoalMs = 60_000;
const warmGoalMs = 6_000;

type Visit = { readyMs: number; alarmMs: number; ringMs: number; outside: string[] };

let folder = '';
let installMs = 0;
const app = () => join(folder, 'app');

beforeAll(async () => {
  needPrograms({
    unshare: 'util-linux',
    ip: 'iproute2',
    'chromium-headless-shell': 'chromium-headless-shell',
  });
  folder = await mkdtemp(join(tmpdir(), 'tocsin-demo-'));
  // PostgreSQL runs as another user than root.
  await chmod(folder, 0o755);
  await mkdir(app());
  await writeFile(join(app(), 'package.json'), '{"private":true}');
  const names = globSync('packages/*/package.json', { cwd: projectFolder }).map(
    (path) => (JSON.parse(readFileSync(join(projectFolder, path), 'utf8')) as { name: string }).name,
  );
  const workspaces = names.map((name) => `--workspace=${name}`);
  await run('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`, ...workspaces]);
  const tarballs = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  const begin = performance.now();
  // Without install scripts: the demo makes the links of PostgreSQL itself.
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, ...tarballs.map((file) => join(folder, file))], { cwd: app() });
  installMs = Math.round(performance.now() - begin);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Visits the installed demo on a machine whose only network is itself. */
async function visitOffline(): Promise<Visit> {
  const command = [process.execPath, '--conditions=source', visit, join(folder, 'data')];
  const tocsin = [process.execPath, join(app(), 'node_modules/tocsin/dist/main.js')];
  const script = 'ip link set lo up && ! ip route get 192.0.2.1 >/dev/null 2>&1 && exec "$@"';
  const printed = await run('unshare', ['--net', 'sh', '-c', script, 'sh', ...command, ...tocsin], {
    cwd: app(),
  });
  return JSON.parse(printed.split('\n').at(-1) ?? '') as Visit;
}

test('from an empty folder to an alarm on the screen and a telephone that rings in a minute', async () => {
  const { readyMs, alarmMs, ringMs, outside } = await visitOffline();
  const coldMs = installMs + Math.max(alarmMs, ringMs);
  console.log(
    `install ${installMs} ms, ready ${readyMs} ms, alarm ${alarmMs} ms, ring ${ringMs} ms: ${coldMs} ms`,
  );
  expect(outside).toEqual([]);
  expect(coldMs).toBeLessThan(allowedMs(coldGoalMs));
});

test('the second start shows an alarm and rings in six seconds', async () => {
  const { readyMs, alarmMs, ringMs, outside } = await visitOffline();
  console.log(`ready ${readyMs} ms, alarm ${alarmMs} ms, ring ${ringMs} ms`);
  expect(outside).toEqual([]);
  expect(Math.max(alarmMs, ringMs)).toBeLessThan(allowedMs(warmGoalMs));
});
