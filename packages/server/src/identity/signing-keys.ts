import { addSeconds } from '@tocsin/domain';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { SecretBox } from '../secret-box.ts';
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from './signing-key.store.ts';

export const signingAlgorithm = 'EdDSA';

/** How long the tokens that a key has signed are good. */
export const accessTokenSeconds = 900;

const daySeconds = 86_400;
const rotationSeconds = 30 * daySeconds;
/** A key is accepted for a day longer than it signs; its last token lives for minutes. */
const retirementSeconds = rotationSeconds + daySeconds;
/** A new key waits before it signs, while there is an older one, so that every process meets it in time. */
const settlingSeconds = 60;
/** After a rotation by hand the former key signs while the new one settles, and its last token must live out its life. */
const lastTokenSeconds = settlingSeconds + accessTokenSeconds + 60;
/** How often at most an unknown key makes a process look for new ones. */
const lookAgainMs = 2_000;
/** A key that was deleted from the database is dead in every process after this. */
const keptMs = 10_000;

export type KeyKeeper = Pick<Runtime, 'database' | 'box'>;
export type SigningKey = { kid: string; privateJwk: JWK };

/** The key that signs now. Made when there is none, or when the newest is 30 days old. */
export function currentSigningKey({ database, box }: KeyKeeper): Promise<SigningKey> {
  return outsideTenants(database, async (transaction) => {
    const keys = await readSigningKeys(transaction, box);
    const usable = isDue(keys, transaction.now) ? await makeWhenDue(transaction, box) : keys;
    return signingOne(usable, transaction.now);
  });
}

/**
 * Makes a new key ahead of time, and answers its name. The former ones are accepted until their last token has ended, or, `atOnce`, no
 * longer: then whoever holds one of their tokens has to refresh it.
 */
export async function rotateSigningKeys(
  outside: TenantTransaction,
  box: SecretBox,
  { atOnce }: { atOnce: boolean },
): Promise<string> {
  await lockSigningKeys(outside);
  await retireSigningKeys(outside, addSeconds(outside.now, atOnce ? 0 : lastTokenSeconds));
  const { kid } = await makeKey(outside, box);
  await deleteRetiredSigningKeys(outside);
  return kid;
}

/** Finds the public key of a `kid`, or undefined when there is none that is accepted. */
export type VerifyingKeys = (kid: string, now: Date) => Promise<JWK | undefined>;

/** The public keys of the installation, kept in memory for moments; looks again when it meets a `kid` it does not know. */
export function createVerifyingKeys({ database, box }: KeyKeeper): VerifyingKeys {
  let known: ReadonlyMap<string, OpenKey> = new Map();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(now: Date): Promise<void> {
    const keys = await outsideTenants(database, (transaction) => readSigningKeys(transaction, box));
    known = new Map(keys.map((key) => [key.kid, key]));
    // As of when it was asked: what was deleted meanwhile is not known to be gone.
    lookedAt = now.getTime();
  }

  return async (kid, now) => {
    const ageMs = Math.abs(now.getTime() - lookedAt);
    if (ageMs >= keptMs || (!known.has(kid) && ageMs >= lookAgainMs)) {
      looking ??= look(now).finally(() => {
        looking = undefined;
      });
      await looking;
    }
    const key = known.get(kid);
    return key && key.retiresAt > now ? key.publicJwk : undefined;
  };
}

type OpenKey = Omit<SigningKeyRow, 'sealed'> & SigningKey & { publicJwk: JWK };

/** What a key is sealed for: under another name it does not open. */
export function placeOfKey(kid: string): string {
  return `signing key ${kid}`;
}

/** The keys that this server can open. A row that somebody else has put there is none. */
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

async function makeWhenDue(transaction: TenantTransaction, box: SecretBox): Promise<OpenKey[]> {
  await lockSigningKeys(transaction);
  const keys = await readSigningKeys(transaction, box);
  if (!isDue(keys, transaction.now)) return keys;
  const made = await makeKey(transaction, box);
  await deleteRetiredSigningKeys(transaction);
  return [made, ...keys];
}

async function makeKey(transaction: TenantTransaction, box: SecretBox): Promise<OpenKey> {
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

function isDue([newest]: readonly OpenKey[], now: Date): boolean {
  return newest === undefined || addSeconds(newest.createdAt, rotationSeconds) <= now;
}

function signingOne(keys: readonly OpenKey[], now: Date): OpenKey {
  const settled = keys.find(({ createdAt }) => addSeconds(createdAt, settlingSeconds) <= now);
  // Of several that are all new the oldest: the others have known it for longest.
  const chosen = settled ?? keys.at(-1);
  if (!chosen) throw new Error('there is no signing key');
  return chosen;
}
