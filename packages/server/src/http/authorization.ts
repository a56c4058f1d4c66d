import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';
import type { HttpApp } from './http-app.ts';
import type { Principal } from './principal.ts';
import type { Charge } from './rate-limit.ts';

/** Turns a bearer token into the one who holds it, or throws `not-authenticated`. */
export type Authenticate = (token: string) => Promise<Principal>;

/**
 * Every route but the public ones: a token first, then the permission it needs, before the body is even read.
 * In between the request is charged, so that one who is refused pays for it too.
 */
export function requireTokens(app: HttpApp, authenticate: Authenticate, charge: Charge = () => {}): void {
  app.addHook('onRequest', async (request, reply) => {
    const permission = request.routeOptions.config.permission ?? 'public';
    if (permission === 'protocol') return;
    try {
      if (permission !== 'public') request.principal = await authenticate(bearerToken(request));
    } finally {
      charge(request, reply);
    }
    if (permission === 'public' || permission === 'self') return;
    const principal = principalOf(request);
    if (principal.permissions.has(permission)) return;
    throw new ProblemError('not-allowed', `${principal.name} (${principal.role}) lacks ${permission}`);
  });
}

/** The principal of a request whose route needs a token. */
export function principalOf(request: Pick<FastifyRequest, 'principal'>): Principal {
  if (!request.principal) throw new Error('the route is public: it has no principal');
  return request.principal;
}

export function notAuthenticated(detail: string): ProblemError {
  return new ProblemError('not-authenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="tocsin"' },
  });
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw notAuthenticated('Send Authorization: Bearer <access token>');
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(header) ?? [];
  if (token === undefined)
    throw notAuthenticated('The Authorization header is not of the form Bearer <access token>');
  return token;
}
