import { setTimeout as sleep } from 'node:timers/promises';
import { addSeconds, type ChannelObservation, probeSeconds } from '@tocsin/domain';
import { listEnabledChannels } from '../../channels/channel.store.ts';
import type { Channel, Health } from '../../channels/port/channel.ts';
import type { Database } from '../../postgres/database.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants, readTenant } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { byTenant } from '../engine/lease.store.ts';
import { claimChannelProbes } from './channel-health.store.ts';

/** The result of a probe. */
export type Probed = ChannelPlace & { observation: ChannelObservation | 'not-in-use' };

const probesAtOnce = 200;
const probeMs = 5_000;
/** A channel stops by itself after `probeMs`. One that does not must not stop the probes of all others. */
const maxWaitMs = probeMs + 1_000;
const noResult: Health = { works: false, reason: 'its check did not end in time' };

const cannotBeOpened: ChannelObservation = {
  from: 'probe',
  works: false,
  failures: 1,
  reason: 'it cannot be opened with its settings and the keys of this server',
};

/** Probes channels that are due. A probe sends no message to anybody. */
export async function probeChannels(dispatch: Dispatch, { database }: Runtime): Promise<Probed[]> {
  const claimed = await outsideTenants(database, (outside) =>
    // A healthy channel needs no other due time: this is already its next probe.
    claimChannelProbes(outside, probesAtOnce, addSeconds(outside.now, probeSeconds(undefined))),
  );
  const known = claimed.map(({ version, ...place }): Probed | Promise<Probed> | undefined => {
    if (version === undefined) return { ...place, observation: 'not-in-use' };
    const { tenantId, channelId: id } = place;
    const channel = dispatch.channels.opened(tenantId, { id, version });
    return channel && probe(channel).then((observation) => ({ ...place, observation }));
  });
  const unknown = claimed.filter((_, index) => known[index] === undefined);
  const probed = await Promise.all([...known, probeUnopened(dispatch, database, unknown)]);
  return probed.flatMap((one) => one ?? []);
}

/** Probes channels that this server has not open in this version. */
async function probeUnopened(
  dispatch: Dispatch,
  database: Database,
  claimed: readonly ChannelPlace[],
): Promise<Probed[]> {
  const perTenant = [...byTenant(claimed)].map(async ([tenantId, places]) => {
    const { inUse, open } = await readTenant(database, tenantId, async (transaction) => {
      const enabled = await listEnabledChannels(transaction);
      return {
        inUse: new Set(enabled.map(({ id }) => id)),
        open: await dispatch.channels.of(transaction, enabled),
      };
    });
    const observe = (id: number): Probed['observation'] | Promise<ChannelObservation> => {
      if (!inUse.has(id)) return 'not-in-use';
      const route = open.find((one) => one.id === id);
      return route ? probe(route.channel) : cannotBeOpened;
    };
    return Promise.all(
      places.map(
        async ({ channelId }): Promise<Probed> => ({
          tenantId,
          channelId,
          observation: await observe(channelId),
        }),
      ),
    );
  });
  return (await Promise.all(perTenant)).flat();
}

async function probe(channel: Channel): Promise<ChannelObservation> {
  const health = await Promise.race([
    channel.check(AbortSignal.timeout(probeMs)),
    sleep(maxWaitMs, noResult, { ref: false }),
  ]);
  if (health.works) return { from: 'probe', works: true };
  return { from: 'probe', works: false, failures: 1, reason: health.reason };
}
