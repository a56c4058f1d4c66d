import type { JWK } from 'jose';
import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type SigningKeyRow = {
  kid: string;
  privateJwk: JWK;
  publicJwk: JWK;
  createdAt: Date;
  retiresAt: Date;
};

const columns = [
  'kid',
  sql<JWK>`private_jwk`.as('privateJwk'),
  sql<JWK>`public_jwk`.as('publicJwk'),
  'createdAt',
  'retiresAt',
] as const;

/** The keys whose tokens are accepted, newest first. */
export function listSigningKeys(transaction: TenantTransaction): Promise<SigningKeyRow[]> {
  return transaction
    .selectFrom('signingKeys')
    .select(columns)
    .where('retiresAt', '>', transaction.now)
    .orderBy('createdAt', 'desc')
    .orderBy('kid')
    .execute();
}

/** One process at a time makes a key; the others wait and then find it. */
export async function lockSigningKeys(transaction: TenantTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7420, 3)`.execute(transaction);
}

export async function insertSigningKey(
  transaction: TenantTransaction,
  { privateJwk, publicJwk, ...columns }: SigningKeyRow,
): Promise<void> {
  await transaction
    .insertInto('signingKeys')
    .values({
      ...columns,
      privateJwk: JSON.stringify(privateJwk),
      publicJwk: JSON.stringify(publicJwk),
    })
    .execute();
}

export async function deleteRetiredSigningKeys(transaction: TenantTransaction): Promise<void> {
  await transaction.deleteFrom('signingKeys').where('retiresAt', '<=', transaction.now).execute();
}
