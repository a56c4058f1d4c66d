import { expect, test } from 'vitest';
import { readSettingsSearch } from './settings-search.ts';

test('an address opens an object, a new one, or the list', () => {
  expect(readSettingsSearch({ id: 7 })).toEqual({ id: 7 });
  expect(readSettingsSearch({ id: 'new', q: 'pump' })).toEqual({ id: 'new', q: 'pump' });
  expect(readSettingsSearch({})).toEqual({});
});

test('an address that somebody has mistyped opens the list', () => {
  expect(readSettingsSearch({ id: 'seven', q: 5, hours: -1, actor: '' })).toEqual({});
});

test('the filters of the audit trail are kept in the address', () => {
  const filter = { actor: 'user:7', action: 'user.change', object: 'user:7', hours: 24 };
  expect(readSettingsSearch(filter)).toEqual(filter);
});
