import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { conditionOf, isActive, isListed, isMasked, isUnacknowledged, stateBits } from './alarm-state.ts';

const states = fc.integer({ min: 0, max: 255 });

test('the state numbers are those of the interface', () => {
  expect(stateBits).toEqual({
    active: 1,
    unacknowledged: 2,
    maskedByUser: 4,
    maskedByRule: 32,
    connectionFailure: 64,
    notPolled: 128,
  });
});

test('an alarm in condition 3 is active and unacknowledged, whatever its other bits', () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(conditionOf(state)).toBe(state % 4);
      expect(isActive(state)).toBe([1, 3].includes(conditionOf(state)));
      expect(isUnacknowledged(state)).toBe([2, 3].includes(conditionOf(state)));
    }),
  );
});

test.each([
  ['nothing masks it', 0b0000_0000, false],
  ['a user masks it', 0b0000_0100, true],
  ['a rule masks it', 0b0010_0000, true],
  ['its connection failed', 0b0100_0000, false],
  ['it is not polled', 0b1000_0000, false],
])('an alarm is masked or not when %s', (_, bits, masked) => {
  expect(isMasked(bits)).toBe(masked);
  expect(isMasked(bits | 3)).toBe(masked);
});

test.each([
  ['normal', 0, false],
  ['active and unacknowledged', 3, true],
  ['active and acknowledged', 1, true],
  ['returned and unacknowledged', 2, true],
  ['active and masked by a user', 7, true],
  ['returned and masked by a rule', 34, true],
  ['without connection', 64, true],
])('of the tags that are not quietly masked, one that is %s is listed or not', (_, state, listed) => {
  expect(isListed(state, { inactiveMasked: false })).toBe(listed);
  expect(isListed(state, { inactiveMasked: true })).toBe(listed);
});

test.each([4, 32, 36, 4 | 64, 32 | 128])(
  'a masked tag with nothing to tell (%i) is listed on request',
  (state) => {
    expect(isListed(state, { inactiveMasked: false })).toBe(false);
    expect(isListed(state, { inactiveMasked: true })).toBe(true);
  },
);
