import type { IncomingMessage } from 'node:http';
import type { Authenticate as HubAuthenticate, Identity, Refusal } from '@tocsin/signalr';
import { decodeJwt } from 'jose';
import { ProblemError } from '../../common/problem.ts';
import type { Authenticate } from '../../http/authorization.ts';
import { clientNetwork } from '../../http/client-network.ts';
import type { Principal } from '../../http/principal.ts';
import type { TokenBuckets } from '../../http/token-buckets.ts';
import { apiKeyPrefix } from '../../identity/api-keys/api-key.ts';
import { hubToken } from './hub-token.ts';
import { callerOf, type HubUser } from './hub-user.ts';

export type HubAuthentication = {
  readonly authenticate: Authenticate;
  /** Limits the requests of each caller, and of each address without a valid token. */
  readonly buckets: TokenBuckets;
};

/** Authenticates hub requests. Callers need the permission to read alarms. */
export function authenticateHub({ authenticate, buckets }: HubAuthentication): HubAuthenticate<HubUser> {
  const mayAsk = (request: IncomingMessage) =>
    buckets.take(clientNetwork(request.socket.remoteAddress ?? '')).allowed;
  // Some clients retry at once, without end.
  const refuse = (request: IncomingMessage, refusal: Refusal) => (mayAsk(request) ? refusal : tooMany);

  return async (request) => {
    const found = hubToken(request);
    if ('conflicting' in found) return refuse(request, conflicting);
    if (!('token' in found)) return refuse(request, notAuthenticated);
    let addressPaid = false;
    const chargeAddress = () => {
      addressPaid = true;
      if (!mayAsk(request)) throw new ProblemError('too-many-requests', tooMany.reason);
    };
    try {
      const principal = await authenticate(found.token, chargeAddress);
      if (!buckets.take(callerOf(principal)).allowed) return tooMany;
      if (principal.lacksSecondFactor === true) return secondFactorNeeded;
      if (!principal.permissions.has('alarms:read')) return notAllowed;
      return identityOf(principal, found.token);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.status === 429) return tooMany;
      if (error.status !== 401) return unavailable;
      return addressPaid ? notAuthenticated : refuse(request, notAuthenticated);
    }
  };
}

function identityOf(principal: Principal, token: string): Identity<HubUser> {
  const expiresAt = principal.expiresAt?.getTime() ?? tokenExpiry(token);
  return { user: { principal }, key: callerOf(principal), expiresAt };
}

/** The expiry of a valid token. API keys have no claims; their expiry is in the principal. */
function tokenExpiry(token: string): number | undefined {
  if (token.startsWith(apiKeyPrefix)) return undefined;
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? undefined : exp * 1_000;
  } catch {
    return undefined;
  }
}

const notAuthenticated = { status: 401, reason: 'A valid access token is needed' } as const;
const conflicting = { status: 400, reason: 'The header and the query have different tokens' } as const;
const notAllowed = { status: 403, reason: 'The token does not permit to read alarms' } as const;
const secondFactorNeeded = {
  status: 403,
  reason: 'The role needs a second factor, set it up first',
} as const;
const tooMany = { status: 429, reason: 'Too many requests' } as const;
const unavailable = { status: 503, reason: 'The server cannot answer now' } as const;
