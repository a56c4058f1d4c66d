import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { type Ended, runTocsin, startTocsin } from '../harness/cli/tocsin.ts';
import { createDatabase } from '../harness/database.ts';
import { commandLineMain } from '../harness/main-files.ts';
import { create, openPlant, type Page, type Plant, read } from '../harness/plant.ts';
import { firstAdmin, secretFile, startServer } from '../harness/server.ts';

let plant: Plant;
let passwordFile: string;

beforeAll(async () => {
  plant = await openPlant('');
  passwordFile = await secretFile(`${firstAdmin.password}\n`);
});
afterAll(() => plant?.close());

const environment = () => ({ TOCSIN_URL: plant.baseUrl, TOCSIN_TOKEN: plant.client.token ?? '' });
const tocsin = (...args: string[]): Promise<Ended> => runTocsin(args, { environment: environment() });

const alarms = async () =>
  (
    await read<Page<{ id: number; path: string; state: number; message: string }>>(
      plant.client,
      'alarms?limit=1000',
    )
  ).items;
const alarmAt = async (path: string) => (await alarms()).find((alarm) => alarm.path === path);

test('a person logs in, raises an alarm with the token, and acknowledges it', async () => {
  const { code, stdout: token } = await runTocsin(
    ['token', '--user', firstAdmin.username, '--password-file', passwordFile],
    { environment: { TOCSIN_URL: plant.baseUrl } },
  );
  expect(code).toBe(0);
  const own = { environment: { TOCSIN_URL: plant.baseUrl, TOCSIN_TOKEN: token.trim() } };
  const raised = await runTocsin(['raise', 'North.P1', '-m', 'Pump 1 has stopped', '-p', '1'], own);
  expect(raised).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\n$/), stderr: '' });
  expect(await alarmAt('North.P1')).toMatchObject({ state: 3, message: 'Pump 1 has stopped', priority: 1 });

  const taken = await runTocsin(['ack', 'North.P1', '--comment', 'On my way'], own);
  expect(taken).toEqual({ code: 0, stdout: 'North.P1 is acknowledged.\n', stderr: '' });
  expect(await alarmAt('North.P1')).toMatchObject({ state: 1, comment: 'On my way' });
  expect((await runTocsin(['raise', 'North.P1', '--reset'], own)).code).toBe(0);
  expect(await alarmAt('North.P1')).toBeUndefined();
});

test('a machine raises an alarm with its API key, and with names instead of numbers', async () => {
  await create(plant.client, 'stations', { name: 'South' });
  const { json } = await plant.client.post('/api/v1/apikeys', { name: 'Cron', role: 'engineer' });
  const { key } = json() as { key: string };
  const keyFile = await secretFile(key);
  const args = ['raise', 'South.P1', '--station', 'South', '--token-file', keyFile, '--json'];
  const { code, stdout } = await runTocsin(args, { environment: { TOCSIN_URL: plant.baseUrl } });
  expect({ code, answer: JSON.parse(stdout) }).toEqual({
    code: 0,
    answer: { id: (await alarmAt('South.P1'))?.id },
  });

  const unknown = await tocsin('raise', 'South.P2', '--station', 'Suoth');
  expect(unknown).toMatchObject({ code: 1, stderr: 'Nothing has the name "Suoth". Did you mean "South"?\n' });
});

test('a session that a command begins is ended by it', async () => {
  const sessions = async () => {
    const { user } = await read<{ user: { id: number } }>(plant.client, 'meta');
    return (await read<{ items: object[] }>(plant.client, `users/${user.id}/sessions`)).items.length;
  };
  const before = await sessions();
  const log = ['--user', firstAdmin.username, '--password-file', passwordFile];
  const { code } = await runTocsin(['watch', '--once', ...log], {
    environment: { TOCSIN_URL: plant.baseUrl },
  });
  expect(code).toBe(0);
  expect(await sessions()).toBe(before);
});

test('a watch prints the current alarms, then each change, and ends on a signal', async () => {
  await create(plant.client, 'alarms', { path: 'Watch.1', alarmMessage: 'first', priority: 2 });
  const child = startTocsin(['watch'], { environment: environment() });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  await expect
    .poll(() => output)
    .toMatch(/ {2}current {2}priority 2 {2}#\d+ {2}DataServer\\Watch\.1 {2}ACTIVE {2}first\n/);
  const id = await create(plant.client, 'alarms', {
    path: 'Watch.2',
    alarmMessage: '\u001B[2Jsecond',
    priority: 1,
  });
  await expect
    .poll(() => output)
    .toMatch(/ {2}raised {2}priority 1 .*Watch\.2 {2}ACTIVE {2}\uFFFD\[2Jsecond\n/);
  await plant.client.post(`/api/v1/alarms/${id}/acknowledge`, {});
  await expect.poll(() => output).toMatch(/ {2}acknowledged {2}priority 1 .*Watch\.2 {2}acknowledged {2}/);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
});

test('each way to fail has its exit code and says what to do next', async () => {
  expect(await tocsin('raise')).toMatchObject({ code: 2, stderr: 'Name one tag: tocsin raise PATH.\n' });
  expect(await tocsin('raise', 'A', '--prioritty', '1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "--priority"?'),
  });
  expect(await tocsin('wacht')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "watch"?'),
  });
  expect(await tocsin('ack', '999999')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('999999: '),
  });

  const url = { TOCSIN_URL: plant.baseUrl };
  expect(await runTocsin(['watch', '--once'], { environment: url })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Set TOCSIN_TOKEN'),
  });
  const wrong = { ...url, TOCSIN_TOKEN: 'nonsense' };
  expect(await runTocsin(['watch'], { environment: wrong })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Get a new token with: tocsin token'),
  });
  const badPassword = ['token', '--user', firstAdmin.username, '--password-file', await secretFile('wrong')];
  expect((await runTocsin(badPassword, { environment: url })).code).toBe(3);
  const away = { TOCSIN_URL: 'http://127.0.0.1:1', TOCSIN_TOKEN: 'x' };
  expect(await runTocsin(['export', '--json'], { environment: away })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('"exitCode":4'),
  });
});

