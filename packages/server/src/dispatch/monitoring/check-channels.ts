import { addSeconds, type ChannelObservation, judgeChannel, probeSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { readFallbackGroup } from '../../calls/fallback.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace, SendObservations } from '../engine/channel-health.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { byTenant } from '../engine/lease.store.ts';
import {
  type DownChannel,
  deleteChannelHealth,
  listDownChannels,
  listFailing,
  lockFailures,
  recordWorked,
  saveFailure,
  saveWorked,
} from './channel-health.store.ts';
import { readMonitorAlarms } from './monitor-alarm.store.ts';
import { type Probed, probeChannels } from './probe-channels.ts';
import { type MonitorAlarm, raiseMonitorAlarms } from './raise-monitor-alarms.ts';

const folder = 'channels';
const maxReasonLength = 200;

type Observed = ChannelPlace & { observations: readonly ChannelObservation[]; isInUse: boolean };

/**
 * Checks the channels once: judges the results of this server's messages and probes together with the failures that other
 * servers have stored, and raises a system alarm for each channel that is down.
 */
export async function checkChannels(
  dispatch: Dispatch,
  runtime: Runtime,
  writer: AlarmWriter,
): Promise<void> {
  const sent = await changesOf(runtime, dispatch.health.drainObservations());
  const probed = await withoutHealthy(runtime, await probeChannels(dispatch, runtime));
  for (const [tenantId, observed] of byTenant<Observed>([...sent, ...probed])) {
    try {
      const hasChanged = await inTenant(runtime.database, tenantId, (transaction) =>
        judge(transaction, observed),
      );
      if (hasChanged) await raiseMonitorAlarms(runtime, writer, tenantId, { folder, find: findDown });
    } catch (error) {
      runtime.log.error({ err: error, tenantId }, 'channels could not be judged');
    }
  }
}

const keyOf = ({ tenantId, channelId }: ChannelPlace) => `${tenantId} ${channelId}`;

/** Stores the probes of channels that work as before, of all tenants at once, and returns the others. */
async function withoutHealthy({ database }: Runtime, probed: readonly Probed[]): Promise<Observed[]> {
  const worked = probed.filter(({ observation }) => observation !== 'not-in-use' && observation.works);
  const toJudge =
    worked.length === 0 ? [] : await outsideTenants(database, (outside) => recordWorked(outside, worked));
  const keys = new Set(toJudge.map(keyOf));
  return probed
    .filter((one) => !worked.includes(one) || keys.has(keyOf(one)))
    .map(({ tenantId, channelId, observation }) => ({
      tenantId,
      channelId,
      observations: observation === 'not-in-use' ? [] : [observation],
      isInUse: observation !== 'not-in-use',
    }));
}

/** Leaves out channels that work and are not recorded as failing, so that usually nothing is written. */
async function changesOf({ database }: Runtime, sent: readonly SendObservations[]): Promise<Observed[]> {
  const healthy = sent.filter(({ failures }) => failures === 0);
  const failing =
    healthy.length === 0 ? [] : await outsideTenants(database, (outside) => listFailing(outside, healthy));
  const keys = new Set(failing.map(keyOf));
  return sent
    .filter((one) => one.failures > 0 || keys.has(keyOf(one)))
    .map(({ tenantId, channelId, worked, failures, reason }) => ({
      tenantId,
      channelId,
      isInUse: true,
      observations: [
        ...(worked ? [{ from: 'send', works: true } as const] : []),
        ...(failures > 0 ? [{ from: 'send', works: false, failures, reason } as const] : []),
      ],
    }));
}

/** Stores the observations. Returns whether the system alarms of these channels need a change. */
async function judge(transaction: TenantTransaction, observed: readonly Observed[]): Promise<boolean> {
  const { now } = transaction;
  const failures = await lockFailures(
    transaction,
    observed.map(({ channelId }) => channelId),
  );
  for (const { channelId, observations } of observed) {
    if (!failures.has(channelId)) continue;
    const before = failures.get(channelId);
    const failure = observations.reduce((sofar, one) => judgeChannel(sofar, one, now), before);
    failures.set(channelId, failure);
    if (before || failure)
      await saveFailure(transaction, channelId, { failure, dueAt: addSeconds(now, probeSeconds(failure)) });
    if (observations.some(({ from, works }) => from === 'probe' && works))
      await saveWorked(transaction, channelId);
  }
  const gone = observed.filter(({ isInUse }) => !isInUse).map(({ channelId }) => channelId);
  if (gone.length > 0) await deleteChannelHealth(transaction, gone);
  const raised = await readMonitorAlarms(transaction, folder);
  const isDown = (id: number) => !gone.includes(id) && (failures.get(id)?.down ?? false);
  return observed.some(({ channelId }) => isDown(channelId) !== raised.has(pathOf(channelId)));
}

async function findDown(transaction: TenantTransaction): Promise<MonitorAlarm[]> {
  const down = await listDownChannels(transaction);
  if (down.length === 0) return [];
  const fallbackGroupId = await readFallbackGroup(transaction);
  return down.map((channel) => monitorAlarmOf(channel, fallbackGroupId));
}

/** Calls the fallback group too, over the channels that still work. */
function monitorAlarmOf({ id, name, medium, reason }: DownChannel, fallbackGroupId: number): MonitorAlarm {
  return {
    path: pathOf(id),
    message: `Channel ${name} (${medium}) does not work: ${reason.slice(0, maxReasonLength)}`,
    more: {
      resetMessage: `Channel ${name} (${medium}) works again`,
      eventCondition: { reactivatable: false },
      ...(fallbackGroupId > 0 && { alarmActions: [{ type: 'CallGroup', id: fallbackGroupId }] }),
    },
  };
}

function pathOf(channelId: number): string {
  return `${folder}/${channelId}`;
}
