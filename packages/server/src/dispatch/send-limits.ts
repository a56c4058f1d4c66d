import { admit, type Bucket, fullBucket, type Limit } from '@tocsin/domain';

/** How often a person, and a channel, may be used. They delay; they never silence. */
export type SendLimits = {
  admit(
    wanted: { tenantId: number; userId: number; channelId: number; urgent: boolean; waitingSince: Date },
    now: Date,
  ): { kind: 'now' } | { kind: 'later'; at: Date };
};

const userLimit: Limit = { burst: 10, refillSeconds: 6 };
/** Far above what a provider takes, which says so itself: it only keeps a flood from being sent in one instant. */
const channelLimit: Limit = { burst: 2_000, refillSeconds: 0.000_5 };
/** A full book starts over: everybody has his burst again, which errs on the side of calling. */
const largest = 50_000;

export function createSendLimits(limits = { user: userLimit, channel: channelLimit }): SendLimits {
  const buckets = new Map<string, Bucket>();
  return {
    admit: ({ tenantId, userId, channelId, urgent, waitingSince }, now) => {
      if (buckets.size > largest) buckets.clear();
      const userKey = `user ${tenantId} ${userId}`;
      const channelKey = `channel ${tenantId} ${channelId}`;
      const user = buckets.get(userKey) ?? fullBucket(limits.user, now);
      const channel = buckets.get(channelKey) ?? fullBucket(limits.channel, now);
      const admission = admit({ urgent, waitingSince, user, channel }, limits, now);
      if (admission.kind === 'later') return admission;
      buckets.set(userKey, admission.user);
      buckets.set(channelKey, admission.channel);
      return { kind: 'now' };
    },
  };
}
