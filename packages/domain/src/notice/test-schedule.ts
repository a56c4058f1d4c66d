import { formatInZone } from '../time/date-time.ts';

export type TestSchedule = { everyDays: number /** `10:00`, by the clock of the station. */; at: string };

/** After these minutes no test begins until the next day: nobody is called in the evening because a server was down. */
const windowMinutes = 240;
const dayMs = 86_400_000;

/** Whether a person is to be tested now. Days are those of the calendar, so that the time of day does not drift. */
export function isTestDue(
  { everyDays, at }: TestSchedule,
  { zone, lastTest, now }: { zone: string; lastTest: Date | undefined; now: Date },
): boolean {
  const minutes = minuteOfDay(formatInZone(zone, now).slice(11, 16)) - minuteOfDay(at);
  if (minutes < 0 || minutes >= windowMinutes) return false;
  return lastTest === undefined || dayNumber(zone, now) - dayNumber(zone, lastTest) >= everyDays;
}

function minuteOfDay(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}

function dayNumber(zone: string, instant: Date): number {
  return Math.floor(Date.parse(`${formatInZone(zone, instant).slice(0, 10)}T00:00:00Z`) / dayMs);
}
