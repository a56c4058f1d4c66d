import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { createRecentlyUsed } from '../common/recently-used.ts';
import { type Authenticate, notAuthenticated } from '../http/authorization.ts';
import type { Principal } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { apiKeyPrefix } from './api-keys/api-key.ts';
import { authenticateApiKey, type CachedApiKey, openStoredApiKeys } from './authenticate-api-key.ts';
import { authenticateOidcUser } from './authenticate-oidc-user.ts';
import { authenticateSession, type CachedSession } from './authenticate-session.ts';
import { createAccessTokenVerifier, ourIssuer } from './tokens/access-token.ts';
import { createOidcTokenVerifier, type TrustedIssuer } from './tokens/oidc.ts';
import { createShortLivedCache } from './tokens/short-lived-cache.ts';
import { createVerifyingKeys } from './tokens/signing-keys.ts';
import { isRejection, type TokenRejection } from './tokens/token-rejection.ts';

export type AuthenticateSettings = {
  runtime: Runtime;
  issuers: readonly TrustedIssuer[];
  now: () => Date;
};

/**
 * The longest time until a revoked session or key, a disabled user or a changed role takes effect. Less than the five
 * seconds that are promised, because the requests themselves take time.
 */
const maxAgeMs = 4_000;
const maxTokenLength = 8_192;
const maxCachedIssuers = 1_000;

type Check = (token: string, now: Date, beforeRead: () => void) => Promise<Principal | TokenRejection>;

/** Finds the principal of any kind of token. Every invalid token gets the same answer. */
export function createAuthenticate(settings: AuthenticateSettings): Authenticate {
  const { runtime, issuers, now } = settings;
  const checkApiKey = apiKeyCheck(settings);
  const checks = new Map([
    ...issuers.map((trusted) => [trusted.issuer, oidcCheck(settings, trusted)] as const),
    [ourIssuer, accessTokenCheck(settings)] as const,
  ]);
  const issuerOf = createIssuerOf();

  return async (token, beforeRead = () => {}) => {
    const check = token.startsWith(apiKeyPrefix) ? checkApiKey : checks.get(issuerOf(token));
    const outcome = check ? await check(token, now(), beforeRead) : { rejected: 'its issuer is not trusted' };
    if (!isRejection(outcome)) return outcome;
    runtime.log.debug({ reason: outcome.rejected }, 'token refused');
    throw notAuthenticated('The access token is not valid');
  };
}

function accessTokenCheck({ runtime, now }: AuthenticateSettings): Check {
  const verify = createAccessTokenVerifier(createVerifyingKeys(runtime));
  const sessions = createShortLivedCache<CachedSession | undefined>({ maxAgeMs, maxEntries: 20_000, now });
  return async (token, now) => {
    const claims = await verify(token, now);
    return isRejection(claims) ? claims : authenticateSession(runtime, sessions, { claims, now });
  };
}

/**
 * An invented key costs a database read, so each read is charged to the client's network first. A key that was valid at
 * its last read is not charged, so that invented keys from its network cannot block its alarms.
 */
function apiKeyCheck({ runtime, now }: AuthenticateSettings): Check {
  const cache = createShortLivedCache<CachedApiKey | undefined>({ maxAgeMs, maxEntries: 20_000, now });
  const keys = openStoredApiKeys(runtime);
  const validKeys = createRecentlyUsed<string, true>(20_000);
  return async (token, now, beforeRead) => {
    const digest = hash('sha256', token, 'base64');
    const wasValid = validKeys.get(digest) === true;
    if (!wasValid) beforeRead();
    const outcome = await authenticateApiKey(keys, cache, { token, now });
    if (isRejection(outcome)) validKeys.delete(digest);
    else if (!wasValid) validKeys.set(digest, true);
    return outcome;
  };
}

function oidcCheck({ runtime, now }: AuthenticateSettings, trusted: TrustedIssuer): Check {
  const verify = createOidcTokenVerifier(trusted);
  const users = createShortLivedCache<Principal | undefined>({ maxAgeMs, maxEntries: 5_000, now });
  return async (token, now) => {
    const verified = await verify(token, now);
    if (isRejection(verified)) return verified;
    return authenticateOidcUser(runtime, users, { trusted, subject: verified.subject });
  };
}

/**
 * Reads the unverified issuer of a token, to choose its verifier. Cached by the claims part, which grants nothing without
 * a signature.
 */
function createIssuerOf(): (token: string) => string {
  const known = createRecentlyUsed<string, string>(maxCachedIssuers);
  return (token) => {
    const [, claims, signature, ...more] = token.length > maxTokenLength ? [] : token.split('.');
    // Only tokens of three parts are cached: another shape must not block a token with the same claims.
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
