import { chooseChannel, type Sending } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { ReadyAttempt } from './delivery.store.ts';
import type { Dispatch } from './dispatch.ts';
import { channelsFor, type TenantChannel } from './tenant-channels.ts';

export type Decision =
  | { kind: 'send'; channel: TenantChannel; sending: Sending }
  | { kind: 'later'; at: Date; sending: Sending }
  | { kind: 'no-channel'; sending: Sending }
  /** The person was disabled or has changed their number: the escalation decides again. */
  | { kind: 'withdrawn'; sending: Sending };

export type Choosing = {
  sending: Sending;
  channels: readonly TenantChannel[];
  byId: ReadonlyMap<number, ReadyAttempt>;
  /** The number of messages that this batch sends, by channel. */
  going: ReadonlyMap<number, number>;
};

/** A message for a channel without a free slot or line is tried again after this time. */
const fullMs = 500;

/** Chooses the channel of a sending, or postpones it. Waiting for a line is no try and no fault of the channel. */
export function chooseRoute(
  { health, limits, slots }: Dispatch,
  { tenantId, now }: TenantTransaction,
  { sending, channels, byId, going }: Choosing,
): Decision {
  const first = byId.get(sending.attempts[0]?.id ?? 0);
  if (!first) return { kind: 'no-channel', sending };
  if (!first.isReachable) return { kind: 'withdrawn', sending };
  const routes = channelsFor(channels, first.medium);
  const isNotice = sending.attempts.some((attempt) => attempt.isNotice);
  const open = routes.filter((route) => hasFreeLine(route, going, isNotice));
  const choices = open.map(({ id }) => ({ id, healthy: health.isHealthy({ tenantId, channelId: id }, now) }));
  const chosen = chooseChannel(choices, first.avoid);
  const channel = open.find(({ id }) => id === chosen?.id);
  const full: Decision = { kind: 'later', at: new Date(now.getTime() + fullMs), sending };
  if (!channel) return routes.length > 0 ? full : { kind: 'no-channel', sending };
  const place = { tenantId, channelId: channel.id };
  if (!slots.hasRoom(place, (going.get(channel.id) ?? 0) + 1)) return full;
  const pausedUntil = health.pausedUntil(place, now);
  if (pausedUntil) return { kind: 'later', at: pausedUntil, sending };
  const { urgent, waitingSince } = sending;
  const admission = limits.admit({ ...place, userId: first.userId, urgent, waitingSince, isNotice }, now);
  if (admission.kind === 'later') return { kind: 'later', at: admission.at, sending };
  health.recordTry(place, now);
  return { kind: 'send', channel, sending };
}

/** A notice leaves a line free for an alarm, if there are several. */
function hasFreeLine({ id, channel }: TenantChannel, going: Choosing['going'], isNotice: boolean): boolean {
  const capacity = channel.capacity?.();
  if (capacity === undefined) return true;
  const kept = isNotice && capacity.lines > 1 ? 1 : 0;
  return capacity.inUse + (going.get(id) ?? 0) < capacity.lines - kept;
}
