import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createDatabase } from './database.ts';
import { type Answer, OldClient } from './old-client.ts';
import { firstAdmin, startServer } from './server.ts';

/** An installation of its own, with its administrator logged in. */
export type Plant = {
  readonly client: OldClient;
  readonly databaseUrl: string;
  /** Host and prefix. */
  readonly baseUrl: string;
  /** Somebody else at the same server: a token of their own, or none. */
  someone(token?: string): OldClient;
  close(): Promise<void>;
};

export type Page<Item> = { items: Item[]; paging: { offset?: number; limit: number; total: number } };

/** The third run of the conformance scenarios: the same checks, through a client that writes as those of the .NET era. */
const habits = process.env['CLIENT_HABITS'] === '1';

/** The interface is the same at the root and under a prefix: every check runs at both. */
export const basePaths = habits ? ['/alertws'] : ['', '/alertws'];

/** Many servers start in one run: what the first one compiled, the others load. */
const compileCache = join(tmpdir(), 'tocsin-compile-cache');

/** Nobody is called from it unless `ROLES` says so: what the interface stores is looked at as it was stored. */
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
  const clients: OldClient[] = [];
  const someone = (token?: string) => {
    const client = new OldClient(server.baseUrl, token, { habits });
    clients.push(client);
    return client;
  };
  const client = someone();
  await client.logIn(firstAdmin.username, firstAdmin.password);
  return {
    client,
    databaseUrl: database.url,
    baseUrl: server.baseUrl,
    someone,
    close: async () => {
      for (const each of clients) each.close();
      await server.stop();
      await database.drop();
    },
  };
}

/** The body of an answer that must be 200. */
export function granted<Body>(answer: Answer): Body {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer.json<Body>();
}

/** What a refusal tells: the status of the answer, the kind of its body, and the status and code in it. */
export function problemOf({ status: answered, headers, text }: Answer) {
  const [type] = headers['content-type']?.split(';') ?? [];
  const { status, code } = JSON.parse(text) as { status?: number; code?: string };
  return { answered, type, status, code };
}

/** What `problemOf` tells of a problem. */
export function problem(status: number, code: string): ReturnType<typeof problemOf> {
  return { answered: status, type: 'application/problem+json', status, code };
}

/** Makes one of a kind and gives its identifier. */
export async function create(client: OldClient, kind: string, body: object): Promise<number> {
  return granted<number>(await client.post(`/api/v1/${kind}`, body));
}

export function raise(client: OldClient, body: object): Promise<number> {
  return create(client, 'alarms', body);
}

/** What a GET below `/api/v1/` answers. */
export async function read<Body>(client: OldClient, path: string): Promise<Body> {
  return granted<Body>(await client.get(`/api/v1/${path}`));
}

export async function idsOf(client: OldClient, path: string): Promise<number[]> {
  const { items } = await read<Page<{ id: number }>>(client, path);
  return items.map(({ id }) => id);
}

/** A user with a password, logged in. */
export async function logInAs(
  plant: Plant,
  user: { username: string; name?: string; role?: string; stationIds?: number[] },
): Promise<{ id: number; client: OldClient }> {
  const password = 'a long enough password';
  const id = await create(plant.client, 'users', { ...user, password });
  const client = plant.someone();
  granted(await client.logIn(user.username, password));
  return { id, client };
}

/** Channels for telephones, text messages and mail, at which nobody answers. */
export async function addPhones(client: OldClient): Promise<void> {
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

/** `hh:mm:ss` between two times that the interface shows. */
export function between(start: string | undefined, end: string | undefined): string {
  if (start === undefined || end === undefined) throw new Error('both ends are needed');
  const seconds = (Date.parse(end) - Date.parse(start)) / 1_000;
  const parts = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}
