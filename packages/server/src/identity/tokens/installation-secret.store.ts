import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** `hub` seals the tokens of hub connections, `answers` signs answer codes, `badges` is the key of the hashes of badges. */
export type SecretPurpose = 'hub' | 'answers' | 'badges';

export type InstallationSecretRow = { purpose: SecretPurpose; id: string; sealed: Buffer };

/** Lets one process at a time create or change secrets. The others wait, and then find them. */
export async function lockInstallationSecrets(transaction: TenantTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7420, 5)`.execute(transaction);
}

/** Oldest first. */
export function listInstallationSecrets(transaction: TenantTransaction): Promise<InstallationSecretRow[]> {
  return transaction
    .selectFrom('installationSecrets')
    .select([sql<SecretPurpose>`purpose`.as('purpose'), 'id', 'sealed'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function insertInstallationSecret(
  transaction: TenantTransaction,
  secret: InstallationSecretRow,
): Promise<void> {
  await transaction
    .insertInto('installationSecrets')
    .values({ ...secret, createdAt: transaction.now })
    .execute();
}

export async function updateInstallationSecret(
  transaction: TenantTransaction,
  { purpose, id, sealed }: InstallationSecretRow,
): Promise<void> {
  await transaction
    .updateTable('installationSecrets')
    .set({ sealed })
    .where('purpose', '=', purpose)
    .where('id', '=', id)
    .execute();
}

export async function deleteInstallationSecrets(transaction: TenantTransaction): Promise<void> {
  await transaction.deleteFrom('installationSecrets').execute();
  for (const table of Object.values(plaintextTables)) await transaction.deleteFrom(table).execute();
}

const plaintextTables = { hub: 'hubSecrets', answers: 'answerSecrets' } as const;

/** Deletes and returns a secret that an older release has stored in plain text. */
export async function removePlaintextSecret(
  transaction: TenantTransaction,
  purpose: SecretPurpose,
): Promise<string | undefined> {
  if (purpose === 'badges') return undefined;
  const removed = await transaction
    .deleteFrom(plaintextTables[purpose])
    .returning(['secret', 'createdAt'])
    .execute();
  return removed.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0]?.secret;
}
