import * as fc from 'fast-check';
import type { OccurrenceFilter } from '../occurrence-filter.store.ts';
import {
  callGroupIds,
  dataServerIds,
  stationIds,
  tagGroupIds,
  userIds,
  words,
} from './busy-plant.fixture.ts';
import type { RawHistory } from './recount.fixture.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/**
 * An end of a period near something that happened: exactly there, or where its hour, day, month or year began; often
 * in the time of a zone that is whole hours, or half an hour or a quarter more, away from UTC.
 */
const ends = fc.record({
  near: fc.nat(),
  at: fc.constantFrom('instant', 'hour', 'day', 'month', 'year'),
  shiftMs: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 0, -1, 1, dayMs, -dayMs, 31 * dayMs) },
    fc.constantFrom(-2 * hourMs, -330 * minuteMs, -345 * minuteMs, 8 * hourMs, 12 * hourMs, -12 * hourMs),
    fc.integer({ min: -hourMs, max: hourMs }),
    fc.integer({ min: -40 * dayMs, max: 40 * dayMs }),
  ),
});
type End = typeof ends extends fc.Arbitrary<infer Value> ? Value : never;

const everyQuestion = {
  from: ends,
  to: ends,
  visibleStationIds: fc.uniqueArray(fc.constantFrom(...stationIds)),
  stationId: fc.constantFrom(...stationIds, 9),
  dataServerId: fc.constantFrom(...dataServerIds),
  tagGroupId: fc.constantFrom(...tagGroupIds, 9),
  callGroupId: fc.constantFrom(...callGroupIds),
  userId: fc.constantFrom(0, ...userIds),
  search: fc.constantFrom(...words, 'p', 'pump fan'),
};
export type Question = Omit<OccurrenceFilter, 'from' | 'to'> & { from?: End; to?: End };

// Periods are what the sums are about: they are asked for more often than the rest.
const names = fc
  .tuple(
    fc.constantFrom(['from', 'to'], ['from', 'to'], ['from', 'to'], ['from'], ['to'], []),
    fc.subarray(Object.keys(everyQuestion).slice(2), { maxLength: 2 }),
  )
  .map((chosen) => chosen.flat());
/** How long after its start a short period ends. */
const maybeHours = fc.option(fc.integer({ min: 0, max: 48 }), { nil: undefined, freq: 1 });
export const questions: fc.Arbitrary<Question> = fc
  .tuple(fc.record(everyQuestion), names, maybeHours)
  .map(([all, chosen, hours]) => {
    const { from } = all;
    const to = hours === undefined ? all.to : { ...from, shiftMs: from.shiftMs + hours * hourMs };
    return Object.fromEntries(Object.entries({ ...all, to }).filter(([name]) => chosen.includes(name)));
  });

export const pages = fc.record({
  offset: fc.integer({ min: 0, max: 5 }),
  limit: fc.integer({ min: 1, max: 30 }),
  descending: fc.boolean(),
});

/** The question in terms of what happened. */
export function filterOf({ from, to, ...rest }: Question, history: RawHistory): OccurrenceFilter {
  return {
    ...rest,
    ...(from && { from: instantOf(from, history) }),
    ...(to && { to: instantOf(to, history) }),
  };
}

function instantOf({ near, at, shiftMs }: End, { occurrences }: RawHistory): Date {
  const raisedAt = occurrences.at(near % Math.max(1, occurrences.length))?.raisedAt ?? new Date(0);
  const year = raisedAt.getUTCFullYear();
  const starts = {
    instant: raisedAt.getTime(),
    hour: Math.floor(raisedAt.getTime() / hourMs) * hourMs,
    day: Math.floor(raisedAt.getTime() / dayMs) * dayMs,
    month: Date.UTC(year, raisedAt.getUTCMonth()),
    year: Date.UTC(year),
  };
  return new Date(starts[at] + shiftMs);
}
