import { expect, test } from 'vitest';
import { createVerifiedTokens } from './verified-tokens.ts';

const now = new Date('2026-03-01T06:00:00Z');
const inAMinute = new Date('2026-03-01T06:01:00Z');

test('a token is cached until it expires, and no other token with it', () => {
  const tokens = createVerifiedTokens<string>(10);
  tokens.keep('a.b.c', 'anna', inAMinute);
  expect(tokens.recall('a.b.c', now)).toBe('anna');
  expect(tokens.recall('a.b.d', now)).toBeUndefined();
  expect(tokens.recall('a.b.c', inAMinute)).toBeUndefined();
});

test('the least recently used tokens are dropped for new ones', () => {
  const tokens = createVerifiedTokens<string>(4);
  for (const token of ['one', 'two', 'three', 'four']) {
    tokens.keep(token, token, inAMinute);
    tokens.recall('one', now);
  }
  const recalled = ['one', 'two', 'four'].map((token) => tokens.recall(token, now));
  expect(recalled).toEqual(['one', undefined, 'four']);
});
