import { expect, test } from 'vitest';
import { floodsOf } from './floods.ts';

const minute = 60_000;
/** So many alarms from a minute on, one each ten seconds. */
const burst = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from * minute + index * 10_000);

test('ten alarms in ten minutes are no flood, eleven are one', () => {
  expect(floodsOf(burst(0, 10))).toEqual([]);
  expect(floodsOf(burst(3, 11))).toEqual([{ from: 3 * minute, to: 3 * minute + 100_000, alarms: 11 }]);
});

test('a flood goes on while five alarms come in ten minutes', () => {
  const steady = Array.from({ length: 10 }, (_, index) => (3 + 2 * index) * minute);
  const [flood, ...others] = floodsOf([...burst(0, 12), ...steady]);
  expect(others).toEqual([]);
  expect(flood).toEqual({ from: 0, to: 21 * minute, alarms: 22 });
});

test('two bursts with a quiet hour between them are two floods', () => {
  expect(floodsOf([...burst(60, 15), ...burst(0, 20)]).map(({ alarms }) => alarms)).toEqual([20, 15]);
});

test('a quiet night has none', () => {
  expect(floodsOf([])).toEqual([]);
  expect(floodsOf([0, 30 * minute, 60 * minute])).toEqual([]);
});
