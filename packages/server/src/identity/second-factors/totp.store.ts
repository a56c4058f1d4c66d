import type { SecretBox } from '../../common/secret-box.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { matchingStep } from './totp.ts';

type TotpRow = {
  sealed: Buffer | null;
  confirmedAt: Date | null;
  lastStep: number;
  pendingSealed: Buffer | null;
  pendingAt: Date | null;
};

const columns = ['sealed', 'confirmedAt', 'lastStep', 'pendingSealed', 'pendingAt'] as const;

/** Since when the user has an authenticator app; undefined without one. */
export async function totpSince(transaction: TenantTransaction, userId: number): Promise<Date | undefined> {
  const row = await rowsOf(transaction, userId).executeTakeFirst();
  return row?.confirmedAt ?? undefined;
}

/** Stores a new secret, which replaces the present one after its first code. */
export async function savePendingTotp(
  transaction: TenantTransaction,
  box: SecretBox,
  { userId, secret }: { userId: number; secret: Buffer },
): Promise<void> {
  const { tenantId, now } = transaction;
  const pendingSealed = box.seal(secret.toString('base64'), placeOfTotp(tenantId, userId));
  await transaction
    .insertInto('totpSecrets')
    .values({ tenantId, userId, pendingSealed, pendingAt: now })
    .onConflict((conflict) =>
      conflict.columns(['tenantId', 'userId']).doUpdateSet({ pendingSealed, pendingAt: now }),
    )
    .execute();
}

/** Puts the pending secret into use if the code is one of it, and the secret was made after `notBefore`. */
export async function confirmPendingTotp(
  transaction: TenantTransaction,
  box: SecretBox,
  { userId, code, notBefore }: { userId: number; code: string; notBefore: Date },
): Promise<'confirmed' | 'wrong' | 'none'> {
  const { tenantId, now } = transaction;
  const row = await rowsOf(transaction, userId).forUpdate().executeTakeFirst();
  if (!row?.pendingSealed || !row.pendingAt || row.pendingAt < notBefore) return 'none';
  const secret = openTotp(box, row.pendingSealed, placeOfTotp(tenantId, userId));
  const step = matchingStep(secret, code, { now, lastStep: 0 });
  if (step === undefined) return 'wrong';
  await updateTotp(transaction, userId, {
    sealed: row.pendingSealed,
    confirmedAt: now,
    lastStep: step,
    pendingSealed: null,
    pendingAt: null,
  });
  return 'confirmed';
}

/** Whether the code is right. A right one cannot be used again. */
export async function useTotpCode(
  transaction: TenantTransaction,
  box: SecretBox,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  const { tenantId, now } = transaction;
  const row = await rowsOf(transaction, userId).forUpdate().executeTakeFirst();
  if (!row?.sealed) return false;
  const secret = openTotp(box, row.sealed, placeOfTotp(tenantId, userId));
  const lastStep = matchingStep(secret, code, { now, lastStep: row.lastStep });
  if (lastStep === undefined) return false;
  await updateTotp(transaction, userId, { lastStep });
  return true;
}

export async function deleteTotp(transaction: TenantTransaction, userId: number): Promise<void> {
  await transaction
    .deleteFrom('totpSecrets')
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .execute();
}

/** Seals the secrets of a tenant's users again with the first key of the box, and returns their number. */
export async function resealTotp(transaction: TenantTransaction, box: SecretBox): Promise<number> {
  const { tenantId } = transaction;
  const rows = await transaction
    .selectFrom('totpSecrets')
    .select(['userId', 'sealed', 'pendingSealed'])
    .where('tenantId', '=', tenantId)
    .execute();
  for (const { userId, sealed, pendingSealed } of rows) {
    const place = placeOfTotp(tenantId, userId);
    const again = (secret: Buffer | null) =>
      secret && box.seal(openTotp(box, secret, place).toString('base64'), place);
    await updateTotp(transaction, userId, { sealed: again(sealed), pendingSealed: again(pendingSealed) });
  }
  return rows.length;
}

function rowsOf(transaction: TenantTransaction, userId: number) {
  return transaction
    .selectFrom('totpSecrets')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId);
}

async function updateTotp(
  transaction: TenantTransaction,
  userId: number,
  change: Partial<TotpRow>,
): Promise<void> {
  await transaction
    .updateTable('totpSecrets')
    .set(change)
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .execute();
}

function openTotp(box: SecretBox, sealed: Buffer, place: string): Buffer {
  const text = box.open(sealed, place);
  if (text === undefined) throw new Error(`no key opens ${place}`);
  return Buffer.from(text, 'base64');
}

export function placeOfTotp(tenantId: number, userId: number): string {
  return `authenticator app of user ${tenantId}/${userId}`;
}
