import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { ProblemError } from '../common/problem.ts';
import type { HttpApp } from './http-app.ts';
import type { Permission } from './permissions.ts';
import type { Principal } from './principal.ts';
import type { Charge } from './rate-limit.ts';

/**
 * Returns the principal of a bearer token, or throws `not-authenticated`. `beforeLookUp` is called before the database
 * looks up a token that may be made up, and may throw to prevent the look-up.
 */
export type Authenticate = (token: string, beforeLookUp?: () => void) => Promise<Principal>;

/** Throws `confirmation-required` if the last proof that the user themselves is there is too old. */
export type RequireConfirmation = (principal: Principal) => Promise<void>;

export type RequestChecks = { readonly charge?: Charge; readonly requireConfirmation?: RequireConfirmation };

/**
 * Checks the token and then the permission on every route that is not public, before the body is read. The request is
 * charged in between, so that refused requests count as well. A token that may be made up is charged to the address
 * before its look-up.
 */
export function requireTokens(
  app: HttpApp,
  authenticate: Authenticate,
  { charge = () => {}, requireConfirmation = async () => {} }: RequestChecks = {},
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { permission = 'public', confirm = false } = request.routeOptions.config;
    if (permission === 'protocol') return;
    let isAddressCharged = false;
    const chargeAddress = () => {
      isAddressCharged = true;
      charge(request, reply);
    };
    try {
      if (permission !== 'public')
        request.principal = await authenticate(bearerToken(request), chargeAddress);
    } finally {
      if (request.principal || !isAddressCharged) charge(request, reply);
    }
    if (permission === 'public') return;
    const principal = principalOf(request);
    requireSecondFactor(principal, request);
    refuseAtDesk(principal, request.routeOptions.config);
    requirePermission(principal, permission);
    if (confirm) await requireConfirmation(principal);
  });
}

function requireSecondFactor(principal: Principal, { routeOptions: { config } }: FastifyRequest): void {
  if (principal.lacksSecondFactor !== true || config.beforeSecondFactor === true) return;
  throw new ProblemError(
    'second-factor-required',
    `The role ${principal.role} needs a second factor: set up an authenticator app or a passkey first`,
  );
}

function requirePermission({ name, role, permissions }: Principal, permission: Permission | 'self'): void {
  if (permission === 'self' || permissions.has(permission)) return;
  throw new ProblemError('not-allowed', `${name} (${role}) lacks ${permission}`);
}

/**
 * What everybody may do for themselves, such as changing their password or adding a telephone, is closed at a shared desk,
 * unless the route says otherwise: others could have seen the PIN.
 */
function refuseAtDesk({ name, desk }: Principal, { permission, atDesk }: FastifyContextConfig): void {
  if (desk === undefined || permission !== 'self' || atDesk === true) return;
  throw new ProblemError(
    'not-allowed',
    `${name} may not do this at a shared desk: sign in with your password on another device`,
  );
}

/** The principal of a request whose route needs a token. */
export function principalOf(request: Pick<FastifyRequest, 'principal'>): Principal {
  if (!request.principal) throw new Error('the route is public: it has no principal');
  return request.principal;
}

/** RFC 6750 §3.1: the answer to a request without a token has no error code. */
function tokenMissing(detail: string): ProblemError {
  return new ProblemError('not-authenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="tocsin"' },
  });
}

/** The token is not valid. */
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
