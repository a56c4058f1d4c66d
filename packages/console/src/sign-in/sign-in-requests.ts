import { ProblemError } from '@tocsin/client';
import type { SignInWays, WebAuthnJson } from '@tocsin/contract';

/** Sends JSON before anybody has a token. */
export async function postPublic(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  const {
    code = 'unknown',
    title = response.statusText,
    detail,
  } = (await response.json()) as {
    code?: string;
    title?: string;
    detail?: string;
  };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  throw new ProblemError({ status: response.status, code, title, detail, retryAfterSeconds });
}

const noWays: SignInWays = { passkeys: false, issuers: [] };

/** The ways besides the password. A server that does not answer has none: the password still works. */
export async function readWays(basePath: string): Promise<SignInWays> {
  const tenant = new URLSearchParams(location.search).get('tenant');
  const query = tenant === null ? '' : `?${new URLSearchParams({ tenant }).toString()}`;
  try {
    const response = await fetch(`${basePath}/api/v1/auth/ways${query}`);
    return response.ok ? ((await response.json()) as SignInWays) : noWays;
  } catch {
    return noWays;
  }
}

/** A challenge for a passkey: of the user of the token, or of anybody. */
export async function readPasskeyOptions(basePath: string, token?: string): Promise<WebAuthnJson> {
  const body = token === undefined ? {} : { mfa_token: token };
  const response = await postPublic(`${basePath}/api/v1/auth/passkey-options`, body);
  return (await response.json()) as WebAuthnJson;
}
