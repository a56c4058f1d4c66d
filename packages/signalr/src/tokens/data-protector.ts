import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Encrypts text, so that clients can store it but neither read nor change it. */
export type DataProtector = {
  protect(text: string): string;
  /** Returns undefined if the text was not protected with this secret and purpose. */
  unprotect(protectedText: string): string | undefined;
};

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** No issued token is longer. Longer input is rejected without decoding. */
const maxTokenLength = 16_384;

/**
 * All nodes with the same secret can unprotect each other's tokens. With several secrets the first one encrypts and
 * all decrypt, which allows key rotation. Each purpose has its own key.
 */
export function createDataProtector(secret: string | readonly string[], purpose: string): DataProtector {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = secrets.map((each) => deriveKey(each, purpose));
  const [encryptionKey] = keys;
  if (encryptionKey === undefined || secrets.some((each) => each.length < 16)) {
    throw new RangeError('the secret must have at least 16 characters');
  }
  return {
    protect: (text) => encrypt(encryptionKey, text),
    unprotect: (protectedText) => {
      if (protectedText.length > maxTokenLength) return undefined;
      const bytes = Buffer.from(protectedText, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      for (const key of keys) {
        const text = decrypt(key, bytes);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

/** Uses a KeyObject: with plain bytes Node.js takes five times as long, and every request decrypts a token. */
function deriveKey(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'signalr', purpose, 32)));
}

function encrypt(key: KeyObject, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypt(key: KeyObject, bytes: Buffer): string | undefined {
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
