import { LoginAnswer, LoginForm, LoginRefused } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createRefusalLimit } from '../../audit/refusal-limit.ts';
import { ProblemError } from '../../common/problem.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { relyingPartyOf } from '../second-factors/relying-party.ts';
import { completeLogIn } from './complete-log-in.ts';
import { deviceOf } from './device.ts';
import { type LoginRules, logIn, type SecondStep } from './log-in.ts';
import { logInByPasskey } from './log-in-by-passkey.ts';
import { logOut } from './log-out.ts';
import { type Grant, malformed, readGrant, readLoginForm, refusals } from './login-form.ts';
import { createLoginQueue } from './login-queue.ts';
import type { PasswordsElsewhere } from './passwords-elsewhere.ts';
import { refreshSession } from './refresh-session.ts';
import { clearedCookie, isFromOwnPage, readSessionCookie, sessionCookie } from './session-cookie.ts';
import type { LoginTokens } from './session-tokens.ts';

const maxFormBytes = 16_384;
/** Log-ins that may wait for the same address, name or password check. */
const maxWaitingLogins = 500;

const Empty = Type.Null({ description: 'No content.' });
const NoMembers = Type.Object({}, { description: 'Nothing is asked for.' });

export type AuthSettings = {
  readonly sessionHours: number;
  /** The address of the server for browsers; empty if it is that of their requests. */
  readonly publicUrl: string;
  readonly passwordsElsewhere: PasswordsElsewhere;
};

export function authRoutes(app: HttpApp, runtime: Runtime, settings: AuthSettings): void {
  void app.register(async (scope) => loginRoute(scope as HttpApp, runtime, settings));

  app.post(
    '/api/v1/auth/logout',
    {
      config: {
        permission: 'self',
        atDesk: true,
        beforeSecondFactor: true,
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
function loginRoute(app: HttpApp, runtime: Runtime, settings: AuthSettings): void {
  const rules = {
    queue: createLoginQueue(maxWaitingLogins),
    refusalLimit: createRefusalLimit(),
    ...settings,
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
      const tokens = await grant(runtime, rules, { request, asked });
      if (!tokens) return reply.code(400).send(refusals[asked.grant]);
      if ('methods' in tokens) return reply.code(400).send(secondFactorNeeded(tokens));
      if (asked.inCookie) {
        const { refreshToken: token, refreshSeconds: seconds } = tokens;
        void reply.header('set-cookie', sessionCookie(request, { token, path: cookiePath(app), seconds }));
      }
      return toWire(tokens, asked.inCookie);
    },
  );
}

async function grant(
  runtime: Runtime,
  rules: LoginRules & Pick<AuthSettings, 'publicUrl'>,
  { request, asked }: { request: FastifyRequest; asked: Grant },
): Promise<LoginTokens | SecondStep | undefined> {
  const { sessionHours, publicUrl } = rules;
  const { inCookie } = asked;
  const origin = auditOrigin(request);
  const client = { inCookie, origin, device: deviceOf(request) };
  if (asked.grant === 'password') return logIn(runtime, rules, { ...asked, ...client });
  if (asked.grant === 'refresh_token') {
    await rules.passwordsElsewhere.checkAgain(asked.refreshToken, origin);
    return refreshSession(runtime, { ...asked, origin, sessionHours });
  }
  const relyingParty = relyingPartyOf(request, publicUrl);
  if (asked.grant === 'second_factor')
    return completeLogIn(runtime, rules, { ...asked, ...client, relyingParty });
  return logInByPasskey(runtime, sessionHours, { ...client, proof: asked.proof, relyingParty });
}

function secondFactorNeeded({ token, methods }: SecondStep): LoginRefused {
  return {
    error: 'mfa_required',
    error_description: 'Send grant_type second_factor with mfa_token and one of the methods',
    mfa_token: token,
    methods,
  };
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
