import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase } from '../harness/database.ts';
import type { HttpClient } from '../harness/http/http-client.ts';
import { logIn } from '../harness/installation.ts';
import { type Page, raise, read } from '../harness/plant.ts';
import { type Server, startServer } from '../harness/server.ts';

type Run = { status: string; reason: string; output: string };

/** A folder with a program that writes its process id and keeps running, and the list that allows it. */
async function prepare(mode = 0o644): Promise<{ folder: string; list: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-commands-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o1777);
  await writeFile(join(folder, 'stay'), 'sleep 300 & echo "$$ $!" > started; wait\n');
  const user = process.getuid?.() === 0 ? { user: 'nobody' } : {};
  const common = { tenantId: 1, params: [], timeoutMs: 60_000, cwd: folder, maxParallel: 1, ...user };
  const entries = [
    { id: 1, argv: ['/bin/sh', join(folder, 'stay')], ...common },
    { id: 2, argv: ['/usr/bin/env'], ...common },
  ];
  const list = join(folder, 'commands.json');
  await writeFile(list, JSON.stringify(entries));
  await chmod(list, mode);
  return { folder, list };
}

async function start(databaseUrl: string, environment: Record<string, string>): Promise<Server> {
  const server = await startServer({ databaseUrl, environment: { DRAIN_MS: '0', ...environment } });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createDatabase(inject('durableClusterUrl'));
  onTestFinished(drop);
  return url;
}

async function until<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
  const deadline = performance.now() + 40_000;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(100);
  }
  throw new Error('it did not come to pass');
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat !== '' && stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
}

/** The process ids of the program and its child, once it runs. */
const startedIn = (folder: string) =>
  until(async () => {
    const text = await readFile(join(folder, 'started'), 'utf8').catch(() => '');
    return text === '' ? undefined : text.trim().split(' ').map(Number);
  });

const run = (client: HttpClient, status: string) =>
  until(async () => {
    const { items } = await read<Page<Run>>(client, 'commands/runs');
    return items.find((one) => one.status === status);
  });

const alarm = (scriptId: number) => ({ path: 'hall', alarmActions: [{ type: 'ExecuteCommand', scriptId }] });

test('a killed server leaves no program running, and the next one reports the result as unknown', async () => {
  const databaseUrl = await emptyDatabase();
  const { folder, list } = await prepare();
  const first = await start(databaseUrl, { COMMANDS_FILE: list });
  await raise(await logIn(first), alarm(1));
  const pids = await startedIn(folder);
  await first.kill();
  await until(async () => ((await Promise.all(pids.map(isAlive))).includes(true) ? undefined : true));

  const client = await logIn(await start(databaseUrl, { COMMANDS_FILE: list }));
  expect(await run(client, 'unknown')).toMatchObject({
    reason: 'the server fell silent while the program ran',
  });
});

test('a server that stops ends its programs, which do not see its environment', async () => {
  const databaseUrl = await emptyDatabase();
  const { folder, list } = await prepare();
  const server = await start(databaseUrl, { COMMANDS_FILE: list });
  const client = await logIn(server);
  await raise(client, alarm(1));
  const pids = await startedIn(folder);
  await raise(client, { ...alarm(2), path: 'yard' });
  expect(await run(client, 'done')).toMatchObject({ output: '' });
  expect(await server.stop()).toBe(0);
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
});

test('a server does not start with a world-writable list', async () => {
  const { list } = await prepare(0o666);
  await expect(start(await emptyDatabase(), { COMMANDS_FILE: list })).rejects.toThrow(
    /can be written by others than its owner/,
  );
});
