import { LoginAnswer, LoginForm, LoginRefused } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createRefusalLimit } from '../../audit/refusal-limit.ts';
import { ProblemError } from '../../common/problem.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { malformed, readGrant, readLoginForm, refusals } from './login-form.ts';
import { createLoginQueue } from './login-queue.ts';
import { refreshSession } from './refresh-session.ts';
import { clearedCookie, isFromOwnPage, readSessionCookie, sessionCookie } from './session-cookie.ts';
import type { LoginTokens } from './session-tokens.ts';

const maxFormBytes = 16_384;
const maxDeviceLength = 200;
/** Log-ins that may wait for the same address, name or password check. */
const maxWaitingLogins = 500;

const Empty = Type.Null({ description: 'No content.' });
const NoMembers = Type.Object({}, { description: 'Nothing is asked for.' });

export function authRoutes(app: HttpApp, runtime: Runtime, sessionHours: number): void {
  void app.register(async (scope) => loginRoute(scope as HttpApp, runtime, sessionHours));

  app.post(
    '/api/v1/auth/logout',
    {
      config: {
        permission: 'self',
        bodyOptional: true,
        audit: { action: 'session.close', object: 'session' },
      },
      schema: { tags: ['auth'], summary: 'End this session', body: NoMembers, response: { 204: Empty } },
    },
    async (request, reply) => {
      const cookie = readSessionCookie(request);
      const { ownsCookie } = await logOut(runtime, principalOf(request), {
        cookie,
        origin: auditOrigin(request),
      });
      if (ownsCookie) void reply.header('set-cookie', clearedCookie(request, cookiePath(app)));
      return reply.code(204).send(null);
    },
  );
}

/** In a scope of its own, because only this route accepts a form, and nothing else. */
function loginRoute(app: HttpApp, runtime: Runtime, sessionHours: number): void {
  const rules = {
    queue: createLoginQueue(maxWaitingLogins),
    refusalLimit: createRefusalLimit(),
    sessionHours,
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, readLoginForm(String(text))),
  );

  app.post(
    '/api/v1/auth/login',
    {
      config: { permission: 'public', audit: { action: 'session.open', object: 'session' } },
      schema: {
        tags: ['auth'],
        summary: 'Get an access token',
        consumes: ['application/x-www-form-urlencoded'],
        body: LoginForm,
        response: { 200: LoginAnswer, 400: LoginRefused },
      },
      bodyLimit: maxFormBytes,
      // Faults of the form are answered as OAuth errors, not as problems.
      attachValidation: true,
    },
    async (request, reply) => {
      const asked = request.validationError ? malformed : readGrant(request.body, readSessionCookie(request));
      if ('error' in asked) return reply.code(400).send(asked);
      if (asked.inCookie && !isFromOwnPage(request))
        throw new ProblemError('not-allowed', 'A session in a cookie is for pages of this server only');
      const origin = auditOrigin(request);
      const tokens =
        asked.grant === 'password'
          ? await logIn(runtime, rules, { ...asked, device: deviceOf(request), origin })
          : await refreshSession(runtime, { ...asked, origin, sessionHours });
      if (!tokens) return reply.code(400).send(refusals[asked.grant]);
      if (asked.inCookie) {
        const { refreshToken: token, refreshSeconds: seconds } = tokens;
        void reply.header('set-cookie', sessionCookie(request, { token, path: cookiePath(app), seconds }));
      }
      return toWire(tokens, asked.inCookie);
    },
  );
}

/** The browser or program of the user. */
function deviceOf({ headers }: FastifyRequest): string {
  return (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxDeviceLength);
}

/** Below the base path of the server. */
function cookiePath({ prefix }: HttpApp): string {
  return `${prefix}/api/v1/auth`;
}

function toWire(
  { accessToken, accessSeconds, refreshToken, userId, name }: LoginTokens,
  inCookie: boolean,
): LoginAnswer {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: accessSeconds,
    ...(!inCookie && { refresh_token: refreshToken }),
    id: String(userId),
    name,
  };
}
