export type ChannelPlace = { readonly tenantId: number; readonly channelId: number };

/** The results of a channel's messages since the last observation. */
export type SendObservations = ChannelPlace & {
  worked: boolean;
  /** Failures after the last message that was sent. */
  failures: number;
  /** Reason of the last failure. */
  reason: string;
};

/** The health of channels, as this process observes it when it sends. */
export type ChannelHealth = {
  /** Whether a channel is worth trying. */
  isHealthy(place: ChannelPlace, now: Date): boolean;
  /** Records that the channel is used now. If it is down, no other message uses it until the result is known. */
  recordTry(place: ChannelPlace, now: Date): void;
  /** Records an answer of the provider, even one that rejects the recipient. */
  recordSuccess(place: ChannelPlace): void;
  recordFailure(place: ChannelPlace, reason: string, now: Date): void;
  /** Pauses the channel because its provider asked for it. */
  pause(place: ChannelPlace, seconds: number, now: Date): void;
  /** Undefined when the channel is not paused. */
  pausedUntil(place: ChannelPlace, now: Date): Date | undefined;
  /** Returns the observations since the last call. */
  drainObservations(): SendObservations[];
};

const failuresUntilDown = 3;
/** A channel that is down is skipped for this time; then one message tries it. */
const skipMs = 15_000;
/** A longer pause is cut to this: people are waiting for the call. */
const maxPauseSeconds = 30;

/** A channel that fails three times in a row is down: it is skipped for a while if the medium has another channel. */
export function createChannelHealth(): ChannelHealth {
  const paused = new Map<string, number>();
  const failing = new Map<string, { failures: number; lastMs: number }>();
  let observations = new Map<string, SendObservations>();
  const down = (place: ChannelPlace) => {
    const known = failing.get(keyOf(place));
    return known && known.failures >= failuresUntilDown ? known : undefined;
  };
  return {
    isHealthy: (place, now) => {
      if ((paused.get(keyOf(place)) ?? 0) > now.getTime()) return false;
      const known = down(place);
      return !known || now.getTime() - known.lastMs >= skipMs;
    },
    recordTry: (place, now) => {
      const known = down(place);
      if (known) known.lastMs = now.getTime();
    },
    recordSuccess: (place) => {
      failing.delete(keyOf(place));
      paused.delete(keyOf(place));
      observations.set(keyOf(place), { ...place, worked: true, failures: 0, reason: '' });
    },
    recordFailure: (place, reason, now) => {
      const key = keyOf(place);
      const failures = (failing.get(key)?.failures ?? 0) + 1;
      failing.set(key, { failures, lastMs: now.getTime() });
      const { worked = false, failures: before = 0 } = observations.get(key) ?? {};
      observations.set(key, { ...place, worked, failures: before + 1, reason });
    },
    pause: (place, seconds, now) => {
      const pauseMs = Math.min(Math.max(0, seconds), maxPauseSeconds) * 1_000;
      paused.set(keyOf(place), now.getTime() + pauseMs);
    },
    pausedUntil: (place, now) => {
      const untilMs = paused.get(keyOf(place)) ?? 0;
      return untilMs > now.getTime() ? new Date(untilMs) : undefined;
    },
    drainObservations: () => {
      const drained = [...observations.values()];
      observations = new Map();
      return drained;
    },
  };
}

function keyOf({ tenantId, channelId }: ChannelPlace): string {
  return `${tenantId} ${channelId}`;
}
