import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { type Neighbour, startNeighbour } from '../../testing/issuer.fixture.ts';

const redirectUri = 'http://tocsin.example/api/v1/auth/oidc/callback';
export const clientId = 'tocsin';
export const clientSecret = 'a secret of the alarm server';

/** The groups of people at the real provider, by their name. */
const groupsOf: Record<string, string[]> = {
  anna: ['operators', 'canteen'],
  carl: ['chiefs'],
  dora: ['canteen'],
};

/** A real OpenID provider with a sign-in page, which sends browsers back to one address. Its groups are in its UserInfo. */
export async function startProvider(redirectTo = redirectUri): Promise<Neighbour> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'provider' };
  return startNeighbour((url) => {
    const provider = new Provider(url, {
      jwks: { keys: [key] },
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectTo],
          grant_types: ['authorization_code'],
          response_types: ['code'],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      cookies: { keys: ['for a test'] },
      claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'] },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({
          sub: id,
          name: `${id} at the provider`,
          preferred_username: id,
          groups: groupsOf[id] ?? [],
        }),
      }),
      pkce: { required: () => true },
    });
    return provider.callback();
  });
}

/** Signs in at the page of the real provider, and returns the address that it sends the browser back to. */
export async function signInAt(location: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = location;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    keepCookies(cookies, response);
    form = undefined;
    const next = response.headers.get('location');
    if (next !== null) {
      url = new URL(next, url).href;
      if (url.startsWith(redirectUri)) return new URL(url);
      continue;
    }
    const page = await response.text();
    const { action, prompt } = readForm(page);
    url = new URL(action, url).href;
    form = new URLSearchParams({ prompt, login, password: 'anything' });
  }
  throw new Error('the provider never sends the browser back');
}

function keepCookies(cookies: Map<string, string>, { headers }: Response): void {
  for (const line of headers.getSetCookie()) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    cookies.set(name, value);
  }
}

function readForm(page: string): { action: string; prompt: string } {
  const [, action] = /action="([^"]+)"/.exec(page) ?? [];
  const [, prompt] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
  if (action === undefined || prompt === undefined) throw new Error(`no form: ${page}`);
  return { action, prompt };
}

type Claims = Record<string, unknown>;

/** An issuer whose tokens the test writes. */
export type ForgingIssuer = Neighbour & {
  /** Changes the claims of the next tokens, or adds some. */
  claims: Claims;
  /** Signs with a key that the issuer does not publish. */
  isForged: boolean;
  /** Codes that were exchanged. */
  codes: string[];
  /** The answer of the issuer to the page that it was asked for. */
  answer(location: string, more?: Record<string, string>): URL;
};

export async function startForgingIssuer(): Promise<ForgingIssuer> {
  const genuine = await generateKeyPair('ES256', { extractable: true });
  const other = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(genuine.publicKey)), alg: 'ES256', use: 'sig', kid: 'one' };
  let nonce = '';
  const state = { claims: {} as Claims, isForged: false, codes: [] as string[] };
  const idToken = (url: string) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: url, aud: clientId, sub: 'anna', nonce, iat: now, exp: now + 300, ...state.claims };
    const key = state.isForged ? other.privateKey : genuine.privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key);
  };
  const neighbour = await startNeighbour((url) => (request, response) => {
    const send = (body: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    if (request.url === '/.well-known/openid-configuration')
      return send({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        id_token_signing_alg_values_supported: ['ES256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      });
    if (request.url === '/jwks') return send({ keys: [jwk] });
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      state.codes.push(new URLSearchParams(text).get('code') ?? '');
      void idToken(url).then((id_token) =>
        send({ access_token: 'at', token_type: 'bearer', expires_in: 60, id_token }),
      );
    });
  });
  const answer = (location: string, more: Record<string, string> = {}) => {
    const asked = new URL(location).searchParams;
    nonce = asked.get('nonce') ?? '';
    const parameters = { code: crypto.randomUUID(), state: asked.get('state') ?? '', ...more };
    return new URL(`${asked.get('redirect_uri')}?${new URLSearchParams(parameters).toString()}`);
  };
  return Object.assign(state, neighbour, { answer });
}
