import { expect, test } from 'vitest';
import { axisSteps, heatLevel, heatSteps } from './axis.ts';

test('an axis has few round numbers and reaches the highest value', () => {
  expect(axisSteps(46)).toEqual([0, 10, 20, 30, 40, 50]);
  expect(axisSteps(15)).toEqual([0, 5, 10, 15]);
  expect(axisSteps(3)).toEqual([0, 1, 2, 3]);
  expect(axisSteps(0)).toEqual([0, 1]);
});

test('no alarm is the lightest grey, the most alarms the darkest', () => {
  for (const highest of [6, 30, 71, 10_000]) {
    const steps = heatSteps(highest);
    expect(heatLevel(0, steps)).toBe(0);
    expect(heatLevel(highest, steps)).toBe(5);
  }
});

test('the limits of the greys rise, also for few alarms', () => {
  for (const highest of [0, 1, 5, 71]) {
    const steps = heatSteps(highest);
    expect(steps).toEqual([...new Set(steps)].toSorted((one, other) => one - other));
  }
});
