import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox, readKeys, type SecretBox } from './secret-box.ts';

const key = randomBytes(32);
const boxOf = (...keys: Buffer[]) => createSecretBox(keys) as SecretBox;

test('a sealed secret opens in its place, and does not show its text', () => {
  const sealed = boxOf(key).seal('{"password":"sésame"}', 'tenant 1 channel 2');
  expect(boxOf(key).open(sealed, 'tenant 1 channel 2')).toBe('{"password":"sésame"}');
  expect(sealed.toString('latin1')).not.toContain('password');
});

test('the same secret is never sealed the same way twice', () => {
  const box = boxOf(key);
  expect(box.seal('secret', 'here')).not.toEqual(box.seal('secret', 'here'));
});

test('a secret that was copied to another channel or tenant does not open', () => {
  const sealed = boxOf(key).seal('secret', 'tenant 1 channel 2');
  expect(boxOf(key).open(sealed, 'tenant 1 channel 3')).toBeUndefined();
  expect(boxOf(key).open(sealed, 'tenant 2 channel 2')).toBeUndefined();
});

test('a secret with any changed byte does not open', () => {
  const sealed = boxOf(key).seal('secret', 'here');
  for (let at = 0; at < sealed.length; at += 1) {
    const tampered = Buffer.from(sealed);
    tampered.writeUInt8(tampered.readUInt8(at) ^ 1, at);
    expect(boxOf(key).open(tampered, 'here')).toBeUndefined();
    expect(boxOf(key).open(sealed.subarray(0, at), 'here')).toBeUndefined();
  }
});

test('after a change of key old secrets open as long as the old key is in the file', () => {
  const newer = randomBytes(32);
  const sealed = boxOf(key).seal('secret', 'here');
  expect(boxOf(newer, key).open(sealed, 'here')).toBe('secret');
  expect(boxOf(newer).open(sealed, 'here')).toBeUndefined();
  expect(boxOf(newer).open(boxOf(newer, key).seal('secret', 'here'), 'here')).toBe('secret');
});

test('keys are read one per line, and without keys there is no box', () => {
  const text = [key, randomBytes(32)].map((one) => one.toString('base64')).join('\r\n');
  expect(readKeys(text).map(({ length }) => length)).toEqual([32, 32]);
  expect(createSecretBox(readKeys(undefined))).toBeUndefined();
});
