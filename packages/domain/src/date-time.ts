import { epochSeconds } from './instant.ts';
import { offsetSecondsAt } from './zone.ts';
import { readOffset, writeOffset } from './zone-offset.ts';

const dayMs = 86_400_000;

const day = String.raw`(?!0000)(\d{4}-\d\d-\d\d)`;
const clock = String.raw`(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?`;
// A space will do for the plus, because that is what a plus in a URL becomes.
const offset = String.raw`(Z|[-+ ](?:[01]\d|2[0-3])(?::?[0-5]\d)?)`;
/** `20260429T090742Z`: the same without its separators. */
const basicPattern = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:(\d\d)([.,]\d+)?)?((?:Z|[-+ ]).*)?)?$/i;
const dateTimePattern = new RegExp(`^${day}(?:[T ]${clock}${offset}?)?$`, 'i');

/** `2026-04-29T09:07:42+02:00`: the zone's own clock, cut to whole seconds. */
export function formatInZone(zone: string, instant: Date): string {
  // A written offset has no seconds. Where a zone once had them, both parts use the whole minute, so that
  // together they still name the right instant.
  const offsetMinutes = Math.trunc(offsetSecondsAt(zone, instant) / 60);
  return formatSeconds(epochSeconds(instant) + offsetMinutes * 60) + writeOffset(offsetMinutes);
}

/** `2026-04-29T06:46:04`: UTC, though nothing in the text says so. */
export function formatUtc(instant: Date): string {
  return formatSeconds(epochSeconds(instant));
}

/**
 * Reads an ISO 8601 date, or date and time with or without offset; without, it is what clocks in `zone` show. The basic
 * form will do.
 * Kept to the millisecond. Undefined when the text is no such thing or no such day exists.
 */
export function parseDateTime(text: string, zone: string): Date | undefined {
  const [matched, date, time = '00:00', second = '00', fraction = '', zoneOffset] =
    dateTimePattern.exec(extended(text)) ?? [];
  if (matched === undefined) return undefined;

  const written = `${date}T${time}:${second}`;
  const shown = new Date(`${written}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // `Date` lets 30 February and 24:00 run over into the next day: what it read must be what was written.
  if (Number.isNaN(shown.getTime()) || !shown.toISOString().startsWith(written)) return undefined;

  if (zoneOffset === undefined) return instantShownAs(shown, zone);
  return new Date(shown.getTime() - readOffset(zoneOffset) * 1000);
}

/** The text, with separators if it is in the basic form. */
function extended(text: string): string {
  const [, year, month, date, hour, minute, second, fraction = '', rest = ''] = basicPattern.exec(text) ?? [];
  if (year === undefined) return text;
  const written = `${year}-${month}-${date}`;
  if (hour === undefined) return written;
  return `${written}T${hour}:${minute}${second === undefined ? '' : `:${second}${fraction}`}${rest}`;
}

/** The instant when clocks in the zone show what clocks in Greenwich show at `shown`. */
function instantShownAs(shown: Date, zone: string): Date {
  const offsetMsAt = (time: number) => offsetSecondsAt(zone, new Date(time)) * 1000;
  const local = shown.getTime();
  // No zone has ever changed its clocks twice in two days: one of these two offsets applies.
  const early = local - offsetMsAt(local - dayMs);
  const late = local - offsetMsAt(local + dayMs);
  const isShownAt = (time: number) => time + offsetMsAt(time) === local;

  // Shown twice, because clocks went back, the first is meant. Never shown, because they went forward, it
  // lies as far past the change as the offset from before puts it.
  return new Date(isShownAt(late) && !isShownAt(early) ? late : early);
}

function formatSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
}
