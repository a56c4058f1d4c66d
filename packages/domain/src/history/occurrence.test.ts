import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { occurrences } from '../testing/occurrences.ts';
import { durationsOf, type Occurrence } from './occurrence.ts';

const raised: Occurrence = { id: 1, tagId: 7, raisedAt: new Date('2026-04-29T06:00:00.900Z') };
const acknowledgedAt = new Date('2026-04-29T06:01:05.100Z');
const resetAt = new Date('2026-04-29T07:00:00.000Z');

test('an alarm that was acknowledged and then reset has all three durations', () => {
  expect(durationsOf({ ...raised, acknowledgedAt, resetAt })).toEqual({
    alarm: 3_600,
    reaction: 65,
    intervention: 3_535,
  });
});

test('a duration is absent until it has ended', () => {
  expect(Object.keys(durationsOf(raised))).toEqual([]);
  expect(durationsOf({ ...raised, acknowledgedAt })).toStrictEqual({ reaction: 65 });
  expect(durationsOf({ ...raised, resetAt })).toStrictEqual({ alarm: 3_600 });
});

test('an alarm acknowledged after its reset has no intervention', () => {
  const late = { ...raised, acknowledgedAt: resetAt, resetAt: acknowledgedAt };
  expect(durationsOf(late)).toStrictEqual({ alarm: 65, reaction: 3_600 });
});

test('no duration is ever negative, and reaction and intervention make up the alarm', () => {
  fc.assert(
    fc.property(occurrences, (occurrence) => {
      const { alarm, reaction, intervention } = durationsOf(occurrence);
      for (const seconds of [alarm, reaction, intervention]) expect(seconds ?? 0).toBeGreaterThanOrEqual(0);
      const isWhole = reaction !== undefined && intervention !== undefined;
      expect(isWhole ? reaction + intervention : alarm).toBe(alarm);
    }),
  );
});
