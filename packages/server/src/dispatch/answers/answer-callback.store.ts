import { addSeconds } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type ReceivedCallback = { channelId: number; callbackId: string };

/** Much longer than a signature is valid (five minutes, plus five for clock differences). */
export const callbacksKeptSeconds = 3_600;

export async function wasReceived(
  transaction: TenantTransaction,
  { channelId, callbackId }: ReceivedCallback,
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

export async function saveCallback(
  transaction: TenantTransaction,
  { channelId, callbackId }: ReceivedCallback,
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('providerCallbacks')
    .values({ tenantId, channelId, callbackId, receivedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes up to `limit` old callbacks. Returns how many. */
export async function forgetCallbacks(
  { client, tenantId, now }: TenantTransaction,
  limit: number,
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'forget-old-callbacks',
    text: `with old as materialized (
             select channel_id, callback_id from provider_callbacks where tenant_id = $1 and received_at < $2
             order by received_at limit $3 for update skip locked
           )
           delete from provider_callbacks c using old
           where c.tenant_id = $1 and c.channel_id = old.channel_id and c.callback_id = old.callback_id`,
    values: [tenantId, addSeconds(now, -callbacksKeptSeconds), limit],
  });
  return rowCount ?? 0;
}
