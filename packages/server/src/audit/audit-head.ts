import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** The signed number and hash of the newest entry of a tenant: a copy of it proves later what the trail was. */
export type AuditHead = {
  readonly tenantId: number;
  readonly number: number;
  readonly hash: string;
  readonly at: string;
  /** The key that signed it. */
  readonly keyId: string;
  /** Ed25519 over the canonical JSON of all other members, in base64. */
  readonly signature: string;
};

export type AuditKey = { readonly keyId: string; readonly publicKey: KeyObject };

/** The first 16 hexadecimal digits of the SHA-256 of the public key (DER, SubjectPublicKeyInfo). */
export function keyIdOf(publicKey: KeyObject): string {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex').slice(0, 16);
}

export function signHead(
  head: Omit<AuditHead, 'keyId' | 'signature'>,
  { keyId, privateKey }: { keyId: string; privateKey: KeyObject },
): AuditHead {
  const { tenantId, number, hash, at } = head;
  const signed = { tenantId, number, hash, at, keyId };
  return {
    ...signed,
    signature: sign(null, Buffer.from(canonicalJson(signed)), privateKey).toString('base64'),
  };
}

/** Whether one of the keys signed it. */
export function isGenuineHead(head: AuditHead, keys: readonly AuditKey[]): boolean {
  const { tenantId, number, hash, at, keyId, signature } = head;
  const key = keys.find((one) => one.keyId === keyId);
  if (!key) return false;
  const text = Buffer.from(canonicalJson({ tenantId, number, hash, at, keyId }));
  return verify(null, text, key.publicKey, Buffer.from(signature, 'base64'));
}
