import { expect, test } from 'vitest';
import { outsideProblem } from './outside-trip.ts';

test.for([
  ['?problem=no-role', 'no-role'],
  ['?problem=', undefined],
  ['', undefined],
  [`?problem=${'x'.repeat(100)}`, 'x'.repeat(64)],
] as const)('the address %s tells the problem %s', ([search, problem]) => {
  expect(outsideProblem(search)).toBe(problem);
});