test('a watch on a terminal draws a list, and leaves the terminal as it was', async () => {
  await create(plant.client, 'alarms', { path: 'Screen.1', alarmMessage: 'on the screen', priority: 1 });
  // `script` gives the program a terminal.
  const command = `exec ${process.execPath} --conditions=source ${commandLineMain} watch`;
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: tmpdir(),
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...environment(),
    },
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  const exited = once(terminal, 'exit');
  let output = '';
  terminal.stdout.on('data', (chunk) => (output += String(chunk)));
  await expect.poll(() => output).toMatch(/Live, \d\d:\d\d:\d\d UTC[^]*Screen\.1[^]*on the screen/);
  expect(output).toContain('\u001B[?1049h');
  const drawn = output.length;
  await create(plant.client, 'alarms', { path: 'Screen.2', alarmMessage: 'drawn later' });
  await expect.poll(() => output.slice(drawn)).toContain('drawn later');
  terminal.stdin.write('\u0003');
  const [code] = (await exited) as [number | null];
  expect(code).toBe(0);
  expect(output.trimEnd().endsWith('\u001B[?25h\u001B[?1049l')).toBe(true);
});

test('a command waits for its server, and a watch outlives it', async () => {
  const database = await createDatabase(inject('durableClusterUrl'));
  const port = String(await freePort());
  const start = () =>
    startServer({ databaseUrl: database.url, environment: { PORT: port, DRAIN_MS: '0', ROLES: 'api,hub' } });
  const admin = ['--user', firstAdmin.username, '--password-file', passwordFile];
  const away = { environment: { TOCSIN_URL: `http://127.0.0.1:${port}` } };
  const follow = (child: ReturnType<typeof startTocsin>) => {
    onTestFinished(() => void child.kill('SIGKILL'));
    const told = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (told.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (told.stderr += String(chunk)));
    return told;
  };

  const sender = startTocsin(['raise', 'Late.1', '--retry', '90', ...admin], away);
  const sent = follow(sender);
  const senderEnd = once(sender, 'exit');
  await expect.poll(() => sent.stderr).toContain('The server cannot be reached. Trying again');
  let server = await start();
  onTestFinished(async () => {
    await server.stop();
    await database.drop();
  });
  const [code] = (await senderEnd) as [number | null];
  expect({ code, ...sent }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) });

  const watch = startTocsin(['watch', '--json', ...admin], away);
  const seen = follow(watch);
  const lines = () =>
    seen.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { kind: string; alarm: { path: string } })
      .map(({ kind, alarm }) => `${kind} ${alarm.path}`);
  await expect.poll(lines, { timeout: 20_000 }).toEqual(['current Late.1']);
  await server.kill();
  await expect.poll(() => seen.stderr, { timeout: 20_000 }).toContain('The connection is lost.');
  server = await start();
  expect((await runTocsin(['raise', 'Late.2', ...admin], away)).code).toBe(0);
  await expect.poll(lines, { timeout: 20_000 }).toEqual(['current Late.1', 'raised Late.2']);
  expect(seen.stderr).toContain('The connection is back.');
});

test('the commands of the server are handed over, with their help', async () => {
  const { code, stdout } = await tocsin('--help');
  expect(code).toBe(0);
  for (const name of ['watch', 'apply', 'serve', 'migrate', 'audit verify'])
    expect(stdout).toContain(`\n  ${name} `);
  expect((await tocsin('rotate-keys', '--help')).stdout).toContain(
    'Usage: tocsin rotate-keys [--audit] [--now]',
  );
  const migrated = await runTocsin(['migrate'], {
    environment: { DATABASE_URL: plant.databaseUrl, ALLOW_SUPERUSER_LOGIN: 'true', LOG_LEVEL: 'warn' },
  });
  expect(migrated).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await tocsin('migrate')).toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_URL') });
  expect(await tocsin('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^tocsin \d+\.\d+\.\d+\n$/),
  });
});
