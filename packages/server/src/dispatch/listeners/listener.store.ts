import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';

/** A channel whose connection this server may hold. A later claim of the same channel has a higher fencing token. */
export type ListenerClaim = ChannelPlace & {
  fencingToken: number;
  channelVersion: number;
  /** Of the connection, since it last worked. */
  failures: number;
};

/** After this time without a renewal another server may listen: the first one has died or hangs. */
export const listenerLeaseMs = 15_000;

/** Claims channels of all tenants that no server listens to. */
export async function claimListeners(
  { client, now }: TenantTransaction,
  holder: string,
  wanted: number,
): Promise<ListenerClaim[]> {
  const { rows } = await client.query<ListenerClaim>({
    name: 'claim-channel-listeners',
    text: `select tenant_id as "tenantId", channel_id as "channelId", fencing_token as "fencingToken",
             channel_version as "channelVersion", failures from claim_channel_listeners($1, $2, $3, $4)`,
    values: [wanted, now, new Date(now.getTime() + listenerLeaseMs), holder],
  });
  return rows;
}

/** Renews claims. Returns those that are still held, with the present version of their channels. */
export async function renewListeners(
  { client, now }: TenantTransaction,
  claims: readonly ListenerClaim[],
): Promise<(ChannelPlace & { channelVersion: number })[]> {
  const { rows } = await client.query<ChannelPlace & { channelVersion: number }>({
    name: 'renew-channel-listeners',
    text: `select tenant_id as "tenantId", channel_id as "channelId", channel_version as "channelVersion"
           from renew_channel_listeners($1::bigint[], $2::bigint[], $3::bigint[], $4)`,
    values: [
      claims.map(({ tenantId }) => tenantId),
      claims.map(({ channelId }) => channelId),
      claims.map(({ fencingToken }) => fencingToken),
      new Date(now.getTime() + listenerLeaseMs),
    ],
  });
  return rows;
}

/** Gives a claim back. Nobody claims the channel before the delay has passed, unless it was changed meanwhile. */
export async function releaseListener(
  { client, now }: TenantTransaction,
  { tenantId, channelId, fencingToken, channelVersion }: ListenerClaim,
  { delayMs, failures }: { delayMs: number; failures: number },
): Promise<void> {
  await client.query({
    name: 'release-channel-listener',
    text: `update channel_listeners set holder = '', failures = $5,
             lease_until = case when channel_version = $6 then $4::timestamptz else '-infinity' end
           where tenant_id = $1 and channel_id = $2 and fencing_token = $3`,
    values: [tenantId, channelId, fencingToken, new Date(now.getTime() + delayMs), failures, channelVersion],
  });
}
