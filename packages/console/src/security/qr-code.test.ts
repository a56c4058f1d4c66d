import { expect, test } from 'vitest';
import { qrPath } from './qr-code.tsx';

test('each dark module is a square at its place', () => {
  expect(
    qrPath([
      [true, false],
      [false, true],
    ]),
  ).toBe('M0 0h1v1h-1zM1 1h1v1h-1z');
});
