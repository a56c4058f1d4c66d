import type { ChannelTrouble } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { ChannelPlace } from './channel-health.ts';

type PlaceRow = { tenant_id: number; channel_id: number };

const placeOf = ({ tenant_id: tenantId, channel_id: channelId }: PlaceRow): ChannelPlace => ({
  tenantId,
  channelId,
});

/** Channels of all tenants that are to be probed, each by one server; nobody else takes them until then. */
export async function takeChannelWatches(
  { client, now }: TenantTransaction,
  wanted: number,
  until: Date,
): Promise<ChannelPlace[]> {
  const { rows } = await client.query<PlaceRow>({
    name: 'take-channel-watches',
    text: 'select tenant_id, channel_id from take_channel_watches($1, $2, $3)',
    values: [wanted, now, until],
  });
  return rows.map(placeOf);
}

/** Those of the channels that have failed since they last worked. */
export async function listTroubled(
  { client }: TenantTransaction,
  places: readonly ChannelPlace[],
): Promise<ChannelPlace[]> {
  const { rows } = await client.query<PlaceRow>({
    name: 'troubled-channels',
    text: 'select tenant_id, channel_id from troubled_channels($1::bigint[], $2::bigint[])',
    values: [places.map(({ tenantId }) => tenantId), places.map(({ channelId }) => channelId)],
  });
  return rows.map(placeOf);
}

type TroubleRow = {
  channel_id: number;
  failures: number;
  failing_since: Date | null;
  last_send: Date | null;
  ill: boolean;
  reason: string;
};

/** How the channels stand, locked until the transaction ends. One that nobody watches is not among them. */
export async function lockTroubles(
  { client, tenantId }: TenantTransaction,
  channelIds: readonly number[],
): Promise<Map<number, ChannelTrouble | undefined>> {
  const { rows } = await client.query<TroubleRow>({
    name: 'lock-channel-watches',
    text: `select channel_id, failures, failing_since, last_send, ill, reason from channel_watches
           where tenant_id = $1 and channel_id = any ($2::bigint[]) order by channel_id for update`,
    values: [tenantId, channelIds],
  });
  return new Map(rows.map((row) => [row.channel_id, troubleOf(row)]));
}

function troubleOf(row: TroubleRow): ChannelTrouble | undefined {
  const { failures, failing_since: since, last_send: lastSend, ill, reason } = row;
  return since === null ? undefined : { since, lastSend: lastSend ?? undefined, failures, ill, reason };
}

export async function saveTrouble(
  transaction: TenantTransaction,
  channelId: number,
  { trouble, dueAt }: { trouble: ChannelTrouble | undefined; dueAt: Date },
): Promise<void> {
  await transaction
    .updateTable('channelWatches')
    .set({
      dueAt,
      failures: trouble?.failures ?? 0,
      failingSince: trouble?.since ?? null,
      lastSend: trouble?.lastSend ?? null,
      ill: trouble?.ill ?? false,
      reason: trouble?.reason ?? '',
    })
    .where('tenantId', '=', transaction.tenantId)
    .where('channelId', '=', channelId)
    .execute();
}

/** A channel that is gone or not in use is no longer watched; once it is changed it is again. */
export async function deleteWatches(
  transaction: TenantTransaction,
  channelIds: readonly number[],
): Promise<void> {
  await transaction
    .deleteFrom('channelWatches')
    .where('tenantId', '=', transaction.tenantId)
    .where('channelId', 'in', [...channelIds])
    .execute();
}

export type IllChannel = { id: number; name: string; medium: string; reason: string };

export async function listIllChannels(transaction: TenantTransaction): Promise<IllChannel[]> {
  return transaction
    .selectFrom('channelWatches')
    .innerJoin('channels', (join) =>
      join
        .onRef('channels.tenantId', '=', 'channelWatches.tenantId')
        .onRef('channels.id', '=', 'channelWatches.channelId'),
    )
    .select(['channels.id', 'channels.name', 'channels.medium', 'channelWatches.reason'])
    .where('channelWatches.tenantId', '=', transaction.tenantId)
    .where('channelWatches.ill', '=', true)
    .orderBy('channels.id')
    .execute();
}
