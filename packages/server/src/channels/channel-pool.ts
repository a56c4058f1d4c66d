import type { Logger } from 'pino';
import type { SecretBox } from '../common/secret-box.ts';
import type { ChannelRow } from './channel.store.ts';
import type { EgressOf } from './network/egress.ts';
import { type OpenedChannel, openChannel } from './open-channel.ts';
import type { ChannelContext, Incoming, MediaContent } from './port/channel.ts';
import type { Telephony } from './port/telephony.ts';

/** Open channels with their connections. A channel that was changed is closed once no send can be using it. */
export type ChannelPool = {
  /** The channel of a row, opened once for each version of the row. */
  open(tenantId: number, row: ChannelRow): OpenedChannel;
  /** The same if this version is open already. */
  find(tenantId: number, row: Pick<ChannelRow, 'id' | 'version'>): OpenedChannel | undefined;
  close(): Promise<void>;
};

export type ChannelPoolDependencies = {
  readonly box: SecretBox | undefined;
  readonly egressOf: EgressOf;
  /** Where the modems of a tenant are. */
  readonly modemDirectoryOf?: ((tenantId: number) => string | undefined) | undefined;
  readonly telephony?: Telephony | undefined;
  readonly log: Logger;
  readonly now: () => Date;
  readonly readMedia: (tenantId: number, name: string) => Promise<MediaContent | undefined>;
  /** Takes in replies and receipts that a channel of the tenant receives. */
  readonly receive: (place: { tenantId: number; channelId: number }, incoming: Incoming) => Promise<void>;
  /** The key with which the channels of a tenant sign what comes back to them. */
  readonly signingKeyOf?: (tenantId: number) => Buffer;
};

type Entry = { version: number; opened: OpenedChannel };

/** Longer than any send can take. */
const graceMs = 60_000;

export function createChannelPool(dependencies: ChannelPoolDependencies): ChannelPool {
  const { box, egressOf, log, now, telephony } = dependencies;
  const entries = new Map<string, Entry>();
  const closeTimers = new Set<NodeJS.Timeout>();

  const closeLater = ({ opened }: Entry) => {
    const timer = setTimeout(() => {
      closeTimers.delete(timer);
      void closeChannel(opened);
    }, graceMs);
    closeTimers.add(timer.unref());
  };

  const keyOf = (tenantId: number, id: number) => `${tenantId}/${id}`;

  return {
    find: (tenantId, { id, version }) => {
      const known = entries.get(keyOf(tenantId, id));
      return known?.version === version ? known.opened : undefined;
    },
    open: (tenantId, row) => {
      const key = keyOf(tenantId, row.id);
      const known = entries.get(key);
      if (known?.version === row.version) return known.opened;
      if (known) closeLater(known);
      const readMedia: ChannelContext['readMedia'] = (name) => dependencies.readMedia(tenantId, name);
      const place = { tenantId, channelId: row.id };
      const inbox: ChannelContext['inbox'] = (incoming) => dependencies.receive(place, incoming);
      const modemDirectory = dependencies.modemDirectoryOf?.(tenantId);
      const signingKey = dependencies.signingKeyOf?.(tenantId);
      const context = {
        egress: egressOf(tenantId),
        log,
        now,
        readMedia,
        inbox,
        modemDirectory,
        signingKey,
        telephony,
      };
      const opened = openChannel(row, { box, tenantId }, context);
      entries.set(key, { version: row.version, opened });
      return opened;
    },
    close: async () => {
      for (const timer of closeTimers) clearTimeout(timer);
      const closing = [...entries.values()].map(({ opened }) => closeChannel(opened));
      entries.clear();
      await Promise.all(closing);
    },
  };
}

async function closeChannel(opened: OpenedChannel): Promise<void> {
  if (opened.kind === 'open') await opened.channel.close?.();
}
