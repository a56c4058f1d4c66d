import { createECDH } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { readJson } from '../port/read-json.ts';

/** What the browser of a person returns when they allow messages (`PushSubscription.toJSON()`). */
const Subscription = Type.Object({
  endpoint: Type.String({ pattern: '^https://', maxLength: 768 }),
  keys: Type.Object({
    /** A point of P-256, not compressed: 65 bytes that begin with 4. */
    p256dh: Type.String({ pattern: '^B[A-Za-z0-9_-]{86}=?$' }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(?:==)?$' }),
  }),
});
export type Subscription = Static<typeof Subscription>;

/** The subscription in the address of a person; undefined if it is none. */
export function readSubscription(address: string): Subscription | undefined {
  const value = readJson(Subscription, address);
  if (!value || !URL.canParse(value.endpoint)) return undefined;
  return isPoint(value.keys.p256dh) ? value : undefined;
}

function isPoint(p256dh: string): boolean {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  try {
    pair.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}
