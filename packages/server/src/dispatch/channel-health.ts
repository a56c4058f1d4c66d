/** Whether a channel is worth trying, as far as its last answers tell. */
export type ChannelHealth = {
  isHealthy(channelId: string, now: Date): boolean;
  /** An answer of the provider, whatever it says of the recipient. */
  works(channelId: string): void;
  fails(channelId: string, now: Date): void;
};

const failuresUntilIll = 3;
/** So long it is passed over; then one try shows whether it has got better. */
const restMs = 15_000;

/** A channel that fails three times in a row is passed over for a while, where there is another. */
export function createChannelHealth(): ChannelHealth {
  const failing = new Map<string, { failures: number; lastMs: number }>();
  return {
    isHealthy: (channelId, now) => {
      const known = failing.get(channelId);
      if (!known || known.failures < failuresUntilIll) return true;
      return now.getTime() - known.lastMs >= restMs;
    },
    works: (channelId) => void failing.delete(channelId),
    fails: (channelId, now) => {
      const failures = (failing.get(channelId)?.failures ?? 0) + 1;
      failing.set(channelId, { failures, lastMs: now.getTime() });
    },
  };
}
