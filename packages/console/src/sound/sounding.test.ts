import { defaultConsoleSettings, defaultConsoleSounds } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { firstOwnSound, firstSounds, lastingSilence, soundingPriorities } from './sounding.ts';

const { sound } = defaultConsoleSettings;

test('a desk that cannot ask sounds as one of a new plant', () => {
  expect([firstSounds, firstOwnSound]).toEqual([defaultConsoleSounds, sound]);
});

test('at a new plant priorities 1 to 3 sound', () => {
  expect(soundingPriorities(defaultConsoleSounds, sound)).toEqual([1, 2, 3]);
});

test('an operator hears no more than the priorities they chose', () => {
  expect(soundingPriorities(defaultConsoleSounds, { ...sound, lowestPriority: 1 })).toEqual([1]);
  expect(soundingPriorities(defaultConsoleSounds, { ...sound, on: false })).toEqual([]);
});

const ben = { at: 10_000, user: 'Ben', desk: 'Desk 2', alarmIds: [7, 8] };
const anna = { ...ben, at: 20_000, user: 'Anna' };

test('the latest silence of another desk is told while it lasts', () => {
  const waiting = new Set([8]);
  expect(lastingSilence([ben, anna], waiting, { now: 25_000, seconds: 30 })).toBe(anna);
  expect(lastingSilence([ben], waiting, { now: 41_000, seconds: 30 })).toBeUndefined();
  expect(lastingSilence([ben], waiting, { now: 9_999_999, seconds: 0 }), 'it lasts until a new alarm').toBe(
    ben,
  );
});

test('a silence of alarms that nobody waits for any more is not told', () => {
  expect(lastingSilence([ben], new Set([9]), { now: 11_000, seconds: 30 })).toBeUndefined();
});
