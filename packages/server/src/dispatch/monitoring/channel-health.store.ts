import type { ChannelFailure } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';

type PlaceRow = { tenant_id: number; channel_id: number };

const placeOf = ({ tenant_id: tenantId, channel_id: channelId }: PlaceRow): ChannelPlace => ({
  tenantId,
  channelId,
});

/** A channel to probe; it has no version if it is disabled. */
export type ClaimedProbe = ChannelPlace & { version: number | undefined };

/** Claims channels of all tenants that are due for a probe, until then. */
export async function claimChannelProbes(
  { client, now }: TenantTransaction,
  wanted: number,
  until: Date,
): Promise<ClaimedProbe[]> {
  const { rows } = await client.query<PlaceRow & { channel_version: number | null }>({
    name: 'claim-probes-of-channels',
    text: 'select tenant_id, channel_id, channel_version from claim_probes_of_channels($1, $2, $3)',
    values: [wanted, now, until],
  });
  return rows.map(({ tenant_id: tenantId, channel_id: channelId, channel_version: version }) => ({
    tenantId,
    channelId,
    version: version ?? undefined,
  }));
}

/** Stores that the channels worked. Returns those that have failed before, or whose system alarm is raised, and need a judgment. */
export async function recordWorked(
  { client, now }: TenantTransaction,
  places: readonly ChannelPlace[],
): Promise<ChannelPlace[]> {
  const { rows } = await client.query<PlaceRow>({
    name: 'record-worked-channels',
    text: 'select tenant_id, channel_id from record_worked_channels($1::bigint[], $2::bigint[], $3)',
    values: [places.map(({ tenantId }) => tenantId), places.map(({ channelId }) => channelId), now],
  });
  return rows.map(placeOf);
}

/** Lists those of the channels that are recorded as failing. */
export async function listFailing(
  { client }: TenantTransaction,
  places: readonly ChannelPlace[],
): Promise<ChannelPlace[]> {
  const { rows } = await client.query<PlaceRow>({
    name: 'list-failing-channels',
    text: 'select tenant_id, channel_id from failing_channels($1::bigint[], $2::bigint[])',
    values: [places.map(({ tenantId }) => tenantId), places.map(({ channelId }) => channelId)],
  });
  return rows.map(placeOf);
}

type FailureRow = {
  channel_id: number;
  failures: number;
  failing_since: Date | null;
  last_send_failed_at: Date | null;
  down: boolean;
  reason: string;
};

/** Reads and locks the recorded failures of channels; undefined for a channel that works. */
export async function lockFailures(
  { client, tenantId }: TenantTransaction,
  channelIds: readonly number[],
): Promise<Map<number, ChannelFailure | undefined>> {
  const { rows } = await client.query<FailureRow>({
    name: 'lock-channel-health',
    text: `select channel_id, failures, failing_since, last_send_failed_at, down, reason from channel_health
           where tenant_id = $1 and channel_id = any ($2::bigint[]) order by channel_id for update`,
    values: [tenantId, channelIds],
  });
  return new Map(rows.map((row) => [row.channel_id, failureOf(row)]));
}

function failureOf(row: FailureRow): ChannelFailure | undefined {
  const { failures, failing_since: since, last_send_failed_at: lastSendFailedAt, down, reason } = row;
  return since === null
    ? undefined
    : { since, lastSendFailedAt: lastSendFailedAt ?? undefined, failures, down, reason };
}

export async function saveFailure(
  transaction: TenantTransaction,
  channelId: number,
  { failure, dueAt }: { failure: ChannelFailure | undefined; dueAt: Date },
): Promise<void> {
  await transaction
    .updateTable('channelHealth')
    .set({
      dueAt,
      failures: failure?.failures ?? 0,
      failingSince: failure?.since ?? null,
      lastSendFailedAt: failure?.lastSendFailedAt ?? null,
      down: failure?.down ?? false,
      reason: failure?.reason ?? '',
    })
    .where('tenantId', '=', transaction.tenantId)
    .where('channelId', '=', channelId)
    .execute();
}

/** Records that a probe succeeded. */
export async function saveWorked(transaction: TenantTransaction, channelId: number): Promise<void> {
  await transaction
    .updateTable('channelHealth')
    .set({ workedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('channelId', '=', channelId)
    .execute();
}

/** Stops checking channels that are deleted or disabled. A change of the channel adds it again. */
export async function deleteChannelHealth(
  transaction: TenantTransaction,
  channelIds: readonly number[],
): Promise<void> {
  await transaction
    .deleteFrom('channelHealth')
    .where('tenantId', '=', transaction.tenantId)
    .where('channelId', 'in', [...channelIds])
    .execute();
}

export type DownChannel = { id: number; name: string; medium: string; reason: string };

export async function listDownChannels(transaction: TenantTransaction): Promise<DownChannel[]> {
  return transaction
    .selectFrom('channelHealth')
    .innerJoin('channels', (join) =>
      join
        .onRef('channels.tenantId', '=', 'channelHealth.tenantId')
        .onRef('channels.id', '=', 'channelHealth.channelId'),
    )
    .select(['channels.id', 'channels.name', 'channels.medium', 'channelHealth.reason'])
    .where('channelHealth.tenantId', '=', transaction.tenantId)
    .where('channelHealth.down', '=', true)
    .orderBy('channels.id')
    .execute();
}
