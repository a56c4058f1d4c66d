import { addSeconds } from '@tocsin/domain';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { ProblemError } from '../problem.ts';
import { createIssuerKeys, requireSafeUrl } from './issuer-keys.ts';
import type { Refused } from './refused.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

/** An outside issuer whose tokens are accepted, for users of one tenant who are linked to it. */
export type TrustedIssuer = {
  issuer: string;
  audience: string;
  tenantId: number;
  jwksUri?: string | undefined;
};

/** Who the issuer says the holder of a token is. */
export type VerifyOutsideToken = (token: string, now: Date) => Promise<{ subject: string } | Refused>;

const algorithms = ['EdDSA', 'ES256', 'RS256', 'PS256'];
const remembered = 5_000;
/** What the clock of an outside issuer may differ by. */
const clockToleranceSeconds = 5;
/** Whatever its issuer says, a token is no good for longer: nobody here can revoke it. */
const longestLifeSeconds = 86_400;
/** So soon a token is checked again: its issuer may have withdrawn the key. */
const rememberedSeconds = 600;
const longestSubject = 255;

export function createOutsideTokenVerifier(trusted: TrustedIssuer): VerifyOutsideToken {
  const { issuer, audience } = trusted;
  requireSafeUrl(issuer);
  const issuerKeys = createIssuerKeys(trusted);
  const verified = createVerifiedTokens<{ subject: string }>(remembered);
  const checks = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['exp', 'iat', 'sub'],
    clockTolerance: clockToleranceSeconds,
    maxTokenAge: longestLifeSeconds,
  };

  return async (token, now) => {
    const recalled = verified.recall(token, now);
    if (recalled) return recalled;
    try {
      const keys = await issuerKeys();
      const { payload, protectedHeader } = await jwtVerify(token, keys, { ...checks, currentDate: now });
      const { sub: subject } = payload;
      if (!isAccessToken(protectedHeader.typ, payload)) return { refused: 'it is no bearer access token' };
      if (!isSubject(subject)) return { refused: 'it has no subject' };
      verified.keep(token, { subject }, rememberUntil(payload, now));
      return { subject };
    } catch (error) {
      return refusalOf(error, issuer);
    }
  };
}

function rememberUntil({ exp = 0, iat = 0 }: JWTPayload, now: Date): Date {
  const end = Math.min(exp, iat + longestLifeSeconds) + clockToleranceSeconds;
  return new Date(Math.min(end * 1_000, addSeconds(now, rememberedSeconds).getTime()));
}

/** What only tokens have that tell a client who has logged in. They are no right to anything. */
const marksOfIdToken = ['nonce', 'at_hash', 'c_hash', 's_hash'];
/** What only tokens have that are meant to be presented. */
const marksOfAccessToken = ['scope', 'scp', 'client_id'];

/**
 * Many issuers call access tokens plain `JWT`, as they do ID tokens: then the claims must tell. A token bound to a key
 * (`cnf`) is worth nothing without that key.
 */
function isAccessToken(typ: string | undefined, payload: JWTPayload): boolean {
  if (payload['cnf'] !== undefined || payload['typ'] === 'ID') return false;
  if (marksOfIdToken.some((claim) => payload[claim] !== undefined)) return false;
  const kind = (typ ?? 'JWT').toLowerCase().replace(/^application\//, '');
  if (kind === 'at+jwt') return true;
  const isMarked = marksOfAccessToken.some((claim) => payload[claim] !== undefined);
  return kind === 'jwt' && (isMarked || payload['typ'] === 'Bearer');
}

/** PostgreSQL text cannot hold NUL. */
function isSubject(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim !== '' && claim.length <= longestSubject && !claim.includes('\u0000')
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
