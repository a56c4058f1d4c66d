import { expect, test } from 'vitest';
import { maskAddress } from './call.wire.ts';

test.for([
  ['+33123456789', '********6789'],
  ['12345', '*2345'],
  ['1234', '****'],
  ['7', '*'],
  ['', ''],
  ['📟📟📟📟📟', '*📟📟📟📟'],
] as const)('the address %s is shown as %s', ([address, shown]) => {
  expect(maskAddress(address)).toBe(shown);
});
