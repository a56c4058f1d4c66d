import { epochSeconds } from './instant.ts';
import { readOffset } from './zone-offset.ts';

type ZoneClock = {
  formatter: Intl.DateTimeFormat;
  /** By number of the UTC day since 1970, for days on which the clocks do not change. */
  offsetOfDay: Map<number, number>;
};

const daySeconds = 86_400;

const clocks = new Map<string, ZoneClock>();
// A clock weighs some 30 kB and a full table of its days 200 kB.
const maximumClocks = 128;
const maximumDays = 4_096;

/** Whether this is the name of a time zone in the IANA database, such as `Europe/Paris`. */
export function isZone(name: string): boolean {
  // Intl also takes a bare offset such as `+02:00`, which PostgreSQL reads with the opposite sign.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Seconds east of Greenwich. Throws a RangeError when there is no such zone. */
export function offsetSecondsAt(zone: string, instant: Date): number {
  const { formatter, offsetOfDay } = clockOf(zone);
  const second = epochSeconds(instant);
  const day = Math.floor(second / daySeconds);
  const known = offsetOfDay.get(day);
  if (known !== undefined) return known;

  const offset = offsetAt(formatter, second);
  // No zone has ever changed its clocks and changed them back within a day, so equal ends mean a steady day.
  // Smaller steps would not do: some zones change at one minute past midnight, not on a round quarter.
  const isSteady =
    offsetAt(formatter, day * daySeconds) === offset &&
    offsetAt(formatter, (day + 1) * daySeconds) === offset;
  if (isSteady) {
    makeRoom(offsetOfDay, maximumDays);
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
  makeRoom(clocks, maximumClocks);
  clocks.set(zone, clock);
  return clock;
}

// A full cache starts over: a miss costs a few microseconds, less than keeping track of what to forget.
function makeRoom(cache: Map<unknown, unknown>, maximum: number): void {
  if (cache.size >= maximum) cache.clear();
}
