export type ChannelPlace = { readonly tenantId: number; readonly channelId: number };

/** What became of the messages of a channel since it was last asked. */
export type SendSigns = ChannelPlace & {
  worked: boolean;
  /** After the last that worked. */
  failures: number;
  /** Of the last failure. */
  reason: string;
};

/** How channels fare, as far as this process knows from what it has sent. */
export type ChannelHealth = {
  /** Whether a channel is worth trying. */
  isHealthy(place: ChannelPlace, now: Date): boolean;
  /** It is tried now. If it is an ill one that has rested, all others wait for what becomes of it. */
  tries(place: ChannelPlace, now: Date): void;
  /** An answer of the provider, whatever it says of the recipient. */
  works(place: ChannelPlace): void;
  fails(place: ChannelPlace, reason: string, now: Date): void;
  /** The provider asked us to come again after so long. */
  rests(place: ChannelPlace, seconds: number, now: Date): void;
  /** Until when a provider that asked for it is left alone; undefined when it is not. */
  restsUntil(place: ChannelPlace, now: Date): Date | undefined;
  /** What is new; it is told once. */
  takeSigns(): SendSigns[];
};

const failuresUntilIll = 3;
/** So long it is passed over; then one try shows whether it has got better. */
const restMs = 15_000;
/** A provider that asks for more is asked again all the same: somebody waits for the call. */
const longestRestSeconds = 30;

/** A channel that fails three times in a row is passed over for a while, where there is another. */
export function createChannelHealth(): ChannelHealth {
  const resting = new Map<string, number>();
  const failing = new Map<string, { failures: number; lastMs: number }>();
  let signs = new Map<string, SendSigns>();
  const ill = (place: ChannelPlace) => {
    const known = failing.get(keyOf(place));
    return known && known.failures >= failuresUntilIll ? known : undefined;
  };
  return {
    isHealthy: (place, now) => {
      if ((resting.get(keyOf(place)) ?? 0) > now.getTime()) return false;
      const known = ill(place);
      return !known || now.getTime() - known.lastMs >= restMs;
    },
    tries: (place, now) => {
      const known = ill(place);
      if (known) known.lastMs = now.getTime();
    },
    works: (place) => {
      failing.delete(keyOf(place));
      resting.delete(keyOf(place));
      signs.set(keyOf(place), { ...place, worked: true, failures: 0, reason: '' });
    },
    fails: (place, reason, now) => {
      const key = keyOf(place);
      const failures = (failing.get(key)?.failures ?? 0) + 1;
      failing.set(key, { failures, lastMs: now.getTime() });
      const { worked = false, failures: before = 0 } = signs.get(key) ?? {};
      signs.set(key, { ...place, worked, failures: before + 1, reason });
    },
    rests: (place, seconds, now) => {
      const restMs = Math.min(Math.max(0, seconds), longestRestSeconds) * 1_000;
      resting.set(keyOf(place), now.getTime() + restMs);
    },
    restsUntil: (place, now) => {
      const untilMs = resting.get(keyOf(place)) ?? 0;
      return untilMs > now.getTime() ? new Date(untilMs) : undefined;
    },
    takeSigns: () => {
      const taken = [...signs.values()];
      signs = new Map();
      return taken;
    },
  };
}

function keyOf({ tenantId, channelId }: ChannelPlace): string {
  return `${tenantId} ${channelId}`;
}
