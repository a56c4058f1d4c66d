import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { conditionOf, isMasked } from './alarm-state.ts';
import { defaultMaskSeconds, hasExpired, mask, maskUntil, needsReannouncement, unmask } from './mask.ts';

const now = new Date('2026-04-29T06:00:00Z');
const day = 24 * 3600;
const states = fc.integer({ min: 0, max: 255 });

test('a mask lasts eight hours by default', () => {
  expect(maskUntil({ now, maximumSeconds: day })).toEqual(new Date('2026-04-29T14:00:00Z'));
  expect(defaultMaskSeconds).toBe(28_800);
});

test('a mask always ends, and never later than the tenant allows', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: day }), (seconds, maximumSeconds) => {
      const until = maskUntil({ now, seconds, maximumSeconds });
      const [, allowed = 0] = [1, seconds, maximumSeconds].toSorted((one, other) => one - other);
      expect(until.getTime() - now.getTime()).toBe(allowed * 1000);
    }),
  );
});

test('a mask is over from the instant it ends', () => {
  const shelved = { reason: 'Pump under repair', until: now, by: 'Marie' };
  expect(hasExpired(shelved, new Date(now.getTime() - 1))).toBe(false);
  expect(hasExpired(shelved, now)).toBe(true);
});

test('masking hides an alarm and changes nothing else about it', () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(isMasked(mask(state))).toBe(true);
      expect(conditionOf(mask(state))).toBe(conditionOf(state));
      expect(mask(state) - unmask(state)).toBe(4);
      expect([mask(state), unmask(state)]).toContain(state);
    }),
  );
});

test.each([
  ['still unacknowledged', 7, true],
  ['still active, but acknowledged', 5, true],
  ['reset, but unacknowledged', 6, false],
  ['reset', 4, false],
  ['still active and masked by a rule as well', 39, false],
  ['still active on a failed connection', 71, true],
])('an alarm that is %s when its mask ends is announced again or not', (_, masked, announced) => {
  expect(needsReannouncement(masked)).toBe(false);
  expect(needsReannouncement(unmask(masked))).toBe(announced);
});
