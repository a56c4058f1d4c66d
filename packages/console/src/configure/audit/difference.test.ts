import { expect, test } from 'vitest';
import { differencesOf } from './difference.ts';

test('a change shows the members that have changed', () => {
  const before = { id: 7, name: 'Night', userIds: [1, 2], lastChange: '1' };
  const after = { id: 7, name: 'Night', userIds: [2], lastChange: '2' };
  expect(differencesOf(before, after)).toEqual([{ name: 'userIds', before: '[1,2]', after: '[2]' }]);
  expect(differencesOf(before, after, true)).toHaveLength(3);
});

test('something new has nothing before, and something deleted nothing after', () => {
  expect(differencesOf(undefined, { name: 'Night' })).toEqual([{ name: 'name', before: '', after: 'Night' }]);
  expect(differencesOf({ name: 'Night' }, undefined)).toEqual([{ name: 'name', before: 'Night', after: '' }]);
});
