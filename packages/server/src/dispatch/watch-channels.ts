import { addSeconds, type ChannelSign, judgeChannel, probeSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { ChannelPlace, SendSigns } from './channel-health.ts';
import {
  deleteWatches,
  type IllChannel,
  listIllChannels,
  listTroubled,
  lockTroubles,
  saveTrouble,
} from './channel-watch.store.ts';
import type { Dispatch } from './dispatch.ts';
import { readFallbackGroup } from './fallback.store.ts';
import { byTenant } from './lease.store.ts';
import { probeChannels } from './probe-channels.ts';
import { tellWarnings, type Warning } from './tell-warnings.ts';
import { readWarnings } from './warnings.store.ts';

const folder = 'channels';
/** Providers may say a lot. */
const longestReason = 200;

type Seen = ChannelPlace & { signs: readonly ChannelSign[]; inUse: boolean };

/**
 * One look at how channels fare, to be repeated. What this server has sent and what it is its turn to probe are judged
 * together with what others have seen, and an alarm tells of each channel that is ill, until it is well.
 */
export async function watchChannels(
  dispatch: Dispatch,
  runtime: Runtime,
  writer: AlarmWriter,
): Promise<void> {
  const sent = await newsOf(runtime, dispatch.health.takeSigns());
  const probed = (await probeChannels(dispatch, runtime)).map(({ tenantId, channelId, sign }) => ({
    tenantId,
    channelId,
    signs: sign === 'not-in-use' ? [] : [sign],
    inUse: sign !== 'not-in-use',
  }));
  for (const [tenantId, seen] of byTenant<Seen>([...sent, ...probed])) {
    try {
      const isNews = await inTenant(runtime.database, tenantId, (transaction) => judge(transaction, seen));
      if (isNews) await tellWarnings(runtime, writer, tenantId, { folder, find: findIll });
    } catch (error) {
      runtime.log.error({ err: error, tenantId }, 'channels could not be judged');
    }
  }
}

/** That a channel works is news only where it has failed: on most nights nothing is to be written down. */
async function newsOf({ database }: Runtime, signs: readonly SendSigns[]): Promise<Seen[]> {
  const well = signs.filter(({ failures }) => failures === 0);
  const troubled =
    well.length === 0 ? [] : await outsideTenants(database, (outside) => listTroubled(outside, well));
  const keyOf = ({ tenantId, channelId }: ChannelPlace) => `${tenantId} ${channelId}`;
  const keys = new Set(troubled.map(keyOf));
  return signs
    .filter((one) => one.failures > 0 || keys.has(keyOf(one)))
    .map(({ tenantId, channelId, worked, failures, reason }) => ({
      tenantId,
      channelId,
      inUse: true,
      signs: [
        ...(worked ? [{ from: 'send', works: true } as const] : []),
        ...(failures > 0 ? [{ from: 'send', works: false, failures, reason } as const] : []),
      ],
    }));
}

/** Notes the signs. Answers whether what people were told of these channels is no longer so. */
async function judge(transaction: TenantTransaction, seen: readonly Seen[]): Promise<boolean> {
  const { now } = transaction;
  const troubles = await lockTroubles(
    transaction,
    seen.map(({ channelId }) => channelId),
  );
  for (const { channelId, signs } of seen) {
    if (!troubles.has(channelId)) continue;
    const before = troubles.get(channelId);
    const trouble = signs.reduce((sofar, sign) => judgeChannel(sofar, sign, now), before);
    troubles.set(channelId, trouble);
    if (before || trouble)
      await saveTrouble(transaction, channelId, { trouble, dueAt: addSeconds(now, probeSeconds(trouble)) });
  }
  const gone = seen.filter(({ inUse }) => !inUse).map(({ channelId }) => channelId);
  if (gone.length > 0) await deleteWatches(transaction, gone);
  const told = await readWarnings(transaction, folder);
  const isIll = (id: number) => !gone.includes(id) && (troubles.get(id)?.ill ?? false);
  return seen.some(({ channelId }) => isIll(channelId) !== told.has(pathOf(channelId)));
}

async function findIll(transaction: TenantTransaction): Promise<Warning[]> {
  const ill = await listIllChannels(transaction);
  if (ill.length === 0) return [];
  const fallbackGroupId = await readFallbackGroup(transaction);
  return ill.map((channel) => warningOf(channel, fallbackGroupId));
}

/** Whoever is called of last resort is called for it too: by what still works. */
function warningOf({ id, name, medium, reason }: IllChannel, fallbackGroupId: number): Warning {
  return {
    path: pathOf(id),
    message: `Channel ${name} (${medium}) does not work: ${reason.slice(0, longestReason)}`,
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
