import { expect, test } from 'vitest';
import { firstOpenStep, stepAfter, stepBefore, userNameOf } from './steps.ts';

const empty = { station: 'Station', hasAddress: false, channels: 0, callGroups: 0 };

test('the path begins at the first thing that an installation lacks', () => {
  expect(firstOpenStep(empty)).toBe('station');
  expect(firstOpenStep({ ...empty, station: undefined })).toBe('station');
  expect(firstOpenStep({ ...empty, station: 'Valmont' })).toBe('people');
  expect(firstOpenStep({ ...empty, station: 'Valmont', hasAddress: true })).toBe('channel');
  expect(firstOpenStep({ ...empty, station: 'Valmont', hasAddress: true, channels: 1 })).toBe('group');
  expect(firstOpenStep({ station: 'Valmont', hasAddress: true, channels: 1, callGroups: 2 })).toBe('alarm');
});

test('steps follow each other, and the last one has none after it', () => {
  expect([stepAfter('station'), stepAfter('answer')]).toEqual(['people', 'answer']);
  expect([stepBefore('station'), stepBefore('people')]).toEqual([undefined, 'station']);
});

test('a name becomes a user name without accents and signs', () => {
  expect(userNameOf('Anna Keller')).toBe('anna.keller');
  expect(userNameOf('  José-María Núñez ')).toBe('jose.maria.nunez');
  expect(userNameOf('–')).toBe('');
});
