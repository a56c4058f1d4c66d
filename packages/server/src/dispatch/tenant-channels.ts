import type { Logger } from 'pino';
import { type ChannelRow, listEnabledChannels } from '../channels/channel.store.ts';
import type { Channel } from '../channels/channel.ts';
import type { ChannelPool } from '../channels/channel-pool.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type TenantChannel = { id: number; medium: string; channel: Channel };

export type TenantChannels = {
  /** Those that can be used, in the order they are tried. */
  of(transaction: TenantTransaction): Promise<readonly TenantChannel[]>;
  close(): void;
};

/** How old the list of a tenant's channels may be: a new one is used this soon. */
const lifeMs = 2_000;

/** Asks for a tenant's channels now and then, and keeps them open between calls. */
export function createTenantChannels(pool: ChannelPool, log: Logger): TenantChannels {
  const lists = new Map<number, { readMs: number; channels: readonly TenantChannel[] }>();
  const channelOf = (row: ChannelRow, tenantId: number): TenantChannel[] => {
    const opened = pool.open(tenantId, row);
    if (opened.kind === 'open') return [{ id: row.id, medium: row.medium, channel: opened.channel }];
    log.warn({ tenantId, channelId: row.id, reason: opened.reason }, 'channel cannot be used');
    return [];
  };
  return {
    of: async (transaction) => {
      const { tenantId } = transaction;
      const known = lists.get(tenantId);
      // How long a process keeps a list is not the plant's time.
      const nowMs = performance.now();
      if (known && nowMs - known.readMs < lifeMs) return known.channels;
      const rows = await listEnabledChannels(transaction);
      const channels = rows.flatMap((row) => channelOf(row, tenantId));
      lists.set(tenantId, { readMs: nowMs, channels });
      return channels;
    },
    close: () => {
      lists.clear();
      pool.close();
    },
  };
}
