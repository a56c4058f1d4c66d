import { expect, test } from 'vitest';
import { type FloodRule, floodRuleFor, isInFlood } from './floods.ts';

const alone = floodRuleFor(1);

/** Which of the successive ten minutes belong to a flood. */
function floodsIn(counts: readonly number[], rule: FloodRule): boolean[] {
  let isFlood = false;
  return counts.map((alarms) => {
    isFlood = isInFlood(isFlood, alarms, rule);
    return isFlood;
  });
}

test('ten alarms in ten minutes are no flood, eleven are', () => {
  expect(floodsIn([10, 11], alone)).toEqual([false, true]);
});

test('a flood lasts until fewer than five alarms come in ten minutes', () => {
  expect(floodsIn([6, 30, 10, 5, 4, 9, 0], alone)).toEqual([false, true, true, true, false, false, false]);
});

test('two operators manage twice as many', () => {
  expect(floodsIn([11, 20, 21, 10, 9], floodRuleFor(2))).toEqual([false, false, true, true, false]);
});
