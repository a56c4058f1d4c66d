import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** What we need of an issuer's OpenID configuration. */
const Configuration = Type.Object({ issuer: Type.String(), jwks_uri: Type.String() });

const timeoutMs = 5_000;

/** An outside issuer's answer is trusted, so nobody on the way may change it; on the same machine nobody can. */
export function requireSafeUrl(text: string): URL {
  const url = new URL(text);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) return url;
  throw new Error(`${text} must be https`);
}

/** The published keys of an issuer, found by OpenID discovery unless `jwksUri` says where they are. */
export function createIssuerKeys({
  issuer,
  jwksUri,
}: {
  issuer: string;
  jwksUri?: string | undefined;
}): () => Promise<JWTVerifyGetKey> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return () => {
    keys ??= locate(issuer, jwksUri).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
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
