import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { decrypt } from 'http_ece';
import { listenLocally } from '../http/listen-locally.ts';
import { makeMailIdentity } from '../mail/small-mail-server.ts';

/** A message as the browser of a subscription shows it. */
export type ShownPush = { title: string; text: string; link: string };

export type Browser = {
  /** The subscription as JSON: the address of a person. */
  readonly address: string;
  readonly shown: ShownPush[];
  /** The number of messages that were sent to it, also in vain. */
  asked: number;
  /** The headers of each message. */
  readonly headers: IncomingMessage['headers'][];
  /** The status of the next answers of the service, and its `Retry-After`. */
  answers: { status: number; retryAfter?: number };
};

export type PushService = {
  /** The certificate of the service in PEM. */
  readonly certificate: string;
  /** A new subscription for a server with this public key. */
  subscribe(publicKey: string): Browser;
  /** What the service refused, in its own words. */
  readonly refused: string[];
  stop(): Promise<void>;
};

type Subscribed = { browser: Browser; pair: ECDH; authSecret: string; publicKey: string };

/** A push service (RFC 8030) that checks the sender (RFC 8292), with browsers that decrypt (RFC 8291). */
export async function startPushService(): Promise<PushService> {
  const identity = await makeMailIdentity();
  const subscribed = new Map<string, Subscribed>();
  const refused: string[] = [];
  let origin = '';
  const server = createServer(identity, (request, response) => {
    take(request, { subscribed, origin })
      .then((answer) => end(response, answer))
      .catch((error: unknown) => {
        refused.push(String(error));
        end(response, { status: 403 });
      });
  });
  const { port, stop } = await listenLocally(server);
  origin = `https://127.0.0.1:${port}`;
  return {
    certificate: identity.cert,
    refused,
    subscribe: (publicKey) => {
      const path = `/push/${randomBytes(24).toString('base64url')}`;
      const pair = createECDH('prime256v1');
      const p256dh = pair.generateKeys('base64url');
      const auth = randomBytes(16).toString('base64url');
      const subscription = { endpoint: `${origin}${path}`, expirationTime: null, keys: { p256dh, auth } };
      const browser: Browser = {
        address: JSON.stringify(subscription),
        shown: [],
        asked: 0,
        headers: [],
        answers: { status: 201 },
      };
      subscribed.set(path, { browser, pair, authSecret: auth, publicKey });
      return browser;
    },
    stop,
  };
}

function end(response: ServerResponse, { status, retryAfter }: Browser['answers']): void {
  response.statusCode = status;
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  response.end();
}

async function take(
  request: IncomingMessage,
  { subscribed, origin }: { subscribed: ReadonlyMap<string, Subscribed>; origin: string },
): Promise<Browser['answers']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const found = subscribed.get(request.url ?? '');
  if (request.method !== 'POST' || found === undefined) return { status: 404 };
  const { browser, pair, authSecret, publicKey } = found;
  browser.asked += 1;
  checkSender(request.headers.authorization ?? '', { publicKey, origin });
  const { ttl, 'content-encoding': encoding } = request.headers;
  if (ttl === undefined || encoding !== 'aes128gcm') return { status: 400 };
  if (body.length > 4_096) return { status: 413 };
  if (browser.answers.status !== 201) return browser.answers;
  const plain = decrypt(body, { version: 'aes128gcm', privateKey: pair, dh: '', authSecret });
  browser.shown.push(JSON.parse(plain.toString()) as ShownPush);
  browser.headers.push(request.headers);
  return browser.answers;
}

/** Throws unless the header is signed by the server that the subscription was made for. */
function checkSender(header: string, { publicKey, origin }: { publicKey: string; origin: string }): void {
  const [, token = '', key] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(header) ?? [];
  if (key !== publicKey) throw new Error('the key is not that of the subscription');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const publicJwk = { kty: 'EC', crv: 'P-256', x, y };
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: publicJwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the token is not signed with the key');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  if (aud !== origin) throw new Error(`the token is for ${String(aud)}`);
  const left = Number(exp) - Date.now() / 1_000;
  if (!(left > 0 && left <= 86_400)) throw new Error(`the token is valid for ${left} s`);
  if (!/^(?:mailto:|https:)/.test(String(sub))) throw new Error('the token has no subject');
}
