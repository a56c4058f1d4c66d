import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { Alarm, AlarmChange, CallChange, Resumed, Sound } from '@tocsin/contract';
import pg from 'pg';
import { pino } from 'pino';
import { test as base, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type RunningServer, serve } from '../../serve.ts';
import { type Config, readConfig } from '../../settings/config.ts';
import { addTenant as createTenantByCommand } from '../../setup/add-tenant.ts';
import { cloneDatabase } from '../../testing/plant.fixture.ts';
import { testKey } from '../../testing/test-box.ts';

const password = 'correct horse battery';
const silent = pino({ level: 'silent' });
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_PORT: '0',
  DRAIN_MS: '0',
  ALLOW_SUPERUSER_LOGIN: 'true',
};

/** A client of the HTTP interface with its token. */
export type Caller = {
  readonly token: string;
  get<Body = unknown>(path: string): Promise<Body>;
  post<Body = unknown>(path: string, body?: object): Promise<Body>;
  put(path: string, body: object): Promise<void>;
  delete(path: string): Promise<void>;
  /** The answer of `POST /alarms`: the alarm's id. */
  raise(path: string, more?: object): Promise<number>;
};

/** A client of the hub, and the callbacks that it got, in order. */
export type Listener = {
  readonly connection: HubConnection;
  readonly alarms: Alarm[];
  readonly changes: AlarmChange[];
  readonly calls: CallChange[];
  readonly sounds: Sound[];
  /** Resolves with the reason once the connection is closed. */
  readonly closed: Promise<Error | undefined>;
  paths(): string[];
  subscribe(filter?: object): Promise<Resumed>;
  resume(after: number | null): Promise<Resumed>;
};

export type HubSite = {
  readonly databaseUrl: string;
  /** Starts a server, by default with the first administrator `admin`. */
  start(more?: Partial<Config>, firstAdmin?: Partial<Config>): Promise<RunningServer>;
  /** Creates another tenant, and logs its administrator in. */
  addTenant(server: RunningServer, name: string, username: string): Promise<Caller>;
  /** Runs SQL as the owner of the database, in the first tenant. */
  asOwner<Result>(run: (owner: pg.Client) => Promise<Result>): Promise<Result>;
};

/** `test` with a database of its own, on which any number of servers can be started. */
export const test = base
  .extend('clone', () => cloneDatabase())
  .extend('site', async ({ clone: { url, drop } }, { onCleanup }): Promise<HubSite> => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-hub-'));
    const running: RunningServer[] = [];
    onCleanup(async () => {
      await Promise.all(running.map((server) => server.stop()));
      await rm(folder, { recursive: true });
      await drop();
    });
    const admin = { firstAdminUsername: 'admin', firstAdminPassword: password };
    const start = async (more: Partial<Config> = {}, firstAdmin: Partial<Config> = admin) => {
      const config = {
        ...readConfig({ DATABASE_URL: url, ...settings }),
        ...firstAdmin,
        secretsKey: testKey,
        ...more,
      };
      const server = await serve(config, silent);
      let stopping: Promise<void> | undefined;
      const once = { ...server, stop: () => (stopping ??= server.stop()) };
      running.push(once);
      return once;
    };
    const addTenant: HubSite['addTenant'] = async (server, name, username) => {
      await writeFile(join(folder, 'password'), password);
      const args = [name, '--admin', username, '--password-file', join(folder, 'password')];
      await createTenantByCommand(readConfig({ DATABASE_URL: url, ...settings }), silent, args);
      return logIn(server, username);
    };
    return { databaseUrl: url, start, addTenant, asOwner: (run) => asOwner(url, run) };
  })
  .extend('server', ({ site }) => site.start())
  .extend('admin', ({ server }) => logIn(server));

async function asOwner<Result>(url: string, run: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query("select set_config('tocsin.tenant', '1', false)");
    return await run(owner);
  } finally {
    await owner.end();
  }
}

export async function logIn({ url }: RunningServer, username = 'admin'): Promise<Caller> {
  const form = new URLSearchParams({ grant_type: 'password', username, password });
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body: form });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return callerOf(url, token);
}

export function callerOf(url: string, token: string): Caller {
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...bearer(token), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  return {
    token,
    get: async <Body>(path: string) => (await send('GET', path)) as Body,
    post: async <Body>(path: string, body: object = {}) => (await send('POST', path, body)) as Body,
    put: async (path, body) => void (await send('PUT', path, body)),
    delete: async (path) => void (await send('DELETE', path)),
    raise: async (path, more = {}) =>
      (await send('POST', '/alarms', { path, eventCondition: { reactivatable: true }, ...more })) as number,
  };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The status of an upgrade to WebSocket: 101, or the status it is refused with. */
export function upgradeStatus(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', reject);
  });
}

/** Raises one alarm after the other, and returns their paths. */
export async function raiseMany(admin: Caller, name: string, count: number, first = 1): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, index) => `${name}/${first + index}`);
  for (const path of paths) await admin.raise(path);
  return paths;
}

/** Creates a user of the first tenant, and logs them in. */
export async function addUser(
  server: RunningServer,
  admin: Caller,
  user: { username: string; role?: string; stationIds?: number[] },
): Promise<Caller & { userId: number }> {
  const userId = await admin.post<number>('/users', { role: 'operator', ...user, password });
  return { ...(await logIn(server, user.username)), userId };
}

/** Connects with the official client, and records its callbacks. */
export async function listen(
  { url }: Pick<RunningServer, 'url'>,
  token: string,
  transport = HttpTransportType.WebSockets,
): Promise<Listener> {
  const connection = new HubConnectionBuilder()
    .withUrl(`${url}/alarmHub`, { accessTokenFactory: () => token, transport })
    .configureLogging(LogLevel.None)
    .build();
  const alarms: Alarm[] = [];
  const changes: AlarmChange[] = [];
  const calls: CallChange[] = [];
  const sounds: Sound[] = [];
  connection.on('onAlarm', (...args: Alarm[]) => alarms.push(...args));
  connection.on('onCallChanged', (...args: CallChange[]) => calls.push(...args));
  connection.on('onPlaySound', (...args: Sound[]) => sounds.push(...args));
  connection.on('onAlarmChanged', (...args: AlarmChange[]) => changes.push(...args));
  const closed = new Promise<Error | undefined>((resolve) => connection.onclose(resolve));
  await connection.start();
  onTestFinished(() => connection.stop());
  return {
    connection,
    alarms,
    changes,
    calls,
    sounds,
    closed,
    paths: () => alarms.map(({ path }) => path),
    subscribe: (filter) => connection.invoke<Resumed>('subscribe', ...(filter ? [filter] : [])),
    resume: (after) => connection.invoke<Resumed>('resume', after),
  };
}

/** Waits long enough for messages under way to arrive. */
export const settle = () => sleep(150);
