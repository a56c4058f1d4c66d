import { addSeconds, type ChannelSign, probeSeconds } from '@tocsin/domain';
import { listEnabledChannels } from '../channels/channel.store.ts';
import type { Channel } from '../channels/channel.ts';
import { outsideTenants, readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { ChannelPlace } from './channel-health.ts';
import { takeChannelWatches } from './channel-watch.store.ts';
import type { Dispatch } from './dispatch.ts';
import { byTenant } from './lease.store.ts';

/** What a probe showed. */
export type Probed = ChannelPlace & { sign: ChannelSign | 'not-in-use' };

const probesAtOnce = 200;
const probeMs = 5_000;

const cannotBeOpened: ChannelSign = {
  from: 'probe',
  works: false,
  failures: 1,
  reason: 'it cannot be opened with its settings and the keys of this server',
};

/** Asks the providers of channels that were not asked for a while whether they are there. It disturbs nobody. */
export async function probeChannels(dispatch: Dispatch, { database }: Runtime): Promise<Probed[]> {
  const taken = await outsideTenants(database, (outside) =>
    // One that is well needs no further note: its next turn is that of a channel without trouble.
    takeChannelWatches(outside, probesAtOnce, addSeconds(outside.now, probeSeconds(undefined))),
  );
  const perTenant = [...byTenant(taken)].map(async ([tenantId, places]) => {
    const { inUse, open } = await readTenant(database, tenantId, async (transaction) => ({
      inUse: new Set((await listEnabledChannels(transaction)).map(({ id }) => id)),
      open: await dispatch.channels.of(transaction),
    }));
    const signOf = (id: number): Probed['sign'] | Promise<ChannelSign> => {
      if (!inUse.has(id)) return 'not-in-use';
      const route = open.find((one) => one.id === id);
      return route ? probe(route.channel) : cannotBeOpened;
    };
    return Promise.all(
      places.map(async (place): Promise<Probed> => ({ ...place, sign: await signOf(place.channelId) })),
    );
  });
  return (await Promise.all(perTenant)).flat();
}

async function probe(channel: Channel): Promise<ChannelSign> {
  const health = await channel.check(AbortSignal.timeout(probeMs));
  if (health.works) return { from: 'probe', works: true };
  return { from: 'probe', works: false, failures: 1, reason: health.reason };
}
