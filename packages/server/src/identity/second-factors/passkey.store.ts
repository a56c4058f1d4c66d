import { nextId } from '../../postgres/next-id.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type PasskeyRow = {
  id: number;
  userId: number;
  name: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  rpId: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

const columns = [
  'id',
  'userId',
  'name',
  'credentialId',
  'publicKey',
  'counter',
  'transports',
  'rpId',
  'createdAt',
  'lastUsedAt',
] as const;

/** The passkeys of a user, the oldest first. */
export function listPasskeys(transaction: TenantTransaction, userId: number): Promise<PasskeyRow[]> {
  return transaction
    .selectFrom('passkeys')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Locks the passkey, so that its counter cannot be used twice at once. */
export function lockPasskey(
  transaction: TenantTransaction,
  { userId, credentialId }: { userId: number; credentialId: string },
): Promise<PasskeyRow | undefined> {
  return transaction
    .selectFrom('passkeys')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('credentialId', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();
}

export type NewPasskey = Omit<PasskeyRow, 'id' | 'createdAt' | 'lastUsedAt'>;

/** Undefined if the tenant has this passkey already. */
export async function insertPasskey(
  transaction: TenantTransaction,
  passkey: NewPasskey,
): Promise<PasskeyRow | undefined> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'passkey');
  return transaction
    .insertInto('passkeys')
    .values({ tenantId, id, createdAt: now, ...passkey })
    .onConflict((conflict) => conflict.columns(['tenantId', 'credentialId']).doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function recordPasskeyUse(
  transaction: TenantTransaction,
  { id, counter }: { id: number; counter: number },
): Promise<void> {
  await transaction
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** The name of the deleted passkey; undefined if the user has no such passkey. */
export async function deletePasskey(
  transaction: TenantTransaction,
  { userId, id }: { userId: number; id: number },
): Promise<string | undefined> {
  const deleted = await transaction
    .deleteFrom('passkeys')
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}

export async function deletePasskeys(transaction: TenantTransaction, userId: number): Promise<void> {
  await transaction
    .deleteFrom('passkeys')
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .execute();
}
