import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type HeardCallback = { channelId: number; callbackId: string };

/** Older reports are refused by their signature, so there is no need to know them. */
const keptMs = 3_600_000;

export async function wasHeard(
  transaction: TenantTransaction,
  { channelId, callbackId }: HeardCallback,
): Promise<boolean> {
  const found = await transaction
    .selectFrom('providerCallbacks')
    .select('callbackId')
    .where('tenantId', '=', transaction.tenantId)
    .where('channelId', '=', channelId)
    .where('callbackId', '=', callbackId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Remembers the report, and forgets those of long ago. */
export async function rememberCallback(
  transaction: TenantTransaction,
  { channelId, callbackId }: HeardCallback,
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('providerCallbacks')
    .values({ tenantId, channelId, callbackId, receivedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await transaction
    .deleteFrom('providerCallbacks')
    .where('tenantId', '=', tenantId)
    .where('receivedAt', '<', new Date(now.getTime() - keptMs))
    .execute();
}
