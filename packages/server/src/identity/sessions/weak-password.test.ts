import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { requireStrongPassword } from './weak-password.ts';

const names = ['anna.berg@plant.example', 'Anna Berg', 'Waterworks North'];
const judged = (password: string) => {
  try {
    requireStrongPassword(password, names);
    return 'taken';
  } catch (error) {
    return String(error);
  }
};

test.for([
  'password1234',
  'Password1234',
  'PASSWORD!!!!',
  'password 2026',
  'dragon12345678',
  '123456789012',
  '1qaz2wsx3edc',
  'qwertyqwerty',
  'ｐａｓｓｗｏｒｄ1234',
  'motherfucker',
])('%s is refused: it is common, or has a trivial ending', (password) => {
  expect(judged(password)).toMatch(/commonest passwords.*take another/);
});

test.for([
  'anna-berg-2026',
  'AnnaBergAnnaBerg',
  'WaterworksNorth1',
  'anna.berg@plant.example',
  'north waterworks!',
])('%s is refused: it is a name', (password) => {
  expect(judged(password)).toMatch(/name of the user or of the tenant.*take another/);
});

test.for([
  'correct horse battery staple',
  'password of a mountain lake',
  'anna keeps eleven grey geese',
  'kX7-vQ2-mR9-pL4',
  'Überraschung im Umspannwerk',
])('%s is taken', (password) => {
  expect(judged(password)).toBe('taken');
});

test('the list is of at least 100,000 passwords, sorted and none twice', () => {
  const bytes = readFileSync(new URL('../../../data/common-passwords.bin', import.meta.url));
  const digests = bytes.toString('hex').match(/.{10}/g) ?? [];
  expect(digests.length).toBeGreaterThanOrEqual(100_000);
  expect(digests).toEqual([...new Set(digests)].toSorted());
  expect(['123456', 'letmein', 'motdepasse', 'passwort'].filter((word) => !isCommonPassword(word))).toEqual(
    [],
  );
});

test('of random passwords none is taken for a common one', () => {
  const wrongly = Array.from({ length: 10_000 }, () => crypto.randomUUID()).filter(isCommonPassword);
  expect(wrongly).toEqual([]);
});
