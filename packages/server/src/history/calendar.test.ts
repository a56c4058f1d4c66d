import { expect, test } from 'vitest';
import {
  type Calendar,
  dayText,
  type Interval,
  overlappingDays,
  partialMonths,
  splitPeriod,
  touchedMonths,
  type WholeDays,
  wholeMonths,
} from './calendar.ts';

const monthOf = (year: number, month: number) => year * 12 + month - 1;

const at = (text: string) => new Date(`${text}Z`);
const apart = (from?: string, to?: string) =>
  splitPeriod({ from: from === undefined ? undefined : at(from), to: to === undefined ? undefined : at(to) });
const shown = (intervals: readonly Interval[]) =>
  intervals.map((ends) => ends.map((end) => end.toISOString()));
const shownEdges = ({ nearest: { edges } }: Calendar) =>
  edges.map(({ interval, sign }) => [sign, ...shown([interval]).flat()]);
const shownDays = ({ days }: { days: WholeDays | undefined }) =>
  days && [dayText(days.first), dayText(days.last)];
const wholeDays = (from: string, to: string): WholeDays => {
  const { days } = apart(from, to).inside;
  if (!days) throw new Error('there are no whole days');
  return days;
};

test('from morning to evening weeks later: the nearest midnights, and what is to be put right', () => {
  const calendar = apart('2026-04-29T08:00:00', '2026-05-12T17:30:00.500');
  expect(shownDays(calendar.nearest)).toEqual(['2026-04-29', '2026-05-12']);
  expect(shownEdges(calendar)).toEqual([
    [-1, '2026-04-29T00:00:00.000Z', '2026-04-29T08:00:00.000Z'],
    [-1, '2026-05-12T17:30:00.500Z', '2026-05-13T00:00:00.000Z'],
  ]);
  expect(overlappingDays(calendar.nearest).map(dayText)).toEqual(['2026-04-29', '2026-05-12']);
});

test('the same in days and hours that are wholly inside, and less than an hour', () => {
  const { inside } = apart('2026-04-29T07:15:00', '2026-05-12T17:30:00.500');
  expect(shownDays(inside)).toEqual(['2026-04-30', '2026-05-11']);
  expect(shown(inside.hours)).toEqual([
    ['2026-04-29T08:00:00.000Z', '2026-04-30T00:00:00.000Z'],
    ['2026-05-12T00:00:00.000Z', '2026-05-12T17:00:00.000Z'],
  ]);
  expect(shown(inside.rest)).toEqual([
    ['2026-04-29T07:15:00.000Z', '2026-04-29T08:00:00.000Z'],
    ['2026-05-12T17:00:00.000Z', '2026-05-12T17:30:00.500Z'],
  ]);
});

