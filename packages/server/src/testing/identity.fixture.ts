import type { Role } from '@tocsin/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { test as base } from 'vitest';
import { buildApp } from '../app.ts';
import type { Authenticate } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { createAuthenticate } from '../identity/authenticate.ts';
import { hashPassword } from '../identity/sessions/password.ts';
import { nextId } from '../postgres/next-id.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { FakeClock, openPlant, test as withRuntime } from './plant.fixture.ts';

export const goodPassword = 'correct horse battery';

export type NewUser = {
  username?: string;
  password?: string | null;
  role?: Role;
  stationIds?: number[];
  enabled?: boolean;
  tenantId?: number;
};

/** Inserts a user into the database, and returns the id. */
export async function addUser({ database }: Runtime, user: NewUser = {}): Promise<number> {
  const { username = 'anna', password = goodPassword, role = 'operator', tenantId = 1 } = user;
  const { stationIds = [], enabled = true } = user;
  const passwordHash = password === null ? null : await hashPassword(password);
  return inTenant(database, tenantId, async (transaction) => {
    const id = await nextId(transaction, 'user');
    const name = `${username} at the plant`;
    await transaction
      .insertInto('users')
      .values({
        tenantId,
        id,
        username,
        name,
        searchText: '',
        role,
        stationIds,
        enabled,
        passwordHash,
        lastChange: transaction.now,
      })
      .execute();
    await transaction
      .insertInto('logins')
      .values({ usernameKey: username.toLowerCase(), tenantId, userId: id })
      .execute();
    return id;
  });
}

/** Inserts an outside identity of a user into the database. */
export async function linkUser(
  { database }: Runtime,
  { tenantId = 1, ...identity }: { userId: number; issuer: string; subject: string; tenantId?: number },
): Promise<void> {
  await inTenant(database, tenantId, (transaction) =>
    transaction
      .insertInto('userIdentities')
      .values({ tenantId, ...identity })
      .execute(),
  );
}

/** Requests with passwords and tokens, as real clients send them. */
export type Door = {
  form(fields: Record<string, string>, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  logIn(username?: string, password?: string, from?: string): Promise<LightMyRequestResponse>;
  refresh(refreshToken: string): Promise<LightMyRequestResponse>;
  /** A request that needs a valid token. */
  get(token: string, path?: string): Promise<LightMyRequestResponse>;
  post(token: string, path: string, body?: object): Promise<LightMyRequestResponse>;
  delete(token: string, path: string): Promise<LightMyRequestResponse>;
  send(options: InjectOptions): Promise<LightMyRequestResponse>;
};

/** The whole server with real tokens. */
export type Installation = {
  runtime: Runtime;
  authenticate: Authenticate;
  door: Door;
  close: () => Promise<void>;
};

export async function openInstallation(
  runtime: Runtime,
  clock: FakeClock,
  settings: { sessionHours?: number } = {},
): Promise<Installation> {
  const authenticate = createAuthenticate({ runtime, issuers: [], now: clock.now });
  const app = buildApp(runtime, authenticate, { basePath: '', reference: false, ...settings });
  await app.ready();
  return { runtime, authenticate, door: doorOf(app), close: () => app.close() };
}

function doorOf(app: HttpApp): Door {
  const form = (fields: Record<string, string>, headers = {}, remoteAddress = '203.0.113.7') =>
    app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
      remoteAddress,
    });
  return {
    form,
    logIn: (username = 'anna', password = goodPassword, from) =>
      form({ grant_type: 'password', username, password }, {}, from),
    refresh: (refreshToken) => form({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    get: (token, path = '/stations') =>
      app.inject({ method: 'GET', url: `/api/v1${path}`, headers: bearer(token) }),
    post: (token, path, body) =>
      app.inject({
        method: 'POST',
        url: `/api/v1${path}`,
        headers: bearer(token),
        ...(body !== undefined && { payload: body }),
      }),
    delete: (token, path) => app.inject({ method: 'DELETE', url: `/api/v1${path}`, headers: bearer(token) }),
    send: (options) => app.inject(options),
  };
}

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** `test` with a server of its own, and a clock that stands still. */
export const test = withRuntime
  .extend('installation', async ({ runtime, clock }, { onCleanup }) => {
    const installation = await openInstallation(runtime, clock);
    onCleanup(installation.close);
    return installation;
  })
  .extend('door', ({ installation }) => installation.door)
  .extend('authenticate', ({ installation }) => installation.authenticate);

/** `test` with one server for the whole file, for requests that change nothing. */
export const testInOneInstallation = base
  .extend('clock', { scope: 'file' }, () => new FakeClock('2026-03-01T06:00:00Z'))
  .extend('installation', { scope: 'file' }, async ({ clock }, { onCleanup }) => {
    const { runtime, close } = await openPlant(clock);
    const installation = await openInstallation(runtime, clock);
    onCleanup(async () => {
      await installation.close();
      await close();
    });
    return installation;
  });
