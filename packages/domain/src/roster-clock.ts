// Not the entry that takes Node's own Temporal where there is one: Node 24 has it behind a flag, and in part.
import { Temporal } from 'temporal-polyfill/implementation';

/**
 * The time between two changes of a zone's clocks, in milliseconds; endless where there is no such change.
 * `offset` is what must be added to an instant to get what the clocks show.
 */
export type Season = {
  startsAt: number;
  endsAt: number;
  offset: number;
  offsetBefore: number;
  offsetAfter: number;
};

/** What clocks show at an instant, together with what they showed before and will show again. */
export type Shown = {
  /** What they have shown until now was this at most. */
  mostSoFar: number;
  /** What they show now is this at least, and what they show later is more. */
  leastToCome: number;
};

const seasonsOfZone = new Map<string, Season[]>();
const maximumZones = 128;
// Thirty years, where clocks change twice a year.
const maximumSeasons = 64;

/** Throws a RangeError when there is no such zone. */
export function seasonAt(zone: string, time: number): Season {
  const seasons = seasonsOf(zone);
  const known = seasons.find(({ startsAt, endsAt }) => startsAt <= time && time < endsAt);
  if (known) return known;

  const season = findSeason(zone, time);
  if (seasons.length >= maximumSeasons) seasons.length = 0;
  seasons.push(season);
  return season;
}

export function shownAt(zone: string, time: number): Shown {
  const { startsAt, endsAt, offset, offsetBefore, offsetAfter } = seasonAt(zone, time);
  // Seasons last for days and clocks go back by a day at most: only the two changes around an instant matter.
  // The time at which clocks go back is not shown just then; the time to which they go back is.
  return {
    mostSoFar: Math.max(time + offset, startsAt + offsetBefore - 1),
    leastToCome: Math.min(time + offset, endsAt + offsetAfter - 1),
  };
}

function seasonsOf(zone: string): Season[] {
  const known = seasonsOfZone.get(zone);
  if (known) return known;

  const seasons: Season[] = [];
  if (seasonsOfZone.size >= maximumZones) seasonsOfZone.clear();
  seasonsOfZone.set(zone, seasons);
  return seasons;
}

function findSeason(zone: string, time: number): Season {
  const moment = inZone(zone, time);
  const end = moment.getTimeZoneTransition('next');
  // "Previous" is strictly before: one step on, so that the first instant of a season belongs to it.
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
