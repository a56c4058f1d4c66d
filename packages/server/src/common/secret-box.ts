import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts secrets before they are stored. A secret sealed for one place does not open in another. */
export type SecretBox = {
  seal(text: string, place: string): Buffer;
  /** Undefined if no key fits, or if the secret was tampered with. */
  open(sealed: Buffer, place: string): string | undefined;
};

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyNameBytes = 4;

/** Keys have 32 bytes. The first one seals and all of them open, so that a key can be replaced. Undefined without keys. */
export function createSecretBox(keys: readonly Buffer[]): SecretBox | undefined {
  const [first] = keys;
  if (first === undefined) return undefined;
  return {
    seal: (text, place) => seal(first, text, place),
    open: (sealed, place) => open(keys, sealed, place),
  };
}

/** Key name, nonce, tag, cipher text. */
function seal(key: Buffer, text: string, place: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nameOf(key), nonce, cipher.getAuthTag(), sealed]);
}

function open(keys: readonly Buffer[], sealed: Buffer, place: string): string | undefined {
  const name = sealed.subarray(0, keyNameBytes);
  const key = keys.find((one) => nameOf(one).equals(name));
  if (key === undefined || sealed.length < keyNameBytes + nonceBytes + tagBytes) return undefined;
  const nonce = sealed.subarray(keyNameBytes, keyNameBytes + nonceBytes);
  const tag = sealed.subarray(keyNameBytes + nonceBytes, keyNameBytes + nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(place))
    .setAuthTag(tag);
  try {
    const text = decipher.update(sealed.subarray(keyNameBytes + nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function nameOf(key: Buffer): Buffer {
  return createHash('sha256').update('name of ').update(key).digest().subarray(0, keyNameBytes);
}

/** Reads keys in base64, one per line. */
export function readKeys(text: string | undefined): Buffer[] {
  return text === undefined ? [] : text.split(/\r?\n/).map((line) => Buffer.from(line, 'base64'));
}
