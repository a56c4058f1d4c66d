import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { type Authenticate, notAuthenticated } from '../http/authorization.ts';
import type { Principal } from '../http/principal.ts';
import { createRecentlyUsed } from '../recently-used.ts';
import type { Runtime } from '../runtime.ts';
import { createAccessTokenVerifier, ourIssuer } from './access-token.ts';
import { apiKeyPrefix } from './api-key.ts';
import { authenticateApiKey, type KnownApiKey } from './authenticate-api-key.ts';
import { authenticateOutsider } from './authenticate-outsider.ts';
import { authenticateSession, type KnownSession } from './authenticate-session.ts';
import { createBriefCache } from './brief-cache.ts';
import { createOutsideTokenVerifier, type TrustedIssuer } from './oidc.ts';
import { isRefused, type Refused } from './refused.ts';
import { createVerifyingKeys } from './signing-keys.ts';

export type AuthenticateSettings = {
  runtime: Runtime;
  issuers: readonly TrustedIssuer[];
  /** What expiry is measured against. */
  now: () => Date;
};

/** A revoked session or key, a disabled user and a changed role take effect within this. */
const lifeMs = 5_000;
const longestToken = 8_192;
const mostIssuers = 1_000;

type Check = (token: string, now: Date, beforeLookUp: () => void) => Promise<Principal | Refused>;

/** Turns any token this server takes into the one who holds it. Whatever is wrong with a token, the answer is one. */
export function createAuthenticate(settings: AuthenticateSettings): Authenticate {
  const { runtime, issuers, now } = settings;
  const checkApiKey = apiKeyCheck(settings);
  const checks = new Map([
    ...issuers.map((trusted) => [trusted.issuer, outsideCheck(settings, trusted)] as const),
    [ourIssuer, accessTokenCheck(settings)] as const,
  ]);
  const issuerOf = createIssuerOf();

  return async (token, beforeLookUp = () => {}) => {
    const check = token.startsWith(apiKeyPrefix) ? checkApiKey : checks.get(issuerOf(token));
    const outcome = check
      ? await check(token, now(), beforeLookUp)
      : { refused: 'nobody we trust issued it' };
    if (!isRefused(outcome)) return outcome;
    runtime.log.debug({ reason: outcome.refused }, 'token refused');
    throw notAuthenticated('The access token is not valid');
  };
}

function accessTokenCheck({ runtime, now }: AuthenticateSettings): Check {
  const verify = createAccessTokenVerifier(createVerifyingKeys(runtime));
  const sessions = createBriefCache<KnownSession | undefined>({ lifeMs, largest: 20_000, now });
  return async (token, now) => {
    const claims = await verify(token, now);
    return isRefused(claims) ? claims : authenticateSession(runtime, sessions, { claims, now });
  };
}

/**
 * Anybody can make up a key that costs a look-up; a token of an issuer is known by its signature. A key that was good
 * when it was last looked up is none of those, so that strangers in its network cannot keep its alarms out.
 */
function apiKeyCheck({ runtime, now }: AuthenticateSettings): Check {
  const keys = createBriefCache<KnownApiKey | undefined>({ lifeMs, largest: 20_000, now });
  const good = createRecentlyUsed<string, true>(20_000);
  return async (token, now, beforeLookUp) => {
    const print = hash('sha256', token, 'base64');
    const wasGood = good.get(print) === true;
    if (!wasGood) beforeLookUp();
    const outcome = await authenticateApiKey(runtime, keys, { token, now });
    if (isRefused(outcome)) good.delete(print);
    else if (!wasGood) good.set(print, true);
    return outcome;
  };
}

function outsideCheck({ runtime, now }: AuthenticateSettings, trusted: TrustedIssuer): Check {
  const verify = createOutsideTokenVerifier(trusted);
  const users = createBriefCache<Principal | undefined>({ lifeMs, largest: 5_000, now });
  return async (token, now) => {
    const verified = await verify(token, now);
    if (isRefused(verified)) return verified;
    return authenticateOutsider(runtime, users, { trusted, subject: verified.subject });
  };
}

/**
 * What the token says of its origin, which is not proven yet: it chooses who checks it. Remembered by the part that
 * says so, which is worth nothing without its signature.
 */
function createIssuerOf(): (token: string) => string {
  const known = createRecentlyUsed<string, string>(mostIssuers);
  return (token) => {
    const [, claims, signature, ...more] = token.length > longestToken ? [] : token.split('.');
    // Of anything but three parts nothing is remembered: it could stand in the way of a token that has the same claims.
    if (claims === undefined || signature === undefined || more.length > 0) return '';
    const remembered = known.get(claims);
    if (remembered !== undefined) return remembered;
    const issuer = readIssuer(token);
    if (issuer !== '') known.set(claims, issuer);
    return issuer;
  };
}

function readIssuer(token: string): string {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : '';
  } catch {
    return '';
  }
}
