import type { JWK } from 'jose';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** A stored key. The public key is taken from the sealed part, too: a key that we did not seal is not ours. */
export type SigningKeyRow = {
  kid: string;
  sealed: Buffer;
  createdAt: Date;
  retiresAt: Date;
};

/** The keys whose tokens are accepted, newest first. */
export async function listSigningKeys(transaction: TenantTransaction): Promise<SigningKeyRow[]> {
  const rows = await transaction
    .selectFrom('signingKeys')
    .select(['kid', 'sealed', 'createdAt', 'retiresAt'])
    .where('retiresAt', '>', transaction.now)
    .where('sealed', 'is not', null)
    .orderBy('createdAt', 'desc')
    .orderBy('kid')
    .execute();
  return rows.flatMap(({ sealed, ...row }) => (sealed === null ? [] : [{ ...row, sealed }]));
}

/** Lets one process at a time create or change keys. The others wait, and then find them. */
export async function lockSigningKeys(transaction: TenantTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7420, 3)`.execute(transaction);
}

export async function insertSigningKey(
  transaction: TenantTransaction,
  { publicJwk, ...columns }: SigningKeyRow & { publicJwk: JWK },
): Promise<void> {
  await transaction
    .insertInto('signingKeys')
    .values({ ...columns, publicJwk: JSON.stringify(publicJwk) })
    .execute();
}

/** Keys that an older release has stored in plain text. */
export function listPlaintextSigningKeys(
  transaction: TenantTransaction,
): Promise<{ kid: string; privateJwk: JWK }[]> {
  return transaction
    .selectFrom('signingKeys')
    .select(['kid', sql<JWK>`private_jwk`.as('privateJwk')])
    .where('privateJwk', 'is not', null)
    .execute();
}

/** Replaces the sealed key, and deletes its plain text. */
export async function updateSealedKey(
  transaction: TenantTransaction,
  { kid, sealed }: Pick<SigningKeyRow, 'kid' | 'sealed'>,
): Promise<void> {
  await transaction
    .updateTable('signingKeys')
    .set({ sealed, privateJwk: null })
    .where('kid', '=', kid)
    .execute();
}

/** Retires all keys at `at`, unless they retire earlier. */
export async function retireSigningKeys(transaction: TenantTransaction, at: Date): Promise<void> {
  await transaction.updateTable('signingKeys').set({ retiresAt: at }).where('retiresAt', '>', at).execute();
}

export async function deleteRetiredSigningKeys(transaction: TenantTransaction): Promise<void> {
  await transaction.deleteFrom('signingKeys').where('retiresAt', '<=', transaction.now).execute();
}
