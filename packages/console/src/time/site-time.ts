import { createContext, useContext, useMemo } from 'react';
import { type Language, useLanguage } from '../words/use-words.ts';

/** The time zone in which times are shown; undefined for that of the browser. */
export const ZoneContext = createContext<string | undefined>(undefined);

export type SiteTime = {
  /** `03:12:08`. */
  clock(ms: number): string;
  /** `03:12:08` today, `Sat 07:26` within a week, else `5 Nov 02:10`. */
  when(ms: number, now: number): string;
  /** `06:00` today, else as `when`: for ends, which nobody needs to the second. */
  until(ms: number, now: number): string;
  /** `Sun 15 Nov`. */
  date(ms: number): string;
  /** `UTC+1`. */
  offset(ms: number): string;
};

function createSiteTime(language: Language, timeZone: string | undefined): SiteTime {
  const zone = timeZone === undefined ? {} : { timeZone };
  const format = (options: Intl.DateTimeFormatOptions, locale: string = language) =>
    new Intl.DateTimeFormat(locale, { ...options, ...zone });
  const clock = format({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, 'en-GB');
  const minutes = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, 'en-GB');
  const weekday = format({ weekday: 'short' });
  const day = format({ day: 'numeric', month: 'short' });
  const key = format({ dateStyle: 'short' }, 'en-CA');
  const offset = format({ timeZoneName: 'shortOffset' }, 'en-GB');
  const isSameDay = (one: number, other: number) => key.format(one) === key.format(other);
  const onDay = (ms: number, now: number) => {
    const isThisWeek = Math.abs(now - ms) < 6 * 86_400_000;
    return `${isThisWeek ? weekday.format(ms) : day.format(ms)} ${minutes.format(ms)}`;
  };
  return {
    clock: (ms) => clock.format(ms),
    when: (ms, now) => (isSameDay(ms, now) ? clock.format(ms) : onDay(ms, now)),
    until: (ms, now) => (isSameDay(ms, now) ? minutes.format(ms) : onDay(ms, now)),
    date: (ms) => `${weekday.format(ms)} ${day.format(ms)}`,
    offset: (ms) =>
      offset
        .formatToParts(ms)
        .find(({ type }) => type === 'timeZoneName')
        ?.value.replace('GMT', 'UTC') ?? 'UTC',
  };
}

export function useSiteTime(): SiteTime {
  const language = useLanguage();
  const zone = useContext(ZoneContext);
  return useMemo(() => createSiteTime(language, zone), [language, zone]);
}
