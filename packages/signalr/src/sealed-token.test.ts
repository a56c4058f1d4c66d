import { expect, test } from 'vitest';
import { createConnectionTokens } from './connection-token.ts';
import { createSealer } from './sealed-token.ts';

const secret = 'a secret for tests only';
const claims = {
  family: 'core',
  connectionId: 'x1',
  owner: 'http://10.0.0.7:8080',
  identityKey: 'tenant 1, ada',
  stateful: true,
} as const;

test('what one node seals another opens', () => {
  const token = createConnectionTokens(secret).seal(claims);
  expect(createConnectionTokens(secret).open(token)).toEqual(claims);
});

test('two tokens of the same are not alike', () => {
  const tokens = createConnectionTokens(secret);
  expect(tokens.seal(claims)).not.toBe(tokens.seal(claims));
});

test('every change of every byte is seen', () => {
  const sealer = createSealer(secret, 'test');
  const bytes = Buffer.from(sealer.seal('x1'), 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(sealer.open(changed.toString('base64url'))).toBeUndefined();
  }
  for (let length = 0; length < bytes.length; length += 1) {
    expect(sealer.open(bytes.subarray(0, length).toString('base64url'))).toBeUndefined();
  }
});

test('another secret, or another purpose, opens nothing', () => {
  const sealed = createSealer(secret, 'test').seal('x1');
  expect(createSealer('another secret of ours', 'test').open(sealed)).toBeUndefined();
  expect(createSealer(secret, 'other').open(sealed)).toBeUndefined();
});

test('a secret can be replaced: the new one seals, both open', () => {
  const old = createSealer(secret, 'test').seal('x1');
  const both = createSealer(['another secret of ours', secret], 'test');
  expect(both.open(old)).toBe('x1');
  expect(createSealer('another secret of ours', 'test').open(both.seal('x2'))).toBe('x2');
});

test('a short secret is no secret', () => {
  expect(() => createSealer('short', 'test')).toThrow(RangeError);
  expect(() => createSealer([], 'test')).toThrow(RangeError);
});
