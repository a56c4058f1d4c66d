import { expect, test } from 'vitest';
import { createChannelHealth } from './channel-health.ts';

const place = { tenantId: 1, channelId: 7 };
const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20) + second * 1000);

function downSince(second: number) {
  const health = createChannelHealth();
  for (let failure = 0; failure < 3; failure++) health.recordFailure(place, 'HTTP 500', at(second));
  return health;
}

test('a channel that failed three times in a row is skipped for 15 seconds', () => {
  const health = downSince(0);
  expect(health.isHealthy(place, at(14))).toBe(false);
  expect(health.isHealthy(place, at(15))).toBe(true);
  expect(health.isHealthy({ tenantId: 2, channelId: 7 }, at(1))).toBe(true);
});

test('one message tries a channel that is down every 15 seconds', () => {
  const health = downSince(0);
  health.recordTry(place, at(15));
  expect(health.isHealthy(place, at(16))).toBe(false);
  health.recordFailure(place, 'HTTP 500', at(20));
  expect(health.isHealthy(place, at(34))).toBe(false);
  expect(health.isHealthy(place, at(35))).toBe(true);
  health.recordTry(place, at(35));
  health.recordSuccess(place);
  expect(health.isHealthy(place, at(36))).toBe(true);
});

test('using a healthy channel changes nothing', () => {
  const health = createChannelHealth();
  health.recordTry(place, at(0));
  health.recordFailure(place, 'HTTP 500', at(0));
  health.recordTry(place, at(1));
  expect(health.isHealthy(place, at(1))).toBe(true);
});

test('observations are returned once: the failures after the last success', () => {
  const health = createChannelHealth();
  health.recordFailure(place, 'HTTP 500', at(0));
  health.recordSuccess(place);
  health.recordFailure(place, 'HTTP 502', at(1));
  health.recordFailure(place, 'HTTP 503', at(2));
  expect(health.drainObservations()).toEqual([{ ...place, worked: true, failures: 2, reason: 'HTTP 503' }]);
  expect(health.drainObservations()).toEqual([]);
});

test('a provider that asks for a pause gets it, but for 30 seconds at most', () => {
  const health = createChannelHealth();
  health.recordFailure(place, 'HTTP 429', at(0));
  health.pause(place, 7, at(0));
  expect(health.pausedUntil(place, at(6))).toEqual(at(7));
  expect(health.isHealthy(place, at(6))).toBe(false);
  expect(health.pausedUntil(place, at(7))).toBeUndefined();
  expect(health.isHealthy(place, at(7))).toBe(true);
  health.pause(place, 3_600, at(10));
  expect(health.pausedUntil(place, at(39))).toEqual(at(40));
  expect(health.pausedUntil(place, at(40))).toBeUndefined();
});
