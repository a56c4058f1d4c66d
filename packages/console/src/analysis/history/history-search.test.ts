import { expect, test } from 'vitest';
import { filtersOf, hasFilters, readHistorySearch } from './history-search.ts';

test('an address chooses list, period, filters and page', () => {
  const search = readHistorySearch({ tab: 'calls', period: 'year', search: 402, userId: '7', page: 3 });
  expect(search).toMatchObject({ tab: 'calls', period: 'year', search: '402', userId: 7, page: 3 });
});

test('whatever is not understood chooses nothing', () => {
  expect(hasFilters(readHistorySearch({ tab: 'secrets', stationId: 'x', userId: -1, page: 1 }))).toBe(false);
});

test('calls have no filter by station', () => {
  expect(filtersOf({ tab: 'calls', stationId: 2, userId: 7, search: ' ' })).toEqual({
    userId: 7,
    search: undefined,
  });
  expect(filtersOf({ stationId: 2, search: 'pump ' })).toMatchObject({ stationId: 2, search: 'pump' });
});
