import { expect, test } from 'vitest';
import { createVerifiedTokens } from './verified-tokens.ts';

const now = new Date('2026-03-01T06:00:00Z');
const inAMinute = new Date('2026-03-01T06:01:00Z');

test('a token is recalled until it ends, and no other token with it', () => {
  const tokens = createVerifiedTokens<string>(10);
  tokens.keep('a.b.c', 'anna', inAMinute);
  expect(tokens.recall('a.b.c', now)).toBe('anna');
  expect(tokens.recall('a.b.d', now)).toBeUndefined();
  expect(tokens.recall('a.b.c', inAMinute)).toBeUndefined();
});

test('the token that was not used for longest makes room for the newest', () => {
  const tokens = createVerifiedTokens<string>(2);
  tokens.keep('one', '1', inAMinute);
  tokens.keep('two', '2', inAMinute);
  tokens.recall('one', now);
  tokens.keep('three', '3', inAMinute);
  expect(['one', 'two', 'three'].map((token) => tokens.recall(token, now))).toEqual(['1', undefined, '3']);
});
