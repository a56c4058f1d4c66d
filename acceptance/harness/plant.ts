import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createDatabase } from './database.ts';
import { granted } from './http/granted.ts';
import { type Answer, HttpClient } from './http/http-client.ts';
import { sampleOf } from './sample.ts';
import { firstAdmin, startServer } from './server.ts';

export { granted };

/** A separate installation with its administrator logged in. */
export type Plant = {
  readonly client: HttpClient;
  readonly databaseUrl: string;
  /** Host and prefix. */
  readonly baseUrl: string;
  /** Of the server's process. */
  readonly pid: number;
  /** Standard output and standard error of the server so far. */
  output(): string;
  /** Another client of the same server, with its own token or none. */
  someone(token?: string): HttpClient;
  close(): Promise<void>;
};

export type Page<Item> = { items: Item[]; paging: { offset?: number; limit: number; total: number } };

/** True in the third run of the conformance scenarios, through a client that writes as those of the .NET era. */
const habits = process.env['CLIENT_HABITS'] === '1';

/** The interface is the same at the root and under a prefix: every check runs at both, or at one of them for a change. */
export const basePaths = habits ? ['/alertws'] : sampleOf(['', '/alertws'], 1);

/** Many servers start in one run: the first one fills the compile cache for the others. */
const compileCache = join(tmpdir(), 'tocsin-compile-cache');

/** Runs no dispatcher by default, so that tests see records as the interface stored them. */
export async function openPlant(basePath: string, environment: Record<string, string> = {}): Promise<Plant> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const server = await startServer({
    databaseUrl: database.url,
    basePath,
    environment: {
      DRAIN_MS: '0',
      ROLES: 'api,hub',
      NODE_COMPILE_CACHE: compileCache,
      ...environment,
    },
  });
  const clients: HttpClient[] = [];
  const someone = (token?: string) => {
    const client = new HttpClient(server.baseUrl, token, { habits });
    clients.push(client);
    return client;
  };
  const client = someone();
  await client.logIn(firstAdmin.username, firstAdmin.password);
  return {
    client,
    databaseUrl: database.url,
    baseUrl: server.baseUrl,
    pid: server.pid,
    output: server.output,
    someone,
    close: async () => {
      for (const each of clients) each.close();
      await server.stop();
      await database.drop();
    },
  };
}

/** The status and content type of a refusal, and the status and code in its body. */
export function problemOf({ status: answered, headers, text }: Answer) {
  const [type] = headers['content-type']?.split(';') ?? [];
  const { status, code } = JSON.parse(text) as { status?: number; code?: string };
  return { answered, type, status, code };
}

/** The result of `problemOf` for a problem. */
export function problem(status: number, code: string): ReturnType<typeof problemOf> {
  return { answered: status, type: 'application/problem+json', status, code };
}

/** Creates an object of a collection and returns its identifier. */
export async function create(client: HttpClient, kind: string, body: object): Promise<number> {
  return granted<number>(await client.post(`/api/v1/${kind}`, body));
}

export function raise(client: HttpClient, body: object): Promise<number> {
  return create(client, 'alarms', body);
}

/** The body that a GET below `/api/v1/` answers. */
export async function read<Body>(client: HttpClient, path: string): Promise<Body> {
  return granted<Body>(await client.get(`/api/v1/${path}`));
}

export async function idsOf(client: HttpClient, path: string): Promise<number[]> {
  const { items } = await read<Page<{ id: number }>>(client, path);
  return items.map(({ id }) => id);
}

/** A user with a password, logged in. */
export async function logInAs(
  plant: Plant,
  user: { username: string; name?: string; role?: string; stationIds?: number[] },
): Promise<{ id: number; client: HttpClient }> {
  const password = 'a long enough password';
  const id = await create(plant.client, 'users', { ...user, password });
  const client = plant.someone();
  granted(await client.logIn(user.username, password));
  return { id, client };
}

/** Channels for telephones, text messages and e-mail whose providers never answer. */
export async function addPhones(client: HttpClient): Promise<void> {
  const settings = { url: 'http://127.0.0.1:1' };
  for (const medium of ['Voice', 'Sms']) {
    await create(client, 'channels', { name: `Phones ${medium}`, kind: 'simulated', medium, settings });
  }
  const mail = { host: '127.0.0.1', from: 'alarms@example.org' };
  await create(client, 'channels', { name: 'Mail', kind: 'email', settings: mail });
}

export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** `2026-04-29T09:07:42+02:00` */
export const offsetDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;
/** `2026-04-29T09:07:42` */
export const bareDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
export const duration = /^\d{2,}:[0-5]\d:[0-5]\d$/;

/** `hh:mm:ss` between two times of the interface. */
export function between(start: string | undefined, end: string | undefined): string {
  if (start === undefined || end === undefined) throw new Error('start and end are needed');
  const seconds = (Date.parse(end) - Date.parse(start)) / 1_000;
  const parts = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}
