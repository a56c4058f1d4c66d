import { Id } from '@tocsin/contract';
import { addSeconds, epochSeconds } from '@tocsin/domain';
import { errors, type JWK, jwtVerify, SignJWT } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Refused } from './refused.ts';
import { type SigningKey, signingAlgorithm, type VerifyingKeys } from './signing-keys.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

export const ourIssuer = 'tocsin';
/** What the clocks of two servers may differ by: so much longer than it says a token is good. */
const clockToleranceSeconds = 1;

const audience = 'tocsin';
const typ = 'at+jwt';
const remembered = 20_000;

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

export type VerifyAccessToken = (token: string, now: Date) => Promise<AccessClaims | Refused>;

/**
 * Checks that a token is ours and in time, not whether its session still stands. Nothing in the token's header
 * chooses how it is checked: the algorithm is fixed and `kid` only picks one of our own keys. A token that was found
 * good before is so only as long as its key is.
 */
export function createAccessTokenVerifier(verifyingKeys: VerifyingKeys): VerifyAccessToken {
  const verified = createVerifiedTokens<{ claims: AccessClaims; kid: string }>(remembered);

  return async (token, now) => {
    const recalled = verified.recall(token, now);
    if (recalled && (await verifyingKeys(recalled.kid, now))) return recalled.claims;
    try {
      const keyOf = ({ kid }: { kid?: string }) => requireKey(verifyingKeys, kid, now);
      const { payload, protectedHeader } = await jwtVerify(token, keyOf, { ...checks, currentDate: now });
      if (!Claims.Check(payload)) return { refused: 'the claims are not those of an access token' };
      const claims = { tenantId: payload.tid, userId: Number(payload.sub), sessionId: payload.sid };
      const { kid = '' } = protectedHeader;
      const validUntil = addSeconds(new Date(payload.exp * 1_000), clockToleranceSeconds);
      verified.keep(token, { claims, kid }, validUntil);
      return claims;
    } catch (error) {
      if (error instanceof errors.JOSEError) return { refused: error.message };
      throw error;
    }
  };
}

async function requireKey(keys: VerifyingKeys, kid: string | undefined, now: Date): Promise<JWK> {
  const key = typeof kid === 'string' ? await keys(kid, now) : undefined;
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}
