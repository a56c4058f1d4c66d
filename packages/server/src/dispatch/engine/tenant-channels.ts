import type { Logger } from 'pino';
import { type ChannelRow, channelStore, listEnabledChannels } from '../../channels/channel.store.ts';
import type { ChannelPool } from '../../channels/channel-pool.ts';
import type { Channel } from '../../channels/port/channel.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type TenantChannel = { id: number; medium: string; channel: Channel };

/** A channel as it is stored now. */
export type StoredChannel = TenantChannel & { version: number; enabled: boolean };

export type TenantChannels = {
  /** A channel, also a disabled one; undefined if there is none of this id, or it cannot be used. */
  find(transaction: TenantTransaction, id: number): Promise<StoredChannel | undefined>;
  /** This version of a channel, if it is open and can be used. */
  opened(tenantId: number, place: { id: number; version: number }): Channel | undefined;
  /** The usable channels, in the order they are tried. `enabled` spares a read, if the caller has just read them. */
  of(transaction: TenantTransaction, enabled?: readonly ChannelRow[]): Promise<readonly TenantChannel[]>;
  close(): Promise<void>;
};

/** The channels for an address: those of its medium that understand it, or all of them if none does. */
export function channelsFor(
  channels: readonly TenantChannel[],
  { kind, address }: { kind: string; address: string },
): TenantChannel[] {
  const ofMedium = channels.filter(({ medium }) => medium === kind);
  const fitting = ofMedium.filter(({ channel }) => channel.understands?.(address) ?? true);
  return fitting.length > 0 ? fitting : ofMedium;
}

/** A change of a tenant's channels takes effect after this time at the latest. */
const lifeMs = 2_000;

/** Caches the channels of each tenant, and keeps them open between calls. */
export function createTenantChannels(pool: ChannelPool, log: Logger): TenantChannels {
  const lists = new Map<number, { readMs: number; channels: readonly TenantChannel[] }>();
  const channelOf = (row: ChannelRow, tenantId: number): TenantChannel[] => {
    const opened = pool.open(tenantId, row);
    if (opened.kind === 'open') return [{ id: row.id, medium: row.medium, channel: opened.channel }];
    log.warn({ tenantId, channelId: row.id, reason: opened.reason }, 'channel cannot be used');
    return [];
  };
  return {
    find: async (transaction, id) => {
      const row = await channelStore.find(transaction, id, { forUpdate: false });
      const [channel] = row ? channelOf(row, transaction.tenantId) : [];
      return row && channel && { ...channel, version: row.version, enabled: row.enabled };
    },
    opened: (tenantId, place) => {
      const found = pool.find(tenantId, place);
      return found?.kind === 'open' ? found.channel : undefined;
    },
    of: async (transaction, enabled) => {
      const { tenantId } = transaction;
      const known = lists.get(tenantId);
      // Process time: the clock of the plant may be set.
      const nowMs = performance.now();
      if (known && nowMs - known.readMs < lifeMs) return known.channels;
      const rows = enabled ?? (await listEnabledChannels(transaction));
      const channels = rows.flatMap((row) => channelOf(row, tenantId));
      lists.set(tenantId, { readMs: nowMs, channels });
      return channels;
    },
    close: async () => {
      lists.clear();
      await pool.close();
    },
  };
}
