import { expect, test } from 'vitest';
import { isJsonTooDeep, mostLevels } from './nesting.ts';

const nested = (levels: number, inner = '') => '['.repeat(levels) + inner + ']'.repeat(levels);

test('as many levels as are allowed are not too deep, one more is', () => {
  expect(isJsonTooDeep(nested(mostLevels))).toBe(false);
  expect(isJsonTooDeep(nested(mostLevels + 1))).toBe(true);
  expect(isJsonTooDeep(`${'{"a":'.repeat(mostLevels + 1)}1${'}'.repeat(mostLevels + 1)}`)).toBe(true);
});

test('brackets side by side and brackets in strings are no levels', () => {
  expect(isJsonTooDeep(`[${'[],'.repeat(1_000)}{}]`)).toBe(false);
  expect(isJsonTooDeep(JSON.stringify({ a: '['.repeat(1_000), '\\"[': '\\"{'.repeat(1_000) }))).toBe(false);
});

test('a string that ends in a backslash hides nothing behind it', () => {
  expect(isJsonTooDeep(`["\\\\",${nested(mostLevels)}]`)).toBe(true);
});

test('a message of the longest kind is looked through in far less time than parsing it takes', () => {
  const deep = nested(60_000);
  const startMs = performance.now();
  for (let count = 0; count < 100; count += 1) isJsonTooDeep(deep);
  const lookedMs = performance.now() - startMs;
  const parseStartMs = performance.now();
  for (let count = 0; count < 10; count += 1) JSON.parse(deep);
  expect(lookedMs).toBeLessThan(performance.now() - parseStartMs);
});
