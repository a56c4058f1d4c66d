import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Calendar, dayText, partialMonths, takeApart, type WholeDays } from './calendar.ts';

const dayMs = 86_400_000;
const monthOf = (year: number, month: number) => year * 12 + month - 1;

const at = (text: string) => new Date(`${text}Z`);
const apart = (from?: string, to?: string) =>
  takeApart({ from: from === undefined ? undefined : at(from), to: to === undefined ? undefined : at(to) });
const shownEdges = ({ edges }: Calendar) => edges.map((edge) => edge.map((end) => end.toISOString()));
const shownDays = ({ days }: Calendar) => days && [dayText(days.first), dayText(days.last)];
const wholeDays = (from: string, to: string): WholeDays => {
  const { days } = apart(from, to);
  if (!days) throw new Error('there are no whole days');
  return days;
};

test('from morning to evening weeks later: two edges and the days between', () => {
  const calendar = apart('2026-04-29T08:00:00', '2026-05-12T17:30:00.500');
  expect(shownEdges(calendar)).toEqual([
    ['2026-04-29T08:00:00.000Z', '2026-04-30T00:00:00.000Z'],
    ['2026-05-12T00:00:00.000Z', '2026-05-12T17:30:00.500Z'],
  ]);
  expect(shownDays(calendar)).toEqual(['2026-04-30', '2026-05-11']);
});

test('from midnight to midnight there are no edges', () => {
  const calendar = apart('2026-02-01T00:00:00', '2026-03-01T00:00:00');
  expect(calendar.edges).toEqual([]);
  expect(shownDays(calendar)).toEqual(['2026-02-01', '2026-02-28']);
});

test('within one day, or over one midnight, there is no whole day', () => {
  expect(apart('2026-04-29T08:00:00', '2026-04-29T09:00:00')).toEqual({
    edges: [[at('2026-04-29T08:00:00'), at('2026-04-29T09:00:00')]],
    days: undefined,
  });
  expect(apart('2026-04-29T22:00:00', '2026-04-30T06:00:00')).toEqual({
    edges: [
      [at('2026-04-29T22:00:00'), at('2026-04-30T00:00:00')],
      [at('2026-04-30T00:00:00'), at('2026-04-30T06:00:00')],
    ],
    days: undefined,
  });
});

test.each([
  ['2026-04-29T08:00:00', '2026-04-29T08:00:00'],
  ['2026-04-29T00:00:00', '2026-04-29T00:00:00'],
  ['2026-04-29T08:00:00', '2026-04-29T07:59:59.999'],
  ['2026-04-29T00:00:00', '2026-04-28T00:00:00'],
  ['2026-04-29T08:00:00', '2024-02-28T07:00:00'],
])('from %s to %s there is nothing', (from, to) => {
  expect(apart(from, to)).toEqual({ edges: [], days: undefined });
});

test('a period that is open at an end has days without end there', () => {
  expect(shownEdges(apart('2026-04-29T08:00:00'))).toEqual([
    ['2026-04-29T08:00:00.000Z', '2026-04-30T00:00:00.000Z'],
  ]);
  expect(shownDays(apart('2026-04-29T08:00:00'))).toEqual(['2026-04-30', '9999-12-31']);
  expect(shownDays(apart(undefined, '2026-04-29T08:00:00'))).toEqual(['0001-01-01', '2026-04-28']);
  expect(apart().edges).toEqual([]);
  expect(shownDays(apart())).toEqual(['0001-01-01', '9999-12-31']);
  expect(apart().days && partialMonths(apart().days as WholeDays)).toEqual([]);
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

/** Anywhere in four centuries, often at midnight or a millisecond beside it. */
const instants = fc
  .tuple(
    fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2300, 0) }),
    fc.constantFrom('anywhere', 'day', 'month', 'year'),
    fc.constantFrom(0, 0, -1, 1),
  )
  .map(([ms, where, shift]) => {
    const date = new Date(ms);
    const starts = {
      anywhere: ms,
      day: Math.floor(ms / dayMs) * dayMs,
      month: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
      year: Date.UTC(date.getUTCFullYear()),
    };
    return new Date(starts[where] + shift);
  });

/** Ends years apart, or days. */
const periods = fc.oneof(
  fc.tuple(instants, instants),
  fc
    .tuple(instants, fc.integer({ min: -2 * dayMs, max: 70 * dayMs }))
    .map(([from, length]) => [from, new Date(from.getTime() + length)] as const),
);

const startOfDay = ({ month, day }: WholeDays['first']) => Date.UTC(Math.floor(month / 12), month % 12, day);

/** Every stretch of time a calendar names, in milliseconds. */
function stretches({ edges, days }: Calendar): [number, number][] {
  const whole: [number, number][] = days ? [[startOfDay(days.first), startOfDay(days.last) + dayMs]] : [];
  return [...edges.map(([from, to]): [number, number] => [from.getTime(), to.getTime()]), ...whole];
}

test('the edges and the whole days are the period, each instant once', () => {
  fc.assert(
    fc.property(periods, ([from, to]) => {
      const calendar = takeApart({ from, to });
      for (const [start, end] of calendar.edges) expect(end.getTime() - start.getTime()).toBeLessThan(dayMs);
      const rising = stretches(calendar).toSorted(([one], [other]) => one - other);
      // End to end without a gap or an overlap, from the start to the end.
      const ends = rising.map(([, end]) => end);
      const starts = rising.map(([start]) => start);
      for (const [start, end] of rising) expect(start).toBeLessThan(end);
      if (from >= to) expect(rising).toEqual([]);
      else expect([...starts, to.getTime()]).toEqual([from.getTime(), ...ends]);
    }),
    { numRuns: 2_000 },
  );
});

test('a period open at one end is that of a far end, there', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const [first, last] = [new Date('0001-01-01T00:00:00Z'), new Date('+010000-01-01T00:00:00Z')];
      expect(takeApart({ from: instant })).toEqual(takeApart({ from: instant, to: last }));
      const { edges, days } = takeApart({ to: instant });
      const bounded = takeApart({ from: first, to: instant });
      expect(edges).toEqual(bounded.edges);
      expect(days?.last).toEqual(bounded.days?.last);
    }),
  );
});

test('every whole day is counted once, by its month or by itself, and no other day of these months is', () => {
  fc.assert(
    fc.property(periods, ([from, to]) => {
      const { days } = takeApart({ from, to });
      if (!days) return;
      const cut = partialMonths(days);
      for (const { month } of cut) expect([days.first.month, days.last.month]).toContain(month);
      const months = [days.first.month, days.first.month + 1, days.last.month - 1, days.last.month];
      for (const month of new Set(
        months.filter((one) => one >= days.first.month && one <= days.last.month),
      )) {
        const own = cut.filter((one) => one.month === month);
        const counted = (day: number) =>
          own.length === 0 || own.some((one) => day >= one.from && day <= one.to);
        expect(own.length).toBeLessThanOrEqual(1);
        for (let day = 1; day <= daysIn(month); day += 1) {
          const start = startOfDay({ month, day });
          expect(counted(day)).toBe(start >= from.getTime() && start + dayMs <= to.getTime());
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

test('days are written as PostgreSQL reads them', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const midnight = new Date(Math.floor(instant.getTime() / dayMs) * dayMs);
      const { days } = takeApart({ from: midnight });
      expect(days && dayText(days.first)).toBe(midnight.toISOString().slice(0, 10));
    }),
  );
});

function daysIn(month: number): number {
  const start = (later: number) => startOfDay({ month: month + later, day: 1 });
  return (start(1) - start(0)) / dayMs;
}
