import { createHmac, timingSafeEqual } from 'node:crypto';

/** Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
export type SignedHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

export type HeaderReader = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Tolerated clock difference. An older message may be a replay. */
const toleranceSeconds = 300;

const prefix = 'whsec_';

export const secretPattern = '^(whsec_)?[A-Za-z0-9+/]{32,128}={0,2}$';

/** Signs with every secret, so that a receiver can rotate its secret without missing a message. */
export function signWebhook(
  { id, body, now }: { id: string; body: string; now: Date },
  secrets: readonly string[],
): SignedHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map(
    (secret) => `v1,${hmac(secret, { id, timestamp, body }).toString('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The id of a message that was recently signed with one of the secrets; undefined otherwise. */
export function verifyWebhook(
  { headers, body, now }: { headers: HeaderReader; body: string; now: Date },
  secrets: readonly string[],
): string | undefined {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  );
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return undefined;
  if (!/^[\w.-]{1,256}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (Math.abs(Number(timestamp) - now.getTime() / 1_000) > toleranceSeconds) return undefined;
  const given = signatures
    .split(' ', 8)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'));
  const isGenuine = secrets.some((secret) => {
    const expected = hmac(secret, { id, timestamp, body });
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  return isGenuine ? id : undefined;
}

function hmac(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: string },
): Buffer {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
}
