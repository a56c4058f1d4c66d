import { setTimeout as sleep } from 'node:timers/promises';
import { addSeconds, type ChannelObservation, probeSeconds } from '@tocsin/domain';
import { listEnabledChannels } from '../../channels/channel.store.ts';
import type { Channel, Health } from '../../channels/port/channel.ts';
import { coalesceTenants } from '../../postgres/coalesce-tenants.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { forEachTenantInParallel } from '../engine/for-each-tenant.ts';
import { byTenant } from '../engine/lease.store.ts';
import { claimChannelProbes } from './channel-health.store.ts';

/** The result of a probe. */
export type Probed = ChannelPlace & { observation: ChannelObservation | 'not-in-use' };

const probesAtOnce = 300;
/** Between the starts of two probes, so that alarms are written in between. */
const spacingMs = 3;
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
export async function probeChannels(dispatch: Dispatch, runtime: Runtime): Promise<Probed[]> {
  const claimed = await outsideTenants(runtime.database, (outside) =>
    // A healthy channel needs no other due time: this is already its next probe.
    claimChannelProbes(outside, probesAtOnce, addSeconds(outside.now, probeSeconds(undefined))),
  );
  const probe = createProbe();
  const known = claimed.map(({ version, ...place }): Probed | Promise<Probed> | undefined => {
    if (version === undefined) return { ...place, observation: 'not-in-use' };
    const { tenantId, channelId: id } = place;
    const channel = dispatch.channels.opened(tenantId, { id, version });
    return channel && probe(channel).then((observation) => ({ ...place, observation }));
  });
  const unknown = claimed.filter((_, index) => known[index] === undefined);
  const probed = await Promise.all([...known, probeUnopened(dispatch, runtime, unknown, probe)]);
  return probed.flatMap((one) => one ?? []);
}

/**
 * Probes channels that this server has not open in this version: all of them after a start. Tenants share transactions, so
 * that requests find free connections.
 */
async function probeUnopened(
  dispatch: Dispatch,
  { database, log }: Runtime,
  claimed: readonly ChannelPlace[],
  probe: Probe,
): Promise<Probed[]> {
  const read = coalesceTenants(database, async (transaction, _tenant: { tenantId: number }) => {
    const enabled = await listEnabledChannels(transaction);
    const inUse = new Set(enabled.map(({ id }) => id));
    return { inUse, open: await dispatch.channels.of(transaction, enabled) };
  });
  const perTenant = await forEachTenantInParallel(byTenant(claimed), log, async (tenantId, places) => {
    const { inUse, open } = await read({ tenantId });
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
  return perTenant.flat();
}

type Probe = (channel: Channel) => Promise<ChannelObservation>;

/** Starts each probe a little after the one before. */
function createProbe(): Probe {
  let started = 0;
  return async (channel) => {
    const waitMs = spacingMs * started++;
    if (waitMs > 0) await sleep(waitMs);
    const health = await Promise.race([
      channel.check(AbortSignal.timeout(probeMs)),
      sleep(maxWaitMs, noResult, { ref: false }),
    ]);
    if (health.works) return { from: 'probe', works: true };
    return { from: 'probe', works: false, failures: 1, reason: health.reason };
  };
}
