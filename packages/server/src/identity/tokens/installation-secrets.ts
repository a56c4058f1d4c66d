import type { SecretBox } from '../../common/secret-box.ts';
import { outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import {
  deleteInstallationSecrets,
  type InstallationSecretRow,
  insertInstallationSecret,
  listInstallationSecrets,
  lockInstallationSecrets,
  removePlaintextSecret,
  type SecretPurpose,
  updateInstallationSecret,
} from './installation-secret.store.ts';
import {
  listPlaintextSigningKeys,
  listSigningKeys,
  lockSigningKeys,
  updateSealedKey,
} from './signing-key.store.ts';
import { type KeyStore, placeOfKey } from './signing-keys.ts';

/**
 * A secret that all servers of the installation share; the first server creates it. It is not rotated with the signing
 * keys, so that servers started months apart accept each other's clients.
 */
export function installationSecret(
  { database, box }: KeyStore,
  purpose: SecretPurpose,
  offered: string,
): Promise<string> {
  return outsideTenants(database, async (transaction) => {
    await lockInstallationSecrets(transaction);
    const rows = await listInstallationSecrets(transaction);
    const known = rows.find((row) => row.purpose === purpose);
    if (known) return openSecret(box, known);
    const secret = (await removePlaintextSecret(transaction, purpose)) ?? offered;
    const id = crypto.randomUUID();
    const sealed = box.seal(secret, placeOfSecret({ purpose, id }));
    await insertInstallationSecret(transaction, { purpose, id, sealed });
    return secret;
  });
}

/** Seals the signing keys that an older release has stored in plain text. */
export function sealPlaintextKeys({ database, box }: KeyStore): Promise<void> {
  return outsideTenants(database, async (transaction) => {
    await lockSigningKeys(transaction);
    for (const { kid, privateJwk } of await listPlaintextSigningKeys(transaction))
      await updateSealedKey(transaction, {
        kid,
        sealed: box.seal(JSON.stringify(privateJwk), placeOfKey(kid)),
      });
  });
}

/** Counts the sealed secrets and signing keys, and those that no key of the box opens. */
export function countSealed(
  { database }: Pick<KeyStore, 'database'>,
  box: SecretBox | undefined,
): Promise<{ sealed: number; unopened: number }> {
  return outsideTenants(database, async (transaction) => {
    const sealed = await listSealed(transaction);
    const unopened = sealed.filter((one) => box?.open(one.sealed, one.place) === undefined);
    return { sealed: sealed.length, unopened: unopened.length };
  });
}

/** Seals all secrets and signing keys again with the first key of the box, and returns their number. */
export async function resealInstallation(outside: TenantTransaction, box: SecretBox): Promise<number> {
  await lockSigningKeys(outside);
  await lockInstallationSecrets(outside);
  const all = await listSealed(outside);
  for (const { sealed, place, save } of all) {
    const text = box.open(sealed, place);
    if (text === undefined) throw new Error(`no key opens ${place}`);
    await save(box.seal(text, place));
  }
  return all.length;
}

/** Deletes the secrets, so that starting servers create new ones: for leaked secrets, or a lost secrets key. */
export async function dropInstallationSecrets(outside: TenantTransaction): Promise<void> {
  await lockInstallationSecrets(outside);
  await deleteInstallationSecrets(outside);
}

type Sealed = { sealed: Buffer; place: string; save(sealed: Buffer): Promise<void> };

async function listSealed(transaction: TenantTransaction): Promise<Sealed[]> {
  const keys = await listSigningKeys(transaction);
  const secrets = await listInstallationSecrets(transaction);
  return [
    ...keys.map(({ kid, sealed }) => ({
      sealed,
      place: placeOfKey(kid),
      save: (resealed: Buffer) => updateSealedKey(transaction, { kid, sealed: resealed }),
    })),
    ...secrets.map((row) => ({
      sealed: row.sealed,
      place: placeOfSecret(row),
      save: (resealed: Buffer) => updateInstallationSecret(transaction, { ...row, sealed: resealed }),
    })),
  ];
}

function openSecret(box: SecretBox, row: InstallationSecretRow): string {
  const secret = box.open(row.sealed, placeOfSecret(row));
  if (secret === undefined) throw new Error(`no key of this server opens the ${row.purpose} secret`);
  return secret;
}

function placeOfSecret({ purpose, id }: Pick<InstallationSecretRow, 'purpose' | 'id'>): string {
  return `installation secret ${purpose} ${id}`;
}
