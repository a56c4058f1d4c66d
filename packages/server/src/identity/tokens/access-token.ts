import { Id } from '@tocsin/contract';
import { addSeconds, epochSeconds } from '@tocsin/domain';
import { errors, type JWK, jwtVerify, SignJWT } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type SigningKey, signingAlgorithm, type VerifyingKeys } from './signing-keys.ts';
import type { TokenRejection } from './token-rejection.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

export const ourIssuer = 'tocsin';
/** Tokens are accepted this much longer, because the clocks of servers differ. */
const clockToleranceSeconds = 1;

const audience = 'tocsin';
const typ = 'at+jwt';
const maxCachedTokens = 20_000;

const checks = {
  algorithms: [signingAlgorithm],
  issuer: ourIssuer,
  audience,
  typ,
  clockTolerance: clockToleranceSeconds,
};

export type AccessClaims = { tenantId: number; userId: number; sessionId: string };

const Claims = Compile(
  Type.Object({
    sub: Type.String({ pattern: '^[1-9][0-9]{0,9}$' }),
    tid: Id,
    sid: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    jti: Type.String({ minLength: 1 }),
    exp: Type.Integer(),
  }),
);

export function issueAccessToken(
  { kid, privateJwk }: SigningKey,
  { tenantId, userId, sessionId }: AccessClaims,
  { now, seconds }: { now: Date; seconds: number },
): Promise<string> {
  const issuedAt = epochSeconds(now);
  return new SignJWT({ tid: tenantId, sid: sessionId })
    .setProtectedHeader({ alg: signingAlgorithm, typ, kid })
    .setIssuer(ourIssuer)
    .setAudience(audience)
    .setSubject(String(userId))
    .setJti(crypto.randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(privateJwk);
}

export type VerifyAccessToken = (token: string, now: Date) => Promise<AccessClaims | TokenRejection>;

/**
 * Verifies signature and expiry of a token, not its session. The token's header cannot choose how it is verified: the
 * algorithm is fixed, and `kid` only selects one of our own keys. A cached token is valid only as long as its key.
 */
export function createAccessTokenVerifier(verifyingKeys: VerifyingKeys): VerifyAccessToken {
  const verified = createVerifiedTokens<{ claims: AccessClaims; kid: string }>(maxCachedTokens);

  return async (token, now) => {
    const cached = verified.recall(token, now);
    if (cached && (await verifyingKeys(cached.kid, now))) return cached.claims;
    try {
      const keyOf = ({ kid }: { kid?: string }) => requireKey(verifyingKeys, kid, now);
      const { payload, protectedHeader } = await jwtVerify(token, keyOf, { ...checks, currentDate: now });
      if (!Claims.Check(payload)) return { rejected: 'the claims are not those of an access token' };
      const claims = { tenantId: payload.tid, userId: Number(payload.sub), sessionId: payload.sid };
      const { kid = '' } = protectedHeader;
      const validUntil = addSeconds(new Date(payload.exp * 1_000), clockToleranceSeconds);
      verified.keep(token, { claims, kid }, validUntil);
      return claims;
    } catch (error) {
      if (error instanceof errors.JOSEError) return { rejected: error.message };
      throw error;
    }
  };
}

async function requireKey(keys: VerifyingKeys, kid: string | undefined, now: Date): Promise<JWK> {
  const key = typeof kid === 'string' ? await keys(kid, now) : undefined;
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}
