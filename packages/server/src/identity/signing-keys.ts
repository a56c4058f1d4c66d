import { addSeconds } from '@tocsin/domain';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Database } from '../postgres/database.ts';
import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKeyRow,
} from './signing-key.store.ts';

export const signingAlgorithm = 'EdDSA';

const daySeconds = 86_400;
const rotationSeconds = 30 * daySeconds;
/** A key is accepted for a day longer than it signs; its last token lives for minutes. */
const retirementSeconds = rotationSeconds + daySeconds;
/** A new key waits before it signs, while there is an older one, so that every process meets it in time. */
const settlingSeconds = 60;
/** How often at most an unknown key makes a process look for new ones. */
const lookAgainMs = 2_000;

export type SigningKey = Pick<SigningKeyRow, 'kid' | 'privateJwk'>;

/** The key that signs now. Made when there is none, or when the newest is 30 days old. */
export function currentSigningKey(database: Database): Promise<SigningKey> {
  return outsideTenants(database, async (transaction) => {
    const keys = await listSigningKeys(transaction);
    return signingOne(isDue(keys, transaction.now) ? await rotate(transaction) : keys, transaction.now);
  });
}

/** Finds the public key of a `kid`, or undefined when there is none that is accepted. */
export type VerifyingKeys = (kid: string, now: Date) => Promise<JWK | undefined>;

/** The public keys of the installation, kept in memory; looks again when it meets a `kid` it does not know. */
export function createVerifyingKeys(database: Database): VerifyingKeys {
  let known: ReadonlyMap<string, Pick<SigningKeyRow, 'publicJwk' | 'retiresAt'>> = new Map();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(now: Date): Promise<void> {
    const rows = await outsideTenants(database, listSigningKeys);
    known = new Map(rows.map(({ kid, publicJwk, retiresAt }) => [kid, { publicJwk, retiresAt }]));
    lookedAt = now.getTime();
  }

  return async (kid, now) => {
    if (!known.has(kid) && Math.abs(now.getTime() - lookedAt) >= lookAgainMs) {
      looking ??= look(now).finally(() => {
        looking = undefined;
      });
      await looking;
    }
    const key = known.get(kid);
    return key && key.retiresAt > now ? key.publicJwk : undefined;
  };
}

async function rotate(transaction: TenantTransaction): Promise<SigningKeyRow[]> {
  await lockSigningKeys(transaction);
  const keys = await listSigningKeys(transaction);
  if (!isDue(keys, transaction.now)) return keys;
  const made = await makeKey(transaction.now);
  await insertSigningKey(transaction, made);
  await deleteRetiredSigningKeys(transaction);
  return [made, ...keys];
}

async function makeKey(now: Date): Promise<SigningKeyRow> {
  const { privateKey, publicKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  return {
    kid: crypto.randomUUID(),
    privateJwk: await exportJWK(privateKey),
    publicJwk: await exportJWK(publicKey),
    createdAt: now,
    retiresAt: addSeconds(now, retirementSeconds),
  };
}

function isDue([newest]: readonly SigningKeyRow[], now: Date): boolean {
  return newest === undefined || addSeconds(newest.createdAt, rotationSeconds) <= now;
}

function signingOne(keys: readonly SigningKeyRow[], now: Date): SigningKeyRow {
  const settled = keys.find(({ createdAt }) => addSeconds(createdAt, settlingSeconds) <= now);
  const chosen = settled ?? keys[0];
  if (!chosen) throw new Error('there is no signing key');
  return chosen;
}
