import { admit, type Bucket, fullBucket, type Limit } from '@tocsin/domain';

/** Limits how often a person is called and how often a channel is used. Limits delay calls and never drop them. */
export type SendLimits = {
  admit(
    wanted: {
      tenantId: number;
      userId: number;
      channelId: number;
      urgent: boolean;
      waitingSince: Date;
      /** Notices have a limit of their own, so that they delay no alarm. */
      isNotice?: boolean;
    },
    now: Date,
  ): { kind: 'now' } | { kind: 'later'; at: Date };
};

const userLimit: Limit = { burst: 10, refillSeconds: 6 };
/** Far above the limit of any provider. It only spreads a flood over a few seconds. */
const channelLimit: Limit = { burst: 2_000, refillSeconds: 0.000_5 };
/** When there are more buckets than this, all start full again: calling too often is safer than too late. */
const maxBuckets = 50_000;

export function createSendLimits(limits = { user: userLimit, channel: channelLimit }): SendLimits {
  const buckets = new Map<string, Bucket>();
  return {
    admit: ({ tenantId, userId, channelId, urgent, waitingSince, isNotice }, now) => {
      if (buckets.size > maxBuckets) buckets.clear();
      const userKey = `${isNotice ? 'notices to user' : 'user'} ${tenantId} ${userId}`;
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
