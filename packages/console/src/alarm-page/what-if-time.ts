/** Days of the week from Monday; the values are those of `Date.getUTCDay`. */
export const weekdays = [1, 2, 3, 4, 5, 6, 0] as const;
export type Weekday = (typeof weekdays)[number];

/** The date in a time zone, as midnight UTC, so that days can be added to it. */
function siteDay(now: number, timeZone: string | undefined): Date {
  const zone = timeZone === undefined ? {} : { timeZone };
  const date = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...zone,
  }).format(now);
  return new Date(`${date}T00:00:00Z`);
}

export const siteWeekday = (now: number, timeZone: string | undefined): Weekday =>
  siteDay(now, timeZone).getUTCDay() as Weekday;

/** The next such day, today included, at a time such as `03:00`. Without an offset, it is a time of the site. */
export function whatIfTime(
  weekday: Weekday,
  time: string,
  now: number,
  timeZone: string | undefined,
): string {
  const day = siteDay(now, timeZone);
  day.setUTCDate(day.getUTCDate() + ((weekday - day.getUTCDay() + 7) % 7));
  return `${day.toISOString().slice(0, 10)}T${time}:00`;
}
