import { expect, test } from 'vitest';
import { mostSearches, SearchCap } from './search-cap.ts';

test('clients of a tenant may ask for so many searches that differ, and for each as often as they like', () => {
  const cap = new SearchCap();
  for (let number = 0; number < mostSearches; number++) cap.enter(1, `pump ${number}`);
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
