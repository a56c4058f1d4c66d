import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** The needed part of an issuer's OpenID configuration. */
const Configuration = Type.Object({ issuer: Type.String(), jwks_uri: Type.String() });

const timeoutMs = 5_000;

/** An issuer's answer is trusted, so it must come over https, or from the same machine. */
export function requireSafeUrl(text: string): URL {
  const url = new URL(text);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) return url;
  throw new Error(`${text} must be https`);
}

/** The published keys of an issuer, found by OpenID discovery unless `jwksUri` is given. */
export function createIssuerKeys({
  issuer,
  jwksUri,
}: {
  issuer: string;
  jwksUri?: string | undefined;
}): JWTVerifyGetKey {
  let located: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    located ??= locate(issuer, jwksUri).catch((error: unknown) => {
      located = undefined;
      throw error;
    });
    const findKey = await located;
    return findKey(header, token);
  };
}

async function locate(issuer: string, jwksUri: string | undefined): Promise<JWTVerifyGetKey> {
  const url = requireSafeUrl(jwksUri ?? (await discoverKeys(issuer)));
  return createRemoteJWKSet(url, { timeoutDuration: timeoutMs });
}

async function discoverKeys(issuer: string): Promise<string> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const configuration = await response.json();
  if (!Value.Check(Configuration, configuration)) throw new Error(`${issuer} does not tell its keys`);
  if (configuration.issuer !== issuer) throw new Error(`${issuer} calls itself something else`);
  return configuration.jwks_uri;
}
