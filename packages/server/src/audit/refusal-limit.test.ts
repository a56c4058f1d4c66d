import { expect, test } from 'vitest';
import { createRefusalLimit } from './refusal-limit.ts';

test('a thousand refusals within a minute leave one entry, and the next entry counts the others', () => {
  let nowMs = 0;
  const limit = createRefusalLimit(() => nowMs);
  expect(limit('key:3 POST /users')).toEqual({ repeated: 0 });
  for (let n = 0; n < 999; n++) expect(limit('key:3 POST /users')).toBeUndefined();
  expect(limit('key:4 POST /users')).toEqual({ repeated: 0 });
  nowMs = 59_999;
  expect(limit('key:3 POST /users')).toBeUndefined();
  nowMs = 60_000;
  expect(limit('key:3 POST /users')).toEqual({ repeated: 1_000 });
  nowMs = 120_000;
  expect(limit('key:3 POST /users')).toEqual({ repeated: 0 });
});
