import { LoginAnswer, LoginForm, LoginRefused } from '@tocsin/contract';
import { Type } from 'typebox';
import { createRefusalLimit } from '../audit/refusal-limit.ts';
import { auditOrigin } from '../http/audit-origin.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../runtime.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { malformed, readGrant, readLoginForm, refusals } from './login-form.ts';
import { refreshSession } from './refresh-session.ts';
import type { Entered } from './session-tokens.ts';
import { createTurns } from './turns.ts';

const formBytes = 16_384;
const longestLine = 500;

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
      await logOut(runtime, principalOf(request), auditOrigin(request));
      return reply.code(204).send(null);
    },
  );
}

/** In a scope of its own: here a body is a form, and nothing else is. */
function loginRoute(app: HttpApp, runtime: Runtime, sessionHours: number): void {
  const rules = { turns: createTurns(longestLine), refusalLimit: createRefusalLimit(), sessionHours };
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
      bodyLimit: formBytes,
      // What is wrong with the form is told as OAuth tells it, not as a problem.
      attachValidation: true,
    },
    async (request, reply) => {
      const asked = request.validationError ? malformed : readGrant(request.body);
      if ('error' in asked) return reply.code(400).send(asked);
      const origin = auditOrigin(request);
      const entered =
        asked.grant === 'password'
          ? await logIn(runtime, rules, { ...asked, origin })
          : await refreshSession(runtime, { ...asked, origin, sessionHours });
      return entered ? toWire(entered) : reply.code(400).send(refusals[asked.grant]);
    },
  );
}

function toWire({ accessToken, accessSeconds, refreshToken, userId, name }: Entered): LoginAnswer {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: accessSeconds,
    refresh_token: refreshToken,
    id: String(userId),
    name,
  };
}
