// This entry never uses Node's own Temporal, which is incomplete and behind a flag in Node 24.
import { Temporal } from 'temporal-polyfill/implementation';

/**
 * The time between two clock changes of a zone, in epoch milliseconds; infinite if there is no such change. Local time is
 * the instant plus `offset`.
 */
export type Season = {
  startsAt: number;
  endsAt: number;
  offset: number;
  offsetBefore: number;
  offsetAfter: number;
};

/** The local time at an instant, including repeated times around a clock change. */
export type Shown = {
  /** The latest local time shown so far. */
  maxSoFar: number;
  /** The earliest local time shown from now on. */
  minToCome: number;
};

const seasonsOfZone = new Map<string, Season[]>();
const maxZones = 128;
// Thirty years, where clocks change twice a year.
const maxSeasons = 64;

/** Throws a RangeError when there is no such zone. */
export function seasonAt(zone: string, time: number): Season {
  const seasons = seasonsOf(zone);
  const known = seasons.find(({ startsAt, endsAt }) => startsAt <= time && time < endsAt);
  if (known) return known;

  const season = findSeason(zone, time);
  if (seasons.length >= maxSeasons) seasons.length = 0;
  seasons.push(season);
  return season;
}

export function shownAt(zone: string, time: number): Shown {
  const { startsAt, endsAt, offset, offsetBefore, offsetAfter } = seasonAt(zone, time);
  // Seasons last for days and clocks go back by at most a day, so only the two changes around an instant matter.
  // At the instant of a change, clocks show the new time and not the old one.
  return {
    maxSoFar: Math.max(time + offset, startsAt + offsetBefore - 1),
    minToCome: Math.min(time + offset, endsAt + offsetAfter - 1),
  };
}

function seasonsOf(zone: string): Season[] {
  const known = seasonsOfZone.get(zone);
  if (known) return known;

  const seasons: Season[] = [];
  if (seasonsOfZone.size >= maxZones) seasonsOfZone.clear();
  seasonsOfZone.set(zone, seasons);
  return seasons;
}

function findSeason(zone: string, time: number): Season {
  const moment = inZone(zone, time);
  const end = moment.getTimeZoneTransition('next');
  // `previous` is strictly before, so one millisecond is added for the first instant of a season.
  const start = inZone(zone, time + 1).getTimeZoneTransition('previous');
  const offset = offsetOf(moment);
  return {
    startsAt: start?.epochMilliseconds ?? -Infinity,
    endsAt: end?.epochMilliseconds ?? Infinity,
    offset,
    offsetBefore: start ? offsetOf(inZone(zone, start.epochMilliseconds - 1)) : offset,
    offsetAfter: end ? offsetOf(end) : offset,
  };
}

function inZone(zone: string, time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
}

function offsetOf({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return offsetNanoseconds / 1_000_000;
}
