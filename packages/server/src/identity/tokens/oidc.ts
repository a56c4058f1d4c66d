import { addSeconds } from '@tocsin/domain';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { ProblemError } from '../../common/problem.ts';
import { createIssuerKeys, requireSafeUrl } from './issuer-keys.ts';
import type { TokenRejection } from './token-rejection.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

/** An OIDC issuer whose tokens are accepted, for linked users of one tenant. */
export type TrustedIssuer = {
  issuer: string;
  audience: string;
  tenantId: number;
  jwksUri?: string | undefined;
};

/** Verifies a token and returns the issuer's name for the user. */
export type VerifyOidcToken = (token: string, now: Date) => Promise<{ subject: string } | TokenRejection>;

const algorithms = ['EdDSA', 'ES256', 'RS256', 'PS256'];
const maxCachedTokens = 5_000;
/** Tolerated difference to the clock of the issuer. */
const clockToleranceSeconds = 5;
/** Tokens are accepted for a day at most, because they cannot be revoked here. */
const maxLifetimeSeconds = 86_400;
/** A token is verified again after this time, because its issuer may have withdrawn the key. */
const cacheSeconds = 600;
const maxSubjectLength = 255;

export function createOidcTokenVerifier(trusted: TrustedIssuer): VerifyOidcToken {
  const { issuer, audience } = trusted;
  requireSafeUrl(issuer);
  const keys = createIssuerKeys(trusted);
  const verified = createVerifiedTokens<{ subject: string }>(maxCachedTokens);
  const checks = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['exp', 'iat', 'sub'],
    clockTolerance: clockToleranceSeconds,
    maxTokenAge: maxLifetimeSeconds,
  };

  return async (token, now) => {
    const cached = verified.recall(token, now);
    if (cached) return cached;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, { ...checks, currentDate: now });
      const { sub: subject } = payload;
      if (!isAccessToken(protectedHeader.typ, payload)) return { rejected: 'it is no bearer access token' };
      if (!isSubject(subject)) return { rejected: 'it has no subject' };
      verified.keep(token, { subject }, cacheUntil(payload, now));
      return { subject };
    } catch (error) {
      return rejectionOf(error, issuer);
    }
  };
}

function cacheUntil({ exp = 0, iat = 0 }: JWTPayload, now: Date): Date {
  const end = Math.min(exp, iat + maxLifetimeSeconds) + clockToleranceSeconds;
  return new Date(Math.min(end * 1_000, addSeconds(now, cacheSeconds).getTime()));
}

/** Claims that only ID tokens have. An ID token grants no access. */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash', 's_hash'];
/** Claims that only access tokens have. */
const accessTokenClaims = ['scope', 'scp', 'client_id'];

/**
 * Many issuers use the type `JWT` for access and ID tokens alike, so the claims decide. A token bound to a key (`cnf`) is
 * not a bearer token.
 */
function isAccessToken(typ: string | undefined, payload: JWTPayload): boolean {
  if (payload['cnf'] !== undefined || payload['typ'] === 'ID') return false;
  if (idTokenClaims.some((claim) => payload[claim] !== undefined)) return false;
  const kind = (typ ?? 'JWT').toLowerCase().replace(/^application\//, '');
  if (kind === 'at+jwt') return true;
  const hasAccessClaim = accessTokenClaims.some((claim) => payload[claim] !== undefined);
  return kind === 'jwt' && (hasAccessClaim || payload['typ'] === 'Bearer');
}

/** PostgreSQL text cannot hold NUL. */
function isSubject(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim !== '' && claim.length <= maxSubjectLength && !claim.includes('\u0000')
  );
}

/** An invalid token is rejected. An issuer that does not answer is a temporary failure. */
function rejectionOf(error: unknown, issuer: string): TokenRejection {
  const unreachable = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];
  if (error instanceof errors.JOSEError && !unreachable.includes(error.code))
    return { rejected: error.message };
  throw new ProblemError('unavailable', `${issuer} does not answer`, {
    headers: { 'retry-after': '5' },
    cause: error,
  });
}
