import { expect, test } from 'vitest';
import { isJsonTooDeep, maxNestingLevels } from './nesting-limit.ts';

const nested = (levels: number, inner = '') => '['.repeat(levels) + inner + ']'.repeat(levels);

test('the maximum nesting is accepted, and one level more is not', () => {
  expect(isJsonTooDeep(nested(maxNestingLevels))).toBe(false);
  expect(isJsonTooDeep(nested(maxNestingLevels + 1))).toBe(true);
  expect(isJsonTooDeep(`${'{"a":'.repeat(maxNestingLevels + 1)}1${'}'.repeat(maxNestingLevels + 1)}`)).toBe(
    true,
  );
});

test('adjacent brackets and brackets in strings do not count as levels', () => {
  expect(isJsonTooDeep(`[${'[],'.repeat(1_000)}{}]`)).toBe(false);
  expect(isJsonTooDeep(JSON.stringify({ a: '['.repeat(1_000), '\\"[': '\\"{'.repeat(1_000) }))).toBe(false);
});

test('an escaped backslash at the end of a string does not hide later levels', () => {
  expect(isJsonTooDeep(`["\\\\",${nested(maxNestingLevels)}]`)).toBe(true);
});

test('checking a deeply nested message is much faster than parsing it', () => {
  const deep = nested(60_000);
  const startMs = performance.now();
  for (let count = 0; count < 100; count += 1) isJsonTooDeep(deep);
  const lookedMs = performance.now() - startMs;
  const parseStartMs = performance.now();
  for (let count = 0; count < 10; count += 1) JSON.parse(deep);
  expect(lookedMs).toBeLessThan(performance.now() - parseStartMs);
});
