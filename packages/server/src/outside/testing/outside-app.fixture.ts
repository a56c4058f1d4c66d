import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../../app.ts';
import { createEgress } from '../../channels/network/egress.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { createAuthenticate } from '../../identity/authenticate.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { addUser, goodPassword } from '../../testing/identity.fixture.ts';
import { type FakeClock, test as withRuntime } from '../../testing/plant.fixture.ts';
import { testBox } from '../../testing/test-box.ts';

/** A server whose operator allows connections to this machine, with real tokens. */
export async function openOutsideApp(runtime: Runtime, clock: FakeClock): Promise<HttpApp> {
  const authenticate = createAuthenticate({ runtime, issuers: [], now: clock.now });
  const channels = { box: testBox, egressOf: createEgress(['127.0.0.1:*']) };
  const app = buildApp(runtime, authenticate, { basePath: '', reference: false, channels });
  await app.ready();
  return app;
}

/** Requests of people, each as a browser at the address of the server would send it. */
export type People = {
  send(options: InjectOptions & { url: string }): Promise<LightMyRequestResponse>;
  form(fields: Record<string, string>, from?: string): Promise<LightMyRequestResponse>;
  logIn(username: string, password: string, from?: string): Promise<LightMyRequestResponse>;
  /** Sends as an administrator of the tenant. */
  admin(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    tenantId?: number,
  ): Promise<LightMyRequestResponse>;
};

export function peopleAt(app: HttpApp, runtime: Runtime): People {
  const tokens = new Map<number, Promise<string>>();
  const send: People['send'] = ({ headers, ...options }) =>
    app.inject({
      remoteAddress: '203.0.113.7',
      ...options,
      headers: { host: 'tocsin.example', ...headers },
    });
  const form: People['form'] = (fields, remoteAddress = '203.0.113.7') =>
    send({
      method: 'POST',
      url: '/api/v1/auth/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
      remoteAddress,
    });
  const logIn: People['logIn'] = (username, password, from) =>
    form({ grant_type: 'password', username, password }, from);
  const tokenOf = async (tenantId: number) => {
    await addUser(runtime, { username: 'chief', role: 'admin', tenantId });
    const answer = await logIn(`chief@${tenantId}`, goodPassword, '198.51.100.9');
    return answer.json<{ access_token: string }>().access_token;
  };
  const admin: People['admin'] = async (method, path, body, tenantId = 1) => {
    const token = tokens.get(tenantId) ?? tokenOf(tenantId);
    tokens.set(tenantId, token);
    const headers = { authorization: `Bearer ${await token}` };
    return send({ method, url: `/api/v1${path}`, headers, ...(body && { payload: body }) });
  };
  return { send, form, logIn, admin };
}

/** `test` with such a server, its database, and people who use it. */
export const test = withRuntime
  .extend('app', async ({ runtime, clock }, { onCleanup }) => {
    const app = await openOutsideApp(runtime, clock);
    onCleanup(() => app.close());
    return app;
  })
  .extend('people', ({ app, runtime }) => peopleAt(app, runtime));
