import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { SecretBox } from '../secret-box.ts';
import {
  deleteInstallationSecrets,
  type InstallationSecretRow,
  insertInstallationSecret,
  listInstallationSecrets,
  lockInstallationSecrets,
  type SecretPurpose,
  takeClearSecret,
  updateInstallationSecret,
} from './installation-secret.store.ts';
import {
  listClearSigningKeys,
  listSigningKeys,
  lockSigningKeys,
  updateSealedKey,
} from './signing-key.store.ts';
import { type KeyKeeper, placeOfKey } from './signing-keys.ts';

/**
 * A secret that all servers of the installation share, made by the first that asks. Signing keys are replaced every
 * month; this stays, so that servers started months apart understand each other's clients.
 */
export function installationSecret(
  { database, box }: KeyKeeper,
  purpose: SecretPurpose,
  offered: string,
): Promise<string> {
  return outsideTenants(database, async (transaction) => {
    await lockInstallationSecrets(transaction);
    const rows = await listInstallationSecrets(transaction);
    const known = rows.find((row) => row.purpose === purpose);
    if (known) return openSecret(box, known);
    const secret = (await takeClearSecret(transaction, purpose)) ?? offered;
    const id = crypto.randomUUID();
    const sealed = box.seal(secret, placeOfSecret({ purpose, id }));
    await insertInstallationSecret(transaction, { purpose, id, sealed });
    return secret;
  });
}

/** Seals the signing keys that an older release has kept in clear. */
export function sealClearKeys({ database, box }: KeyKeeper): Promise<void> {
  return outsideTenants(database, async (transaction) => {
    await lockSigningKeys(transaction);
    for (const { kid, privateJwk } of await listClearSigningKeys(transaction))
      await updateSealedKey(transaction, {
        kid,
        sealed: box.seal(JSON.stringify(privateJwk), placeOfKey(kid)),
      });
  });
}

/** How many of the secrets and keys of the installation are sealed, and how many of them no key of the box opens. */
export function countSealed(
  { database }: Pick<KeyKeeper, 'database'>,
  box: SecretBox | undefined,
): Promise<{ sealed: number; unopened: number }> {
  return outsideTenants(database, async (transaction) => {
    const sealed = await listSealed(transaction);
    const unopened = sealed.filter((one) => box?.open(one.sealed, one.place) === undefined);
    return { sealed: sealed.length, unopened: unopened.length };
  });
}

/** Seals all of them anew with the first key of the box. The answer is how many. */
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

/** Lets servers that start make new secrets: for when somebody else may know them, or the key that sealed them is lost. */
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
      save: (anew: Buffer) => updateSealedKey(transaction, { kid, sealed: anew }),
    })),
    ...secrets.map((row) => ({
      sealed: row.sealed,
      place: placeOfSecret(row),
      save: (anew: Buffer) => updateInstallationSecret(transaction, { ...row, sealed: anew }),
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
