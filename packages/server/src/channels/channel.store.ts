import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type NewChannel = {
  name: string;
  kind: string;
  medium: string;
  priority: number;
  enabled: boolean;
  settings: object;
  /** Seals the secrets for the channel of this id; null if there are none. */
  sealSecrets: (id: number) => Buffer | null;
};

const columns = [
  'id',
  'name',
  'kind',
  'medium',
  'priority',
  'enabled',
  'settings',
  'secrets',
  'version',
  'lastChange',
] as const;

export const channelStore = createCollectionStore({
  table: 'channels',
  kind: 'channel',
  columns,
  filters: ['medium'],
  toColumns: channelColumns,
});

export type ChannelRow = StoredRow<typeof channelStore>;

function channelColumns({ name, settings, sealSecrets, ...rest }: NewChannel, id: number) {
  return {
    ...rest,
    name,
    searchText: searchText([name]),
    settings: JSON.stringify(settings),
    secrets: sealSecrets(id),
  };
}

/** The enabled channels; those of one medium in the order in which they are tried. */
export async function listEnabledChannels(transaction: TenantTransaction): Promise<ChannelRow[]> {
  return transaction
    .selectFrom('channels')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('enabled', '=', true)
    .orderBy('medium')
    .orderBy('priority')
    .orderBy('id')
    .execute();
}

/** Locks the channels that have secrets until the transaction ends. */
export async function listSealedChannels(
  transaction: TenantTransaction,
): Promise<{ id: number; secrets: Buffer }[]> {
  const rows = await transaction
    .selectFrom('channels')
    .select(['id', 'secrets'])
    .where('tenantId', '=', transaction.tenantId)
    .where('secrets', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.flatMap(({ id, secrets }) => (secrets === null ? [] : [{ id, secrets }]));
}

/** Seals the same secrets anew: the version of the channel stays. */
export async function updateChannelSecrets(
  transaction: TenantTransaction,
  id: number,
  secrets: Buffer,
): Promise<void> {
  await transaction
    .updateTable('channels')
    .set({ secrets })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** The health of every channel of the tenant; the members are null for a channel that was never checked. */
export async function listChannelHealth(transaction: TenantTransaction) {
  return transaction
    .selectFrom('channels')
    .leftJoin('channelHealth', (join) =>
      join
        .onRef('channelHealth.tenantId', '=', 'channels.tenantId')
        .onRef('channelHealth.channelId', '=', 'channels.id'),
    )
    .select([
      'channels.id as channelId',
      'channels.enabled',
      'channelHealth.failures',
      'channelHealth.down',
      'channelHealth.reason',
      'channelHealth.workedAt',
    ])
    .where('channels.tenantId', '=', transaction.tenantId)
    .orderBy('channels.id')
    .execute();
}

/** Attempts that are counted at most, so that a storm does not make the count slow. */
const mostCounted = 10_000;

export type DeliveryCount = { readonly channelId: number; readonly sent: number; readonly failed: number };

/** What each channel has sent since this time, and what has failed because of it. */
export async function countDeliveries(
  transaction: TenantTransaction,
  since: Date,
): Promise<ReadonlyMap<number, DeliveryCount>> {
  const { rows } = await sql<DeliveryCount>`
    with newest as (
      select channel_id, avoid, sent_at, channel_fault, started_at from call_attempts
      where tenant_id = ${transaction.tenantId} order by id desc limit ${mostCounted}),
    tried as (
      select channel_id, sent_at is not null as is_sent, channel_fault and not channel_id = any (avoid) as has_failed
      from newest where started_at >= ${since}
      union all
      -- The channels before the last one.
      select unnest(avoid), false, true from newest where started_at >= ${since})
    select channel_id, count(*) filter (where is_sent) as sent, count(*) filter (where has_failed) as failed
    from tried group by channel_id`.execute(transaction);
  return new Map(rows.map((row) => [row.channelId, row]));
}

export type ChannelHealthRow = Awaited<ReturnType<typeof listChannelHealth>>[number];
