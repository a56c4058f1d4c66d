import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Seals text so that clients can carry it and neither read nor change it. */
export type Sealer = {
  seal(text: string): string;
  /** The text, or undefined when it was not sealed here for this purpose. */
  open(sealed: string): string | undefined;
};

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Long enough for any token of ours; a longer one is not even decoded. */
const longestSealed = 16_384;

/**
 * Any node with the secret opens what another sealed. With several secrets the first seals and all open, so that a
 * secret can be replaced. What was sealed for one purpose opens for no other.
 */
export function createSealer(secret: string | readonly string[], purpose: string): Sealer {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = secrets.map((each) => keyOf(each, purpose));
  const [sealing] = keys;
  if (sealing === undefined || secrets.some((each) => each.length < 16)) {
    throw new RangeError('a secret of at least 16 characters is needed');
  }
  return {
    seal: (text) => sealWith(sealing, text),
    open: (sealed) => {
      if (sealed.length > longestSealed) return undefined;
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      for (const key of keys) {
        const text = openWith(key, bytes);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

/** A key object, because Node takes five times as long to begin with plain bytes, and each request of a client opens one. */
function keyOf(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'signalr', purpose, 32)));
}

function sealWith(key: KeyObject, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function openWith(key: KeyObject, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const body = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
