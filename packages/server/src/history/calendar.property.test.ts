import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dayOf,
  dayText,
  type Interval,
  overlappingDays,
  partialMonths,
  splitPeriod,
  touchedMonths,
  type WholeDays,
} from './calendar.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Anywhere in four centuries, often at midnight, at noon or on the hour, or a millisecond beside it. */
const instants = fc
  .tuple(
    fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2300, 0) }),
    fc.constantFrom('anywhere', 'hour', 'noon', 'day', 'month', 'year'),
    fc.constantFrom(0, 0, -1, 1),
  )
  .map(([ms, where, shift]) => {
    const date = new Date(ms);
    const starts = {
      anywhere: ms,
      hour: Math.floor(ms / hourMs) * hourMs,
      noon: (Math.floor(ms / dayMs) + 0.5) * dayMs,
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

const intervalOfDays = (days: WholeDays | undefined): [number, number][] =>
  days ? [[startOfDay(days.first), startOfDay(days.last) + dayMs]] : [];
const inMs = (intervals: readonly Interval[]) =>
  intervals.map(([from, to]): [number, number] => [from.getTime(), to.getTime()]);

test('days, hours and the rest are the period, each instant once', () => {
  fc.assert(
    fc.property(periods, ([from, to]) => {
      const { days, hours, rest } = splitPeriod({ from, to }).inside;
      for (const [start, end] of inMs(rest)) expect(end - start).toBeLessThan(hourMs);
      for (const [start, end] of inMs(hours)) {
        expect(end - start).toBeLessThan(dayMs);
        expect([start % hourMs, end % hourMs].map(Math.abs)).toEqual([0, 0]);
      }
      const all = [...intervalOfDays(days), ...inMs(hours), ...inMs(rest)];
      const rising = all.toSorted(([one], [other]) => one - other);
      // End to end without a gap or an overlap, from the start to the end.
      for (const [start, end] of rising) expect(start).toBeLessThan(end);
      const starts = rising.map(([start]) => start);
      const ends = rising.map(([, end]) => end);
      if (from >= to) expect(rising).toEqual([]);
      else expect([...starts, to.getTime()]).toEqual([from.getTime(), ...ends]);
    }),
    { numRuns: 2_000 },
  );
});

test('the nearest days with what is added and taken away are the period, each instant once', () => {
  fc.assert(
    fc.property(periods, ([from, to]) => {
      const { days, edges } = splitPeriod({ from, to }).nearest;
      for (const { interval } of edges)
        for (const [start, end] of inMs([interval])) {
          expect(start).toBeLessThan(end);
          if (days) expect(end - start).toBeLessThanOrEqual(dayMs / 2);
          else expect(end - start).toBeLessThan(dayMs);
        }
      const signed = [
        ...intervalOfDays(days).map((ends) => ({ ends, sign: 1 })),
        ...edges.flatMap(({ interval, sign }) => inMs([interval]).map((ends) => ({ ends, sign }))),
      ];
      const timesNamed = (instant: number) =>
        signed.reduce((sum, { ends: [a, b], sign }) => sum + (instant >= a && instant < b ? sign : 0), 0);
      // Nothing changes between the ends of intervals.
      const marks = [...signed.flatMap(({ ends }) => ends), from.getTime(), to.getTime()];
      for (const mark of marks.flatMap((one) => [one - 1, one]))
        expect(timesNamed(mark)).toBe(mark >= from.getTime() && mark < to.getTime() ? 1 : 0);
    }),
    { numRuns: 2_000 },
  );
});

test('what the nearest days have too much is of days that are not wholly inside', () => {
  fc.assert(
    fc.property(periods, ([from, to]) => {
      const { nearest, inside } = splitPeriod({ from, to });
      const extra = overlappingDays(nearest).map(startOfDay);
      const length = (days: WholeDays | undefined) =>
        intervalOfDays(days).reduce((sum, [start, end]) => sum + (end - start) / dayMs, 0);
      expect(length(nearest.days)).toBe(length(inside.days) + extra.length);
      for (const [start, end] of intervalOfDays(inside.days))
        for (const day of extra) expect(day < start || day >= end).toBe(true);
      if (from >= to) return;
      const last = new Date(to.getTime() - 1);
      expect(touchedMonths(nearest).first).toBeLessThanOrEqual(dayOf(from).month);
      expect(touchedMonths(nearest).last).toBeGreaterThanOrEqual(dayOf(last).month);
    }),
    { numRuns: 2_000 },
  );
});

test('a period open at one end is that of a far end, there', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const [first, last] = [new Date('0001-01-01T00:00:00Z'), new Date('+010000-01-01T00:00:00Z')];
      expect(splitPeriod({ from: instant })).toEqual(splitPeriod({ from: instant, to: last }));
      const open = splitPeriod({ to: instant });
      const bounded = splitPeriod({ from: first, to: instant });
      expect(open.nearest.edges).toEqual(bounded.nearest.edges);
      expect(open.nearest.days?.last).toEqual(bounded.nearest.days?.last);
      expect({ ...open.inside, days: undefined }).toEqual({ ...bounded.inside, days: undefined });
    }),
  );
});

test('every whole day is counted once, by its month or by itself, and no other day of these months is', () => {
  fc.assert(
    fc.property(periods, ([from, to]) => {
      const { days } = splitPeriod({ from, to }).inside;
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
      const { days } = splitPeriod({ from: midnight }).inside;
      expect(days && dayText(days.first)).toBe(midnight.toISOString().slice(0, 10));
    }),
  );
});

function daysIn(month: number): number {
  const start = (later: number) => startOfDay({ month: month + later, day: 1 });
  return (start(1) - start(0)) / dayMs;
}
