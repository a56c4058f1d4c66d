import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Database } from '../postgres/database.ts';
import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { keyIdOf } from './audit-head.ts';
import {
  type AuditKeyRow,
  destroyPrivateKeys,
  insertAuditKey,
  listAuditKeys,
  lockAuditKeys,
  updatePrivateKey,
} from './audit-key.store.ts';

/** Encrypts private keys before they are stored. */
export type KeyBox = {
  seal(text: string, place: string): Buffer;
  open(sealed: Buffer, place: string): string | undefined;
};

export type SigningKey = {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: string;
};

/**
 * Returns the key that signs heads: the newest that this server can open. A key stored in clear is replaced by a sealed
 * one as soon as the server has a key for secrets.
 */
export function openAuditKey(database: Database, box: KeyBox | undefined): Promise<SigningKey> {
  return outsideTenants(database, async (outside) => {
    const found = usableKey(await listAuditKeys(outside), box);
    if (found) return found;
    await lockAuditKeys(outside);
    return usableKey(await listAuditKeys(outside), box) ?? createKey(outside, box);
  });
}

/**
 * Creates a key that signs from now on, and returns its id. Destroys the private parts of the former keys: their
 * signatures can still be verified, but no new ones can be made.
 */
export async function rotateAuditKey(outside: TenantTransaction, box: KeyBox): Promise<string> {
  await lockAuditKeys(outside);
  await destroyPrivateKeys(outside);
  const { keyId } = await createKey(outside, box);
  return keyId;
}

/** Seals the private keys anew with the first key of the box. Keys that the box cannot open sign nothing, and stay as they are. */
export async function resealAuditKeys(outside: TenantTransaction, box: KeyBox): Promise<number> {
  await lockAuditKeys(outside);
  let count = 0;
  for (const { keyId, privateKey, isSealed } of await listAuditKeys(outside)) {
    const pem = isSealed ? box.open(privateKey, placeOf(keyId)) : undefined;
    if (pem === undefined) continue;
    await updatePrivateKey(outside, { keyId, privateKey: box.seal(pem, placeOf(keyId)) });
    count += 1;
  }
  return count;
}

/** All public keys, newest first, as one PEM text. */
export function readPublicKeys(database: Database): Promise<string> {
  return outsideTenants(database, async (outside) => {
    const rows = await listAuditKeys(outside);
    return rows.map(({ publicKey }) => publicKey).join('');
  });
}

function usableKey(rows: readonly AuditKeyRow[], box: KeyBox | undefined): SigningKey | undefined {
  for (const { keyId, privateKey, publicKey, isSealed } of rows) {
    if (isSealed !== (box !== undefined) || privateKey.length === 0) continue;
    const pem = box ? box.open(privateKey, placeOf(keyId)) : privateKey.toString();
    if (pem !== undefined) return { keyId, privateKey: createPrivateKey(pem), publicKey };
  }
  return undefined;
}

async function createKey(outside: TenantTransaction, box: KeyBox | undefined): Promise<SigningKey> {
  const { privateKey, publicKey: made } = generateKeyPairSync('ed25519');
  const keyId = keyIdOf(made);
  const publicKey = made.export({ type: 'spki', format: 'pem' }).toString();
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await insertAuditKey(outside, {
    keyId,
    publicKey,
    privateKey: box ? box.seal(pem, placeOf(keyId)) : Buffer.from(pem),
    isSealed: box !== undefined,
    createdAt: outside.now,
  });
  return { keyId, privateKey, publicKey };
}

/** A private key sealed under one key id does not open under another. */
const placeOf = (keyId: string) => `audit key ${keyId}`;

/** Reads one or more public keys from a PEM text. */
export function readPublicKeyPem(text: string): { keyId: string; publicKey: KeyObject }[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  return blocks.map((pem) => {
    const publicKey = createPublicKey(pem);
    return { keyId: keyIdOf(publicKey), publicKey };
  });
}
