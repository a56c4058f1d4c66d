import { expect, test } from 'vitest';
import { createChannelHealth } from './channel-health.ts';

const place = { tenantId: 1, channelId: 7 };
const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20) + second * 1000);

function illSince(second: number) {
  const health = createChannelHealth();
  for (let failure = 0; failure < 3; failure++) health.fails(place, 'HTTP 500', at(second));
  return health;
}

test('a channel that failed three times in a row is passed over for 15 seconds', () => {
  const health = illSince(0);
  expect(health.isHealthy(place, at(14))).toBe(false);
  expect(health.isHealthy(place, at(15))).toBe(true);
  expect(health.isHealthy({ tenantId: 2, channelId: 7 }, at(1))).toBe(true);
});

test('of all who wait one tries an ill channel again, every 15 seconds', () => {
  const health = illSince(0);
  health.tries(place, at(15));
  expect(health.isHealthy(place, at(16))).toBe(false);
  health.fails(place, 'HTTP 500', at(20));
  expect(health.isHealthy(place, at(34))).toBe(false);
  expect(health.isHealthy(place, at(35))).toBe(true);
  health.tries(place, at(35));
  health.works(place);
  expect(health.isHealthy(place, at(36))).toBe(true);
});

test('to try a channel that is well changes nothing', () => {
  const health = createChannelHealth();
  health.tries(place, at(0));
  health.fails(place, 'HTTP 500', at(0));
  health.tries(place, at(1));
  expect(health.isHealthy(place, at(1))).toBe(true);
});

test('what became of messages is told once: the failures after the last that got through', () => {
  const health = createChannelHealth();
  health.fails(place, 'HTTP 500', at(0));
  health.works(place);
  health.fails(place, 'HTTP 502', at(1));
  health.fails(place, 'HTTP 503', at(2));
  expect(health.takeSigns()).toEqual([{ ...place, worked: true, failures: 2, reason: 'HTTP 503' }]);
  expect(health.takeSigns()).toEqual([]);
});

test('a provider that asks for a pause gets it, but for 30 seconds at most', () => {
  const health = createChannelHealth();
  health.fails(place, 'HTTP 429', at(0));
  health.rests(place, 7, at(0));
  expect(health.restsUntil(place, at(6))).toEqual(at(7));
  expect(health.isHealthy(place, at(6))).toBe(false);
  expect(health.restsUntil(place, at(7))).toBeUndefined();
  expect(health.isHealthy(place, at(7))).toBe(true);
  health.rests(place, 3_600, at(10));
  expect(health.restsUntil(place, at(39))).toEqual(at(40));
  expect(health.restsUntil(place, at(40))).toBeUndefined();
});
