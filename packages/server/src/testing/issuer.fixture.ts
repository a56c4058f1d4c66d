import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** A local HTTP server in place of an external one. `seen` lists the requested paths. */
export type Neighbour = { url: string; seen: string[]; close: () => Promise<void> };

export async function startNeighbour(listenerAt: (url: string) => RequestListener): Promise<Neighbour> {
  const seen: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const url = `http://127.0.0.1:${address.port}`;
  const listener = listenerAt(url);
  server.on('request', (request, response) => {
    seen.push(request.url ?? '');
    listener(request, response);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, seen, close };
}

const TokenAnswer = Type.Object({ access_token: Type.String() });

const secret = 'a secret of the machine that asks for tokens';

/** A real OpenID provider. A client's id becomes the `preferred_username` of its tokens. */
export async function startIssuer(algorithm: string, usernames: string[]): Promise<Neighbour> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: 'issuer-key' };
  return startNeighbour((url) => {
    const provider = new Provider(url, {
      jwks: { keys: [key] },
      clients: usernames.map((username) => ({
        client_id: username,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: algorithm,
      })),
      extraTokenClaims: (_context: unknown, { clientId }: { clientId: string }) => ({
        preferred_username: clientId,
      }),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context: unknown, resource: string) => ({
            scope: '',
            audience: resource,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: algorithm } },
          }),
        },
      },
    });
    return provider.callback();
  });
}

/** Asks the provider for an access token, as a machine does. */
export async function tokenFrom(issuer: Neighbour, username: string, resource: string): Promise<string> {
  const response = await fetch(`${issuer.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  });
  const { access_token } = Value.Parse(TokenAnswer, await response.json());
  return access_token;
}
