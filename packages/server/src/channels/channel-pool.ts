import type { Logger } from 'pino';
import type { SecretBox } from '../secret-box.ts';
import type { ChannelRow } from './channel.store.ts';
import type { ChannelContext, MediaContent } from './channel.ts';
import type { EgressOf } from './egress.ts';
import { type OpenedChannel, openChannel } from './open-channel.ts';

/** Channels in use, with their connections. One that was changed or forgotten is closed once nobody can be using it. */
export type ChannelPool = {
  /** The channel of a row as it is now: opened once for each version of it. */
  open(tenantId: number, row: ChannelRow): OpenedChannel;
  close(): void;
};

export type PoolMeans = {
  readonly box: SecretBox | undefined;
  readonly egressOf: EgressOf;
  readonly log: Logger;
  readonly now: () => Date;
  readonly readMedia: (tenantId: number, name: string) => Promise<MediaContent | undefined>;
};

type Entry = { version: number; opened: OpenedChannel };

/** Longer than any send may take. */
const graceMs = 60_000;

export function createChannelPool(means: PoolMeans): ChannelPool {
  const { box, egressOf, log, now } = means;
  const entries = new Map<string, Entry>();
  const farewells = new Set<NodeJS.Timeout>();

  const dismiss = ({ opened }: Entry) => {
    const timer = setTimeout(() => {
      farewells.delete(timer);
      end(opened);
    }, graceMs);
    farewells.add(timer.unref());
  };

  return {
    open: (tenantId, row) => {
      const key = `${tenantId}/${row.id}`;
      const known = entries.get(key);
      if (known?.version === row.version) return known.opened;
      if (known) dismiss(known);
      const readMedia: ChannelContext['readMedia'] = (name) => means.readMedia(tenantId, name);
      const opened = openChannel(row, { box, tenantId }, { egress: egressOf(tenantId), log, now, readMedia });
      entries.set(key, { version: row.version, opened });
      return opened;
    },
    close: () => {
      for (const timer of farewells) clearTimeout(timer);
      for (const { opened } of entries.values()) end(opened);
      entries.clear();
    },
  };
}

function end(opened: OpenedChannel): void {
  if (opened.kind === 'open') opened.channel.close?.();
}
