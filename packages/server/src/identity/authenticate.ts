import { decodeJwt } from 'jose';
import { type Authenticate, notAuthenticated } from '../http/authorization.ts';
import type { Principal } from '../http/principal.ts';
import type { Runtime } from '../runtime.ts';
import { createAccessTokenVerifier, ourIssuer } from './access-token.ts';
import { apiKeyPrefix } from './api-key.ts';
import { authenticateApiKey, type KnownApiKey } from './authenticate-api-key.ts';
import { authenticateSession, type KnownSession } from './authenticate-session.ts';
import { authenticateUsername } from './authenticate-username.ts';
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

type Check = (token: string, now: Date) => Promise<Principal | Refused>;

/** Turns any token this server takes into the one who holds it. Whatever is wrong with a token, the answer is one. */
export function createAuthenticate(settings: AuthenticateSettings): Authenticate {
  const { runtime, issuers, now } = settings;
  const checkApiKey = apiKeyCheck(settings);
  const checks = new Map([
    ...issuers.map((trusted) => [trusted.issuer, outsideCheck(settings, trusted)] as const),
    [ourIssuer, accessTokenCheck(settings)] as const,
  ]);
  const issuerOf = createIssuerOf();

  return async (token) => {
    const check = token.startsWith(apiKeyPrefix) ? checkApiKey : checks.get(issuerOf(token));
    const outcome = check ? await check(token, now()) : { refused: 'nobody we trust issued it' };
    if (!isRefused(outcome)) return outcome;
    runtime.log.debug({ reason: outcome.refused }, 'token refused');
    throw notAuthenticated('The access token is not valid');
  };
}

function accessTokenCheck({ runtime, now }: AuthenticateSettings): Check {
  const verify = createAccessTokenVerifier(createVerifyingKeys(runtime.database));
  const sessions = createBriefCache<KnownSession | undefined>({ lifeMs, largest: 20_000, now });
  return async (token, now) => {
    const claims = await verify(token, now);
    return isRefused(claims) ? claims : authenticateSession(runtime, sessions, { claims, now });
  };
}

function apiKeyCheck({ runtime, now }: AuthenticateSettings): Check {
  const keys = createBriefCache<KnownApiKey | undefined>({ lifeMs, largest: 20_000, now });
  return (token, now) => authenticateApiKey(runtime, keys, { token, now });
}

function outsideCheck({ runtime, now }: AuthenticateSettings, trusted: TrustedIssuer): Check {
  const verify = createOutsideTokenVerifier(trusted);
  const users = createBriefCache<Principal | undefined>({ lifeMs, largest: 5_000, now });
  return async (token, now) => {
    const verified = await verify(token, now);
    return isRefused(verified) ? verified : authenticateUsername(runtime, users, verified.username);
  };
}

/**
 * What the token says of its origin, which is not proven yet: it chooses who checks it. Remembered by the part that
 * says so, which is worth nothing without its signature.
 */
function createIssuerOf(): (token: string) => string {
  const known = new Map<string, string>();
  return (token) => {
    if (token.length > longestToken) return '';
    const claims = token.slice(token.indexOf('.') + 1, token.lastIndexOf('.'));
    const remembered = known.get(claims);
    if (remembered !== undefined) return remembered;
    const issuer = readIssuer(token);
    if (known.size >= mostIssuers) known.clear();
    known.set(claims, issuer);
    return issuer;
  };
}

function readIssuer(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    return '';
  }
}
