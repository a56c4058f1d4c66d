import { type DayOfMonth, daysIn } from './calendar.ts';

/** The occurrences of a scope by the day of their raise, in order: a deep page begins in the middle of them. */
export type Timeline = {
  /** How many were raised before the day. */
  before(day: DayOfMonth): Promise<number>;
  total(): Promise<number>;
  /** The day on which the occurrence at this position was raised; undefined behind the last one. Positions begin with 0. */
  dayAt(position: number): Promise<TimelineDay | undefined>;
};

/** Opens the timeline of a scope when it is needed, and once at most. */
export type OpenTimeline = () => Promise<Timeline>;

export type TimelineDay = { day: DayOfMonth; before: number; occurrences: number };

/** How many occurrences a month has up to each of its days, that day included: 31 numbers. */
export type RunningDays = readonly number[];

/** The months of a timeline, in order. Each number is read once at most. */
export type TimelineMonths = {
  readonly months: readonly number[];
  readonly total: number;
  /** How many were raised before the month. */
  before(month: number): Promise<number>;
  days(month: number): Promise<RunningDays>;
};

/** Reads few of the months. */
export function timelineOf({ months, total, before, days }: TimelineMonths): Timeline {
  return {
    total: async () => total,
    before: async ({ month, day }) => {
      const known = months.find((one) => one >= month);
      if (known === undefined) return endOf(months.at(-1));
      if (known > month || day === 1) return before(known);
      return (await before(known)) + ((await days(known))[day - 2] ?? 0);
    },
    dayAt: async (position) => {
      if (position < 0) return undefined;
      const month = await lastMonthBefore(position);
      if (month === undefined) return undefined;
      const earlier = await before(month);
      const running = await days(month);
      const index = running.findIndex((count) => earlier + count > position);
      if (index === -1) return undefined;
      const sooner = running[index - 1] ?? 0;
      return {
        day: { month, day: Math.min(index + 1, daysIn(month)) },
        before: earlier + sooner,
        occurrences: (running[index] ?? 0) - sooner,
      };
    },
  };

  async function endOf(month: number | undefined): Promise<number> {
    return month === undefined ? 0 : (await before(month)) + ((await days(month)).at(-1) ?? 0);
  }

  /**
   * The last month with as many occurrences before it, or fewer. Guesses it from the numbers at both ends, which is right if
   * the occurrences are spread evenly, and the next guess confirms it. Each third step halves what is left, so that storms,
   * of which guesses know nothing, take few steps, too.
   */
  async function lastMonthBefore(position: number): Promise<number | undefined> {
    let [first, end] = [0, months.length];
    let [low, high] = [0, total];
    for (let step = 1; end - first > 1; step += 1) {
      const share = step % 3 === 0 ? 0.5 : (position - low) / Math.max(1, high - low);
      const month = Math.min(end - 1, first + Math.max(1, Math.floor(share * (end - first))));
      const count = await before(months[month] ?? 0);
      if (count <= position) [first, low] = [month, count];
      else [end, high] = [month, count];
    }
    return months[first];
  }
}
