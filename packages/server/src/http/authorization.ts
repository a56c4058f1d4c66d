import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';
import type { HttpApp } from './http-app.ts';
import type { Principal } from './principal.ts';
import type { Charge } from './rate-limit.ts';

/**
 * Turns a bearer token into the one who holds it, or throws `not-authenticated`. `beforeLookUp` is called before the
 * database is asked about a token that may be made up, and may throw to prevent it.
 */
export type Authenticate = (token: string, beforeLookUp?: () => void) => Promise<Principal>;

/**
 * Every route but the public ones: a token first, then the permission it needs, before the body is even read.
 * In between the request is charged, so that one who is refused pays for it too. A token that may be made up is
 * charged to the address before it costs a look-up.
 */
export function requireTokens(app: HttpApp, authenticate: Authenticate, charge: Charge = () => {}): void {
  app.addHook('onRequest', async (request, reply) => {
    const permission = request.routeOptions.config.permission ?? 'public';
    if (permission === 'protocol') return;
    let addressPaid = false;
    const chargeAddress = () => {
      addressPaid = true;
      charge(request, reply);
    };
    try {
      if (permission !== 'public')
        request.principal = await authenticate(bearerToken(request), chargeAddress);
    } finally {
      if (request.principal || !addressPaid) charge(request, reply);
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

/** RFC 6750 §3.1: whoever brought no token at all is not told that it was bad. */
function tokenMissing(detail: string): ProblemError {
  return new ProblemError('not-authenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="tocsin"' },
  });
}

/** The token is no good. */
export function notAuthenticated(detail: string): ProblemError {
  return new ProblemError('not-authenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="tocsin", error="invalid_token"' },
  });
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw tokenMissing('Send Authorization: Bearer <access token>');
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(header) ?? [];
  if (token === undefined)
    throw tokenMissing('The Authorization header is not of the form Bearer <access token>');
  return token;
}
