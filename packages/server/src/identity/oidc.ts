import { addSeconds } from '@tocsin/domain';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { ProblemError } from '../problem.ts';
import { clockToleranceSeconds } from './access-token.ts';
import { createIssuerKeys, requireSafeUrl } from './issuer-keys.ts';
import type { Refused } from './refused.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

/** An outside issuer whose tokens are accepted. The claim names a local user, who decides tenant and role. */
export type TrustedIssuer = {
  issuer: string;
  audience: string;
  usernameClaim?: string | undefined;
  jwksUri?: string | undefined;
};

/** The user name a token of the issuer speaks for. */
export type VerifyOutsideToken = (token: string, now: Date) => Promise<{ username: string } | Refused>;

const algorithms = ['EdDSA', 'ES256', 'RS256', 'PS256'];
const remembered = 5_000;
const longestUsername = 128;

export function createOutsideTokenVerifier(trusted: TrustedIssuer): VerifyOutsideToken {
  const { issuer, audience, usernameClaim = 'preferred_username' } = trusted;
  requireSafeUrl(issuer);
  const issuerKeys = createIssuerKeys(trusted);
  const verified = createVerifiedTokens<{ username: string }>(remembered);
  const checks = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['exp'],
    clockTolerance: clockToleranceSeconds,
  };

  return async (token, now) => {
    const recalled = verified.recall(token, now);
    if (recalled) return recalled;
    try {
      const keys = await issuerKeys();
      const { payload, protectedHeader } = await jwtVerify(token, keys, { ...checks, currentDate: now });
      const username = payload[usernameClaim];
      if (!isAccessToken(protectedHeader.typ, payload)) return { refused: 'it is no bearer access token' };
      if (!isUsername(username)) return { refused: `the claim ${usernameClaim} names no user` };
      const expiry = new Date((payload.exp ?? 0) * 1_000);
      verified.keep(token, { username }, addSeconds(expiry, clockToleranceSeconds));
      return { username };
    } catch (error) {
      return refusalOf(error, issuer);
    }
  };
}

/** Many issuers call access tokens plain `JWT`. One bound to a key (`cnf`) is worth nothing without that key. */
function isAccessToken(typ: string | undefined, payload: JWTPayload): boolean {
  const kind = (typ ?? 'JWT').toLowerCase().replace(/^application\//, '');
  return (kind === 'at+jwt' || kind === 'jwt') && payload['cnf'] === undefined;
}

/** PostgreSQL text cannot hold NUL. */
function isUsername(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim !== '' && claim.length <= longestUsername && !claim.includes('\u0000')
  );
}

/** A bad token is refused; that the issuer does not answer is nobody's fault and may pass. */
function refusalOf(error: unknown, issuer: string): Refused {
  const unreachable = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];
  if (error instanceof errors.JOSEError && !unreachable.includes(error.code))
    return { refused: error.message };
  throw new ProblemError('unavailable', `${issuer} does not answer`, {
    headers: { 'retry-after': '5' },
    cause: error,
  });
}
