import { epochSeconds } from './instant.ts';
import { offsetSecondsAt } from './zone.ts';
import { readOffset, writeOffset } from './zone-offset.ts';

const dayMs = 86_400_000;

const day = String.raw`(?!0000)(\d{4}-\d\d-\d\d)`;
const clock = String.raw`(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?`;
// A space is accepted for the plus, because a plus in a URL becomes one.
const offset = String.raw`(Z|[-+ ](?:[01]\d|2[0-3])(?::?[0-5]\d)?)`;
/** `20260429T090742Z`: without separators. */
const basicPattern = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:(\d\d)([.,]\d+)?)?((?:Z|[-+ ]).*)?)?$/i;
const dateTimePattern = new RegExp(`^${day}(?:[T ]${clock}${offset}?)?$`, 'i');

/** `2026-04-29T09:07:42+02:00`: local time of the zone, truncated to seconds. */
export function formatInZone(zone: string, instant: Date): string {
  // A written offset has no seconds. Where a zone once had them, both parts use the whole minute, so that
  // together they still denote the right instant.
  const offsetMinutes = Math.trunc(offsetSecondsAt(zone, instant) / 60);
  return formatSeconds(epochSeconds(instant) + offsetMinutes * 60) + writeOffset(offsetMinutes);
}

/** `2026-04-29T06:46:04`: UTC, without an offset. */
export function formatUtc(instant: Date): string {
  return formatSeconds(epochSeconds(instant));
}

/**
 * Parses an ISO 8601 date, or date and time, in extended or basic format. Without an offset it is local time in `zone`.
 * Truncates to milliseconds. Undefined if the text is malformed or the day does not exist.
 */
export function parseDateTime(text: string, zone: string): Date | undefined {
  const [matched, date, time = '00:00', second = '00', fraction = '', zoneOffset] =
    dateTimePattern.exec(extended(text)) ?? [];
  if (matched === undefined) return undefined;

  const written = `${date}T${time}:${second}`;
  const shown = new Date(`${written}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // `Date` turns 30 February and 24:00 into the next day, so its result is compared with the text.
  if (Number.isNaN(shown.getTime()) || !shown.toISOString().startsWith(written)) return undefined;

  if (zoneOffset === undefined) return instantShownAs(shown, zone);
  return new Date(shown.getTime() - readOffset(zoneOffset) * 1000);
}

/** Converts the basic format to the extended format. */
function extended(text: string): string {
  const [, year, month, date, hour, minute, second, fraction = '', rest = ''] = basicPattern.exec(text) ?? [];
  if (year === undefined) return text;
  const written = `${year}-${month}-${date}`;
  if (hour === undefined) return written;
  return `${written}T${hour}:${minute}${second === undefined ? '' : `:${second}${fraction}`}${rest}`;
}

/** The instant at which local time in the zone equals the UTC time of `shown`. */
function instantShownAs(shown: Date, zone: string): Date {
  const offsetMsAt = (time: number) => offsetSecondsAt(zone, new Date(time)) * 1000;
  const local = shown.getTime();
  // No zone has ever changed its clocks twice in two days, so one of these two offsets applies.
  const early = local - offsetMsAt(local - dayMs);
  const late = local - offsetMsAt(local + dayMs);
  const isShownAt = (time: number) => time + offsetMsAt(time) === local;

  // A time shown twice, because clocks went back, means the first instant. A time never shown, because they went
  // forward, is computed with the offset before the change.
  return new Date(isShownAt(late) && !isShownAt(early) ? late : early);
}

function formatSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
}
