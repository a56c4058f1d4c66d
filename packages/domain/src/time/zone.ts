import { epochSeconds } from './instant.ts';
import { readOffset } from './zone-offset.ts';

type ZoneClock = {
  formatter: Intl.DateTimeFormat;
  /** By number of the UTC day since 1970, for days on which the clocks do not change. */
  offsetOfDay: Map<number, number>;
};

const daySeconds = 86_400;

const clocks = new Map<string, ZoneClock>();
// A clock takes about 30 kB of memory and a full table of its days 200 kB.
const maxClocks = 128;
const maxDays = 4_096;

/** Whether the name is a time zone of the IANA database, such as `Europe/Paris`. */
export function isZone(name: string): boolean {
  // Intl also accepts an offset such as `+02:00`, which PostgreSQL reads with the opposite sign.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** The UTC offset in seconds, positive in the east. Throws a RangeError if the zone does not exist. */
export function offsetSecondsAt(zone: string, instant: Date): number {
  const { formatter, offsetOfDay } = clockOf(zone);
  const second = epochSeconds(instant);
  const day = Math.floor(second / daySeconds);
  const known = offsetOfDay.get(day);
  if (known !== undefined) return known;

  const offset = offsetAt(formatter, second);
  // No zone has ever changed its clocks and changed them back within a day, so equal ends mean a constant offset.
  // Rounding to quarters of an hour would be wrong: some zones change at one minute past midnight.
  const isSteady =
    offsetAt(formatter, day * daySeconds) === offset &&
    offsetAt(formatter, (day + 1) * daySeconds) === offset;
  if (isSteady) {
    makeRoom(offsetOfDay, maxDays);
    offsetOfDay.set(day, offset);
  }
  return offset;
}

function offsetAt(formatter: Intl.DateTimeFormat, second: number): number {
  return readOffset(formatter.format(second * 1000));
}

function clockOf(zone: string): ZoneClock {
  const known = clocks.get(zone);
  if (known) return known;

  const clock: ZoneClock = {
    formatter: new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }),
    offsetOfDay: new Map(),
  };
  makeRoom(clocks, maxClocks);
  clocks.set(zone, clock);
  return clock;
}

// A full cache is cleared: a miss costs a few microseconds, less than tracking the entries to evict.
function makeRoom(cache: Map<unknown, unknown>, maxSize: number): void {
  if (cache.size >= maxSize) cache.clear();
}
