import type { Role } from '@tocsin/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../app.ts';
import { notAuthenticated } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import { test as withRuntime } from './plant.fixture.ts';

type Body = InjectOptions['payload'];

/** Somebody at the plant with a token, talking HTTP to the server. */
export type Client = {
  get(path: string): Promise<LightMyRequestResponse>;
  post(path: string, body?: Body, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  put(path: string, body: Body, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
};

export type ClientSettings = { tenantId?: number; stationIds?: number[]; userId?: number; name?: string };

/**
 * `test` with `client(role)`: the whole server on a database of its own. Tokens are those of the test, so that
 * a client can be anybody; how real tokens come about is tested with the identity folder.
 */
export const test = withRuntime
  .extend('principals', () => new Map<string, Principal>())
  .extend('app', async ({ runtime, principals }, { onCleanup }): Promise<HttpApp> => {
    const authenticate = async (token: string) => {
      const principal = principals.get(token);
      if (!principal) throw notAuthenticated('unknown token');
      return principal;
    };
    const app = buildApp(runtime, authenticate, { basePath: '', reference: false });
    onCleanup(() => app.close());
    await app.ready();
    return app;
  })
  .extend('client', ({ app, principals }) => (role: Role, settings: ClientSettings = {}): Client => {
    const token = crypto.randomUUID();
    principals.set(token, principalFor(role, settings));
    const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Body, headers = {}) =>
      app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body !== undefined && { payload: body }),
      });
    return {
      get: (path) => send('GET', path),
      post: (path, body, headers) => send('POST', path, body, headers),
      put: (path, body, headers) => send('PUT', path, body, headers),
      delete: (path, headers) => send('DELETE', path, undefined, headers),
    };
  });

function principalFor(role: Role, { tenantId = 1, stationIds, userId = 1, name }: ClientSettings): Principal {
  return {
    tenantId,
    subject: `user:${userId}`,
    userId,
    name: name ?? role,
    role,
    permissions: new Set(permissionsOf[role]),
    stationIds,
    sessionId: undefined,
  };
}
