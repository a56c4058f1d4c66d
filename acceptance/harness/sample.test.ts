import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleOf } from './sample.ts';

const cases = Array.from({ length: 25 }, (_, place) => place);

test('a seed chooses the same cases again, in their order', () => {
  const chosen = sampleOf(cases, 8, '7');
  expect(chosen).toHaveLength(8);
  expect(chosen).toEqual(chosen.toSorted((one, other) => one - other));
  expect(sampleOf(cases, 8, '7')).toEqual(chosen);
  expect(sampleOf(cases, 8, '8')).not.toEqual(chosen);
});

test('changes together try every case', () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => String(7 * seed));
  expect(new Set(seeds.flatMap((seed) => sampleOf(cases, 8, seed)))).toEqual(new Set(cases));
});

test('without a seed, and with fewer cases than asked for, all are tried', () => {
  vi.stubEnv('SAMPLE_SEED', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(sampleOf(cases, 8)).toEqual(cases);
  expect(sampleOf([1, 2], 8, '7')).toEqual([1, 2]);
});
