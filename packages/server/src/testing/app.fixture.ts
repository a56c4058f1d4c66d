import type { Role } from '@tocsin/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../app.ts';
import { notAuthenticated } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { test as withRuntime } from './plant.fixture.ts';

type Body = InjectOptions['payload'];

/** An HTTP client with a token. */
export type Client = {
  get(path: string): Promise<LightMyRequestResponse>;
  post(path: string, body?: Body, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  put(path: string, body: Body, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
};

export type ClientSettings = {
  tenantId?: number;
  stationIds?: number[];
  userId?: number;
  name?: string;
  /** Makes it an API key instead of a user. */
  keyId?: number;
  binding?: Principal['binding'];
  tagOwner?: string;
};

/** Creates clients of an app, each with a token of its own in `principals`. */
export function clientsOf(app: HttpApp, principals: Map<string, Principal>) {
  return (role: Role, settings: ClientSettings = {}): Client => {
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
  };
}

/** The whole server on this runtime, which accepts the tokens of `principals`. */
export async function openApp(
  runtime: Runtime,
  principals: ReadonlyMap<string, Principal>,
  rateLimits?: RateLimits,
): Promise<HttpApp> {
  const authenticate = async (token: string) => {
    const principal = principals.get(token);
    if (!principal) throw notAuthenticated('unknown token');
    return principal;
  };
  const app = buildApp(runtime, authenticate, { basePath: '', reference: false, rateLimits });
  await app.ready();
  return app;
}

/**
 * `test` with `client(role)`: the whole server on a database of its own. The test makes the tokens, so that a client can
 * have any rights; real tokens are tested in the identity folder.
 */
export const test = withRuntime
  .extend('principals', () => new Map<string, Principal>())
  .extend('app', async ({ runtime, principals }, { onCleanup }): Promise<HttpApp> => {
    const app = await openApp(runtime, principals);
    onCleanup(() => app.close());
    return app;
  })
  .extend('client', ({ app, principals }) => clientsOf(app, principals));

function principalFor(role: Role, settings: ClientSettings): Principal {
  const { tenantId = 1, stationIds, userId = 1, name, keyId, binding, tagOwner } = settings;
  return {
    tenantId,
    subject: keyId === undefined ? `user:${userId}` : `key:${keyId}`,
    userId: keyId === undefined ? userId : undefined,
    name: name ?? role,
    role,
    permissions: new Set(permissionsOf[role]),
    stationIds,
    sessionId: undefined,
    binding,
    tagOwner,
  };
}
