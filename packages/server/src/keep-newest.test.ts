import { expect, test } from 'vitest';
import { keepNewest } from './keep-newest.ts';

test('what was kept last stays, what was kept first makes room', () => {
  const entries = new Map<string, number>();
  for (const entry of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as [string, number][])
    keepNewest(entries, entry, 2);
  expect([...entries]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
