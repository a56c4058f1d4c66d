import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addSeconds } from '../time/instant.ts';
import { admit, type Bucket, fullBucket, maxDelaySeconds } from './delivery-limit.ts';

const start = new Date('2026-04-29T20:00:00Z');
const limits = { user: { burst: 2, refillSeconds: 30 }, channel: { burst: 5, refillSeconds: 1 } };
const full = () => ({ user: fullBucket(limits.user, start), channel: fullBucket(limits.channel, start) });

/** Requests `count` tries at one moment, and returns after how many seconds each may be sent. */
function requestTries(count: number, urgent: boolean, waitingSince = start): number[] {
  let buckets: { user: Bucket; channel: Bucket } = full();
  return Array.from({ length: count }, () => {
    const admission = admit({ urgent, waitingSince, ...buckets }, limits, start);
    if (admission.kind === 'later') return (admission.at.getTime() - start.getTime()) / 1000;
    buckets = admission;
    return 0;
  });
}

test('a person is called twice at once, and then every half minute', () => {
  expect(requestTries(4, false)).toEqual([0, 0, 30, 30]);
});

test('an urgent alarm is not delayed by earlier calls of the person', () => {
  expect(requestTries(5, true)).toEqual([0, 0, 0, 0, 0]);
});

test('urgent alarms also wait for the limit of the provider', () => {
  expect(requestTries(6, true)).toEqual([0, 0, 0, 0, 0, 1]);
});

test('after half a minute of waiting the limit of a person no longer applies', () => {
  expect(requestTries(3, false, addSeconds(start, -maxDelaySeconds))).toEqual([0, 0, 0]);
});

test('a limit delays an alarm by half a minute at most, and never silences it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 5 }), fc.integer({ min: 0, max: 200 }), (tokens, waited) => {
      const user = { tokens, atMs: start.getTime() };
      const waitingSince = addSeconds(start, -waited);
      const channel = fullBucket(limits.channel, start);
      const admission = admit({ urgent: false, waitingSince, user, channel }, limits, start);
      const at = admission.kind === 'now' ? start : admission.at;
      expect(at.getTime()).toBeLessThanOrEqual(
        Math.max(start.getTime(), addSeconds(waitingSince, maxDelaySeconds).getTime()),
      );
      const then = { urgent: false, waitingSince, user, channel };
      expect(admit(then, limits, at).kind).toBe('now');
    }),
  );
});

test('the debt of urgent alarms is limited to one burst', () => {
  let buckets: { user: Bucket; channel: Bucket } = full();
  for (let second = 0; second < 20; second++) {
    const now = addSeconds(start, second);
    const admission = admit({ urgent: true, waitingSince: now, ...buckets }, limits, now);
    if (admission.kind === 'now') buckets = admission;
  }
  expect(buckets.user.tokens).toBe(-2);
});
