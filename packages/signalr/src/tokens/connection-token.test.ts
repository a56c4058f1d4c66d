import { expect, test } from 'vitest';
import { createConnectionTokens } from './connection-token.ts';
import { createDataProtector } from './data-protector.ts';

const secret = 'a secret for tests only';
const claims = {
  generation: 'core',
  connectionId: 'x1',
  ownerAddress: 'http://10.0.0.7:8080',
  identityKey: 'tenant 1, ada',
  useStatefulReconnect: true,
} as const;

test('a token of one node is read by another', () => {
  const token = createConnectionTokens(secret).issue(claims);
  expect(createConnectionTokens(secret).read(token)).toEqual(claims);
});

test('two tokens with the same claims differ', () => {
  const tokens = createConnectionTokens(secret);
  expect(tokens.issue(claims)).not.toBe(tokens.issue(claims));
});

test('every changed byte and every truncation is detected', () => {
  const protector = createDataProtector(secret, 'test');
  const bytes = Buffer.from(protector.protect('x1'), 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(protector.unprotect(changed.toString('base64url'))).toBeUndefined();
  }
  for (let length = 0; length < bytes.length; length += 1) {
    expect(protector.unprotect(bytes.subarray(0, length).toString('base64url'))).toBeUndefined();
  }
});

test('text is not unprotected with another secret or purpose', () => {
  const sealed = createDataProtector(secret, 'test').protect('x1');
  expect(createDataProtector('another secret of ours', 'test').unprotect(sealed)).toBeUndefined();
  expect(createDataProtector(secret, 'other').unprotect(sealed)).toBeUndefined();
});

test('a new secret encrypts while both secrets decrypt', () => {
  const old = createDataProtector(secret, 'test').protect('x1');
  const both = createDataProtector(['another secret of ours', secret], 'test');
  expect(both.unprotect(old)).toBe('x1');
  expect(createDataProtector('another secret of ours', 'test').unprotect(both.protect('x2'))).toBe('x2');
});

test('a short or missing secret is refused', () => {
  expect(() => createDataProtector('short', 'test')).toThrow(RangeError);
  expect(() => createDataProtector([], 'test')).toThrow(RangeError);
});
