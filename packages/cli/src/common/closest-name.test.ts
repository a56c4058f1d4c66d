import { expect, test } from 'vitest';
import { closestName, suggestion } from './closest-name.ts';

test('a mistyped name leads to the one that was meant', () => {
  expect(closestName('Pmups', ['Filters', 'Pumps', 'Intake'])).toBe('Pumps');
  expect(closestName('prioritty', ['path', 'priority'])).toBe('priority');
  expect(suggestion('prioritty', ['path', 'priority'])).toBe(' Did you mean "priority"?');
});

test('a name that is like no other suggests nothing', () => {
  expect(closestName('Boiler', ['Pumps', 'Filters'])).toBeUndefined();
  expect(suggestion('Boiler', [])).toBe('');
});
