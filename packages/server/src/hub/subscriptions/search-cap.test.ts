import { expect, test } from 'vitest';
import { maxSearches, SearchCap } from './search-cap.ts';

test('the number of different searches of a tenant is limited, and the clients of each are not', () => {
  const cap = new SearchCap();
  for (let number = 0; number < maxSearches; number++) cap.enter(1, `pump ${number}`);
  cap.enter(1, 'pump 7');
  expect(cap.admits(1, 'fan')).toBe(false);
  expect(cap.admits(1, 'pump 7')).toBe(true);
  expect(cap.admits(1, undefined)).toBe(true);
  expect(cap.admits(2, 'fan'), 'of another tenant').toBe(true);
  cap.leave(1, 'pump 7');
  expect(cap.admits(1, 'fan'), 'another client still asks for it').toBe(false);
  cap.leave(1, 'pump 7');
  expect(cap.admits(1, 'fan')).toBe(true);
});
