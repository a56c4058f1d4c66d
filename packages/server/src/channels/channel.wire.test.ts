import { expect, test } from 'vitest';
import { healthToWire } from './channel.wire.ts';

const workedAt = new Date('2026-03-01T06:00:00Z');
const row = { channelId: 3, enabled: true, failures: 0, down: false, reason: 'refused', workedAt };

test('the health of a channel says whether it is used, and why not', () => {
  expect(healthToWire(row, { channelId: 3, sent: 12, failed: 2 })).toEqual({
    channelId: 3,
    state: 'works',
    reason: '',
    workedTime: '2026-03-01T06:00:00',
    sent: 12,
    failed: 2,
  });
  expect(healthToWire({ ...row, failures: 1 }, undefined)).toMatchObject({
    state: 'failing',
    reason: 'refused',
  });
  expect(healthToWire({ ...row, failures: 3, down: true }, undefined)).toMatchObject({
    state: 'down',
    reason: 'refused',
  });
});

test('a channel that was never checked, or is switched off, is not said to work', () => {
  const never = { ...row, failures: null, down: null, reason: null, workedAt: null };
  expect(healthToWire(never, undefined)).toEqual({
    channelId: 3,
    state: 'unknown',
    reason: '',
    sent: 0,
    failed: 0,
  });
  expect(healthToWire({ ...row, down: true, enabled: false }, undefined)).toMatchObject({
    state: 'unknown',
    reason: '',
  });
});
