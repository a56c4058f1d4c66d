import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningServer, serve } from './serve.ts';
import { type Config, readConfig } from './settings/config.ts';
import { setUpInvitation } from './setup/set-up-invitation.ts';
import { cloneDatabase } from './testing/plant.fixture.ts';
import { testKey } from './testing/test-box.ts';

const password = 'correct horse battery';
const silent = pino({ level: 'silent' });

/** A database of its own, and a function that starts servers on it; both are removed after the test. */
async function site() {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    DRAIN_MS: '0',
    ALLOW_SUPERUSER_LOGIN: 'true',
  };
  const start = async (more: Partial<Config> = {}) => {
    const server = await serve(
      { ...readConfig({ DATABASE_URL: url, ...settings }), secretsKey: testKey, ...more },
      silent,
    );
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= server.stop());
    onTestFinished(stop);
    return { ...server, stop };
  };
  return { url, start };
}

const admin = { firstAdminUsername: 'admin', firstAdminPassword: password };

async function logIn({ url }: RunningServer): Promise<Response> {
  const form = new URLSearchParams({ grant_type: 'password', username: 'admin', password });
  return fetch(`${url}/api/v1/auth/login`, { method: 'POST', body: form });
}

async function tokenOf(server: RunningServer): Promise<string> {
  const { access_token: token } = (await (await logIn(server)).json()) as { access_token: string };
  return token;
}

test('a server with a first administrator accepts an alarm and lists it', async () => {
  const { start } = await site();
  const server = await start({ ...admin, basePath: '/alertws' });
  expect(server.setUpCode).toBeUndefined();
  const authorization = `Bearer ${await tokenOf(server)}`;
  const raised = await fetch(`${server.url}/api/v1/alarms`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ path: 'pump/1', alarmMessage: 'Pump 1 is hot' }),
  });
  expect(await raised.json()).toBe(1);
  const listed = await fetch(`${server.url}/api/v1/alarms`, { headers: { authorization } });
  expect(await listed.json()).toMatchObject({
    items: [{ id: 1, message: 'Pump 1 is hot' }],
    paging: { total: 1 },
  });
});

test('an empty installation prints a set-up command, and the command works', async () => {
  const { start } = await site();
  const server = await start();
  const invitation = setUpInvitation(server.url, server.setUpCode ?? '');
  const [, at = ''] = /curl (\S+)/.exec(invitation) ?? [];
  const [, body = ''] = /-d '(.+)'/.exec(invitation) ?? [];
  const answer = await fetch(at, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(answer.status).toBe(200);
  expect((await start()).setUpCode, 'at the next start').toBeUndefined();
});

test('the printed command names a host that can be reached', () => {
  expect(setUpInvitation('http://0.0.0.0:8080/x', 'C')).toContain(
    'curl http://localhost:8080/x/api/v1/setup',
  );
  expect(setUpInvitation('http://[::]:8080', 'C')).toContain('curl http://localhost:8080/api/v1/setup');
});

test('a stopping server answers pending requests, and closes its connections', async () => {
  const { start, url } = await site();
  const server = await start({ ...admin, drainMs: 300 });
  const token = await tokenOf(server);
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  await lock.query('begin; lock table stations in exclusive mode');
  const waiting = fetch(`${server.url}/api/v1/stations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'North' }),
  });
  await expect
    .poll(async () => (await lock.query('select from pg_locks where not granted')).rowCount)
    .toBeGreaterThan(0);

  const stopped = server.stop();
  const probe = await fetch(`${server.url}/readyz`);
  expect(probe.status).toBe(503);
  expect(probe.headers.get('connection')).toBe('close');
  expect((await logIn(server)).status, 'asked while draining').toBe(200);

  setTimeout(() => void lock.query('commit'), 600);
  const answer = await waiting;
  expect(answer.status).toBe(200);
  expect(answer.headers.get('connection')).toBe('close');
  await stopped;
  await expect(fetch(`${server.url}/livez`)).rejects.toThrow('fetch failed');
  await lock.end();
});

test('a connection without a request does not delay a stop', async () => {
  const { start } = await site();
  const server = await start(admin);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  // A delayed stop would exceed the time limit of the test.
  await server.stop();
  expect(await closed, 'closed without an error').toEqual([false]);
});

test('without AUTO_MIGRATE a server does not start on a database that lacks migrations', async () => {
  const { start, url } = await site();
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query("delete from migrations where name like '0002%'");
  await owner.end();
  await expect(start({ autoMigrate: false })).rejects.toThrow(
    /lacks 0002_plant.sql: run the `migrate` command/,
  );
});

test('a failed migration is reported with its reason', async () => {
  const { start } = await site();
  const migrateDatabaseUrl = 'postgres://nobody@127.0.0.1:1/nothing';
  await expect(start({ migrateDatabaseUrl })).rejects.toThrow(/could not be migrated: connect ECONNREFUSED/);
});