test('a month in France is a month and an hour or two, in India five and a half', () => {
  const french = apart('2026-02-28T23:00:00', '2026-03-31T22:00:00');
  expect(shownDays(french.nearest)).toEqual(['2026-03-01', '2026-03-31']);
  expect(shownEdges(french)).toEqual([
    [1, '2026-02-28T23:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    [-1, '2026-03-31T22:00:00.000Z', '2026-04-01T00:00:00.000Z'],
  ]);
  expect(french.inside.rest).toEqual([]);
  const indian = apart('2026-02-28T18:30:00', '2026-03-31T18:30:00');
  expect(shownDays(indian.nearest)).toEqual(['2026-03-01', '2026-03-31']);
  expect(shown(indian.inside.rest)).toEqual([
    ['2026-02-28T18:30:00.000Z', '2026-02-28T19:00:00.000Z'],
    ['2026-03-31T18:00:00.000Z', '2026-03-31T18:30:00.000Z'],
  ]);
});

test('from midnight to midnight there are only days', () => {
  const calendar = apart('2026-02-01T00:00:00', '2026-03-01T00:00:00');
  expect(calendar.nearest.edges).toEqual([]);
  expect(shownDays(calendar.nearest)).toEqual(['2026-02-01', '2026-02-28']);
  expect(calendar.inside).toEqual({ days: calendar.nearest.days, hours: [], rest: [] });
});

test('most of a day is the day without its ends, and that day is named once', () => {
  const { nearest, inside } = apart('2026-04-29T08:00:00', '2026-04-29T19:00:00');
  expect(shownDays(nearest)).toEqual(['2026-04-29', '2026-04-29']);
  expect(nearest.edges.map(({ sign }) => sign)).toEqual([-1, -1]);
  expect(overlappingDays(nearest).map(dayText)).toEqual(['2026-04-29']);
  expect(inside.days).toBeUndefined();
});

test('little of a day, or a night, is raw for tags and hours for people', () => {
  const hour = apart('2026-04-29T08:00:00', '2026-04-29T09:00:00');
  expect(hour.nearest.days).toBeUndefined();
  expect(shownEdges(hour)).toEqual([[1, '2026-04-29T08:00:00.000Z', '2026-04-29T09:00:00.000Z']]);
  expect(shown(hour.inside.hours)).toEqual([['2026-04-29T08:00:00.000Z', '2026-04-29T09:00:00.000Z']]);
  const night = apart('2026-04-29T22:00:00', '2026-04-30T06:00:00');
  expect(night.nearest.days).toBeUndefined();
  expect(shownEdges(night)).toEqual([[1, '2026-04-29T22:00:00.000Z', '2026-04-30T06:00:00.000Z']]);
  const minutes = apart('2026-04-29T08:10:00', '2026-04-29T08:50:00');
  expect(minutes.inside.hours).toEqual([]);
  expect(shown(minutes.inside.rest)).toEqual([['2026-04-29T08:10:00.000Z', '2026-04-29T08:50:00.000Z']]);
});

test.each([
  ['2026-04-29T08:00:00', '2026-04-29T08:00:00'],
  ['2026-04-29T00:00:00', '2026-04-29T00:00:00'],
  ['2026-04-29T08:00:00', '2026-04-29T07:59:59.999'],
  ['2026-04-29T00:00:00', '2026-04-28T00:00:00'],
  ['2026-04-29T08:00:00', '2024-02-28T07:00:00'],
])('from %s to %s there is nothing', (from, to) => {
  expect(apart(from, to)).toEqual({
    nearest: { days: undefined, edges: [] },
    inside: { days: undefined, hours: [], rest: [] },
  });
});

test('a period that is open at an end has days without end there', () => {
  const since = apart('2026-04-29T14:00:00');
  expect(shownEdges(since)).toEqual([[1, '2026-04-29T14:00:00.000Z', '2026-04-30T00:00:00.000Z']]);
  expect(shownDays(since.nearest)).toEqual(['2026-04-30', '9999-12-31']);
  expect(shownDays(since.inside)).toEqual(['2026-04-30', '9999-12-31']);
  const until = apart(undefined, '2026-04-29T08:00:00');
  expect(shownDays(until.nearest)).toEqual(['0001-01-01', '2026-04-28']);
  const ever = apart();
  expect(ever.nearest.edges).toEqual([]);
  expect(shownDays(ever.nearest)).toEqual(['0001-01-01', '9999-12-31']);
  expect(shownDays(ever.inside)).toEqual(['0001-01-01', '9999-12-31']);
  expect(partialMonths(ever.inside.days as WholeDays)).toEqual([]);
});

test.each([
  ['a month', ['2026-04-01', '2026-05-01'], [4, 4], [4, 4]],
  ['a month but its first day', ['2026-04-02', '2026-05-01'], [4, 4], undefined],
  ['two months, both cut', ['2026-04-02', '2026-05-31'], [4, 5], undefined],
  ['a whole one between', ['2026-04-02', '2026-06-02'], [4, 6], [5, 5]],
] as const)('%s touches and fills the right months', (_, [from, to], touched, whole) => {
  const { nearest, inside } = apart(`${from}T00:00:00`, `${to}T00:00:00`);
  const named = ([first, last]: readonly [number, number]) => ({
    first: monthOf(2026, first),
    last: monthOf(2026, last),
  });
  expect(touchedMonths(nearest)).toEqual(named(touched));
  const { first, last } = wholeMonths(inside.days);
  expect(first > last ? undefined : { first, last }).toEqual(whole && named(whole));
});

test.each([
  ['a month', '2026-04-01', '2026-05-01', []],
  ['a February', '2026-02-01', '2026-03-01', []],
  ['a leap February', '2028-02-01', '2028-03-01', []],
  ['years', '2025-01-01', '2027-01-01', []],
  ['a leap February but its last day', '2028-02-01', '2028-02-29', [[2028, 2, 1, 28]]],
  ['the 28th of a leap February on', '2028-02-28', '2028-03-01', [[2028, 2, 28, 29]]],
  ['one day', '2026-04-30', '2026-05-01', [[2026, 4, 30, 30]]],
  [
    'the last day of a month and the first of the next',
    '2026-04-30',
    '2026-05-02',
    [
      [2026, 4, 30, 31],
      [2026, 5, 1, 1],
    ],
  ],
  ['a cut month and whole ones', '2026-04-02', '2026-07-01', [[2026, 4, 2, 31]]],
  ['whole months and a cut one', '2025-11-01', '2026-02-28', [[2026, 2, 1, 27]]],
  [
    'New Year',
    '2025-12-31',
    '2026-01-02',
    [
      [2025, 12, 31, 31],
      [2026, 1, 1, 1],
    ],
  ],
] as const)('%s cuts the right months', (_, from, to, cut) => {
  expect(partialMonths(wholeDays(`${from}T00:00:00`, `${to}T00:00:00`))).toEqual(
    cut.map(([year, month, first, last]) => ({ month: monthOf(year, month), from: first, to: last })),
  );
});
