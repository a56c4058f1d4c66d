import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a subscription, in base64url: the browser's public key and a shared secret. */
export type SubscriptionKeys = { readonly p256dh: string; readonly auth: string };

const saltBytes = 16;
const recordSize = 4_096;

/** Marks the only and last record (RFC 8188). */
const lastRecord = Buffer.from([2]);

/** Encrypts a payload for a subscription (RFC 8291). Throws if its public key is not a point of the curve P-256. */
export function encryptPush(payload: Buffer, { p256dh, auth }: SubscriptionKeys): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url');
  const ownPair = createECDH('prime256v1');
  const ownKey = ownPair.generateKeys();
  const shared = ownPair.computeSecret(browserKey);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey]);
  const material = derive(shared, Buffer.from(auth, 'base64url'), keyInfo, 32);

  const salt = randomBytes(saltBytes);
  const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [cipher.update(payload), cipher.update(lastRecord), cipher.final(), cipher.getAuthTag()];

  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(recordSize);
  sizes.writeUInt8(ownKey.length, 4);
  return Buffer.concat([salt, sizes, ownKey, ...sealed]);
}

function derive(material: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, salt, info, length));
}
