import { IdParams, SignInAnswer, type SignInProblem, SignInTenant, SignInWays } from '@tocsin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ProblemError } from '../../common/problem.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { deviceOf } from '../../identity/sessions/device.ts';
import { sessionCookie } from '../../identity/sessions/session-cookie.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants, readTenant } from '../../postgres/tenant-transaction.ts';
import { findTenant } from '../outside-user.store.ts';
import { finishSignIn, signInSeconds } from './finish-sign-in.ts';
import { listEnabledIssuers } from './issuer.store.ts';
import { callbackPath } from './issuer.wire.ts';
import type { IssuerClients } from './issuer-clients.ts';
import { readSignInCookie, signInCookie } from './sign-in-cookie.ts';
import { startSignIn } from './start-sign-in.ts';

const tags = ['auth'];
const Redirect = Type.Null({ description: 'The address to go to is in `Location`.' });

export type SignInSettings = {
  readonly clients: IssuerClients;
  /** The address of the server for people, with the base path; empty if it is not set. */
  readonly publicUrl: string;
  readonly sessionHours: number;
};

/** Sign-in of browsers through the OpenID Connect issuers of a tenant. */
export function signInRoutes(app: HttpApp, runtime: Runtime, settings: SignInSettings): void {
  waysRoute(app, runtime);
  startRoute(app, runtime, settings);
  callbackRoute(app, runtime, settings);
}

/** Whether somebody can log in with a passkey alone. */
const passkeys = true;

function waysRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/auth/ways',
    {
      config: { permission: 'public' },
      schema: {
        tags,
        summary: 'List the ways to sign in besides a password',
        description: 'In an installation with several tenants, issuers are listed for a named tenant only.',
        querystring: SignInTenant,
        response: { 200: SignInWays },
      },
    },
    async ({ query: { tenant = '' } }) => {
      const { database } = runtime;
      const tenantId = await outsideTenants(database, (outside) => findTenant(outside, tenant));
      if (tenantId === undefined) return { passkeys, issuers: [] };
      const issuers = await readTenant(database, tenantId, listEnabledIssuers);
      const urlOf = (id: number) => `${app.prefix}/api/v1/auth/oidc/${id}/start?tenant=${tenantId}`;
      return { passkeys, issuers: issuers.map(({ id, name }) => ({ id, name, url: urlOf(id) })) };
    },
  );
}

function startRoute(app: HttpApp, runtime: Runtime, { clients, publicUrl }: SignInSettings): void {
  app.get(
    '/api/v1/auth/oidc/:id/start',
    {
      config: { permission: 'public' },
      schema: {
        tags,
        summary: 'Go to the sign-in page of an issuer',
        params: IdParams,
        querystring: SignInTenant,
        response: { 302: Redirect },
      },
    },
    async (request, reply) => {
      const { tenant = '' } = request.query;
      const tenantId = await outsideTenants(runtime.database, (outside) => findTenant(outside, tenant));
      if (tenantId === undefined) throw new ProblemError('not-found', 'There is no such way to sign in');
      const redirectUri = redirectUriOf(app, request, publicUrl);
      const started = await startSignIn(runtime, clients, {
        tenantId,
        issuerId: request.params.id,
        redirectUri,
      });
      if ('problem' in started) return toSignInPage(app, reply, started.problem);
      const cookie = { secret: started.cookie, path: cookiePath(app), seconds: signInSeconds };
      reply.header('set-cookie', signInCookie(request, cookie)).header('cache-control', 'no-store');
      return reply.redirect(started.location, 302);
    },
  );
}

function callbackRoute(app: HttpApp, runtime: Runtime, settings: SignInSettings): void {
  const { clients, publicUrl, sessionHours } = settings;
  app.get(
    callbackPath,
    {
      config: { permission: 'public' },
      schema: {
        tags,
        summary: 'Come back from the sign-in page of an issuer',
        description:
          'Opens a session in a cookie and goes to the console, or to its sign-in page with `?problem=`.',
        querystring: SignInAnswer,
        response: { 302: Redirect },
      },
    },
    async (request, reply) => {
      const cleared = signInCookie(request, { secret: '', path: cookiePath(app), seconds: 0 });
      reply.header('set-cookie', cleared).header('cache-control', 'no-store');
      const finished = await finishSignIn(runtime, clients, {
        answer: request.query,
        cookie: readSignInCookie(request),
        redirectUri: redirectUriOf(app, request, publicUrl),
        device: deviceOf(request),
        origin: auditOrigin(request),
        sessionHours,
      });
      if ('problem' in finished) return toSignInPage(app, reply, finished.problem);
      const { refreshToken: token, refreshSeconds: seconds } = finished.tokens;
      const path = `${app.prefix}/api/v1/auth`;
      // Fastify keeps both cookies.
      reply.header('set-cookie', sessionCookie(request, { token, path, seconds }));
      return reply.redirect(`${app.prefix}/`, 302);
    },
  );
}

function toSignInPage({ prefix }: HttpApp, reply: FastifyReply, problem: SignInProblem) {
  return reply.redirect(`${prefix}/sign-in?problem=${problem}`, 302);
}

/** The address that the issuer sends the browser back to: without a public address, the one that the browser used. */
function redirectUriOf({ prefix }: HttpApp, { protocol, host }: FastifyRequest, publicUrl: string): string {
  const base = publicUrl === '' ? `${protocol}://${host}${prefix}` : publicUrl;
  return new URL(`${base}${callbackPath}`).href;
}

function cookiePath({ prefix }: HttpApp): string {
  return `${prefix}/api/v1/auth/oidc`;
}
