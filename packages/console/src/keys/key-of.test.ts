import { expect, test } from 'vitest';
import { type KeyEvent, keyOf } from './key-of.ts';

const press = (key: string, more: Partial<KeyEvent> = {}): KeyEvent => ({
  key,
  code: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...more,
});
const alt = { altKey: true };

test('single keys act by themselves, and Alt is left to the browser', () => {
  expect(keyOf(press('a'), true)).toBe('a');
  expect(keyOf(press('?', { shiftKey: true }), true)).toBe('?');
  expect(keyOf(press('a', alt), true)).toBeUndefined();
});

test('an operator who has switched single keys off acts with Alt only', () => {
  expect(keyOf(press('a'), false)).toBeUndefined();
  expect(keyOf(press('/'), false)).toBeUndefined();
  expect(keyOf(press('a', alt), false)).toBe('a');
  expect(keyOf(press('?', { ...alt, shiftKey: true }), false)).toBe('?');
});

test('a keyboard that types another character with Alt means the letter on the key', () => {
  expect(keyOf(press('å', { ...alt, code: 'KeyA' }), false)).toBe('a');
});

test.each([true, false])('arrows, Enter and Escape always move, single keys %s', (isSingle) => {
  for (const key of ['ArrowDown', 'Enter', 'Escape', ' ']) expect(keyOf(press(key), isSingle)).toBe(key);
});

test('Caps Lock does not turn one acknowledgment into many', () => {
  expect(keyOf(press('A'), true)).toBe('a');
  expect(keyOf(press('A', { shiftKey: true }), true)).toBe('Shift+a');
});

test('keys of the browser stay those of the browser', () => {
  expect(keyOf(press('a', { ctrlKey: true }), true)).toBeUndefined();
  expect(keyOf(press('r', { metaKey: true }), false)).toBeUndefined();
});
