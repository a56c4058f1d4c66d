import { expect, test } from 'vitest';
import { compareEntries, mergeEntries } from './compare-entries.ts';

test('a member that the file leaves out keeps its value', () => {
  const present = { name: 'Mail', priority: 1, settings: { host: 'a.example', port: 25 } };
  const wanted = { name: 'Mail', settings: { host: 'b.example' } };
  expect(compareEntries(present, wanted)).toEqual([
    { field: 'settings.host', before: 'a.example', after: 'b.example' },
  ]);
  expect(mergeEntries(present, wanted)).toEqual({
    name: 'Mail',
    priority: 1,
    settings: { host: 'b.example', port: 25 },
  });
});

test('lists are compared as a whole, in their order', () => {
  const present = { people: ['anna', 'ben'] };
  expect(compareEntries(present, { people: ['anna', 'ben'] })).toEqual([]);
  expect(compareEntries(present, { people: ['ben', 'anna'] })).toEqual([
    { field: 'people', before: ['anna', 'ben'], after: ['ben', 'anna'] },
  ]);
});

test('a member that the server lacks is a change', () => {
  expect(compareEntries({}, { rotation: null })).toEqual([
    { field: 'rotation', before: undefined, after: null },
  ]);
});
