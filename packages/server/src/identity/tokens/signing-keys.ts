import { addSeconds } from '@tocsin/domain';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { SecretBox } from '../../common/secret-box.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from './signing-key.store.ts';

export const signingAlgorithm = 'EdDSA';

/** The lifetime of an access token. */
export const accessTokenSeconds = 900;

const daySeconds = 86_400;
const rotationSeconds = 30 * daySeconds;
/** A key is accepted for a day longer than it signs, which its last token needs only for minutes. */
const retirementSeconds = rotationSeconds + daySeconds;
/** A new key does not sign at once if there is an older one, so that every process has read it before. */
const activationDelaySeconds = 60;
/** After a manual rotation the former key signs until the new one is active, and its last token must stay valid. */
const lastTokenSeconds = activationDelaySeconds + accessTokenSeconds + 60;
/** An unknown key makes a process read the keys again at most this often. */
const refreshMs = 2_000;
/** The time until every process rejects a key that was deleted from the database. */
const cacheMs = 10_000;

export type KeyStore = Pick<Runtime, 'database' | 'box'>;
export type SigningKey = { kid: string; privateJwk: JWK };

/** The key that signs now. Creates one if there is none, or if the newest is 30 days old. */
export function currentSigningKey({ database, box }: KeyStore): Promise<SigningKey> {
  return outsideTenants(database, async (transaction) => {
    const keys = await readSigningKeys(transaction, box);
    const usable = isRotationDue(keys, transaction.now) ? await createKeyIfDue(transaction, box) : keys;
    return chooseSigningKey(usable, transaction.now);
  });
}

/**
 * Creates a new key ahead of time, and returns its name. The former keys are accepted until their last token has
 * expired, or with `atOnce` no longer: then clients have to refresh their tokens.
 */
export async function rotateSigningKeys(
  outside: TenantTransaction,
  box: SecretBox,
  { atOnce }: { atOnce: boolean },
): Promise<string> {
  await lockSigningKeys(outside);
  await retireSigningKeys(outside, addSeconds(outside.now, atOnce ? 0 : lastTokenSeconds));
  const { kid } = await createKey(outside, box);
  await deleteRetiredSigningKeys(outside);
  return kid;
}

/** Finds the public key of a `kid`; undefined if no accepted key has it. */
export type VerifyingKeys = (kid: string, now: Date) => Promise<JWK | undefined>;

/** The public keys of the installation, cached for seconds; an unknown `kid` reads them again. */
export function createVerifyingKeys({ database, box }: KeyStore): VerifyingKeys {
  let known: ReadonlyMap<string, OpenKey> = new Map();
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function refresh(now: Date): Promise<void> {
    const keys = await outsideTenants(database, (transaction) => readSigningKeys(transaction, box));
    known = new Map(keys.map((key) => [key.kid, key]));
    // The time before the read: a key may have been deleted since.
    refreshedAt = now.getTime();
  }

  return async (kid, now) => {
    const ageMs = Math.abs(now.getTime() - refreshedAt);
    if (ageMs >= cacheMs || (!known.has(kid) && ageMs >= refreshMs)) {
      refreshing ??= refresh(now).finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    }
    const key = known.get(kid);
    return key && key.retiresAt > now ? key.publicJwk : undefined;
  };
}

type OpenKey = Omit<SigningKeyRow, 'sealed'> & SigningKey & { publicJwk: JWK };

/** The context that a key is sealed with: under another name it does not open. */
export function placeOfKey(kid: string): string {
  return `signing key ${kid}`;
}

/** The keys that this server can open. Rows that were inserted without the secrets key are ignored. */
async function readSigningKeys(transaction: TenantTransaction, box: SecretBox): Promise<OpenKey[]> {
  const rows = await listSigningKeys(transaction);
  return rows.flatMap(({ sealed, ...row }) => {
    const text = box.open(sealed, placeOfKey(row.kid));
    if (text === undefined) return [];
    const privateJwk = JSON.parse(text) as JWK;
    const { d: _, ...publicJwk } = privateJwk;
    return [{ ...row, privateJwk, publicJwk }];
  });
}

async function createKeyIfDue(transaction: TenantTransaction, box: SecretBox): Promise<OpenKey[]> {
  await lockSigningKeys(transaction);
  const keys = await readSigningKeys(transaction, box);
  if (!isRotationDue(keys, transaction.now)) return keys;
  const created = await createKey(transaction, box);
  await deleteRetiredSigningKeys(transaction);
  return [created, ...keys];
}

async function createKey(transaction: TenantTransaction, box: SecretBox): Promise<OpenKey> {
  const { privateKey, publicKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  const publicJwk = await exportJWK(publicKey);
  const kid = crypto.randomUUID();
  const createdAt = transaction.now;
  const retiresAt = addSeconds(createdAt, retirementSeconds);
  const sealed = box.seal(JSON.stringify(privateJwk), placeOfKey(kid));
  await insertSigningKey(transaction, { kid, sealed, publicJwk, createdAt, retiresAt });
  return { kid, privateJwk, publicJwk, createdAt, retiresAt };
}

function isRotationDue([newest]: readonly OpenKey[], now: Date): boolean {
  return newest === undefined || addSeconds(newest.createdAt, rotationSeconds) <= now;
}

function chooseSigningKey(keys: readonly OpenKey[], now: Date): OpenKey {
  const active = keys.find(({ createdAt }) => addSeconds(createdAt, activationDelaySeconds) <= now);
  // If all keys are new, the oldest one is the most likely to be known to other servers.
  const chosen = active ?? keys.at(-1);
  if (!chosen) throw new Error('there is no signing key');
  return chosen;
}
