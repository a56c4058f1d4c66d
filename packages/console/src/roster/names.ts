import { useMemo } from 'react';
import { useLanguage, useWords } from '../words/use-words.ts';
import { dayAt, minuteAt } from './planning/days.ts';
import { clockOf } from './planning/roster-of.ts';
import { useRoster } from './roster-context.ts';

const dayMs = 86_400_000;

/** The patterns of teams, which have no colours. */
const patternOf = (index: number): string => `t${'ABCDEF'[index % 6] ?? 'A'}`;

/** The letter of a team: the last word if it is short, as in "Team A"; else its first letter. */
function letterOf(name: string): string {
  const last = name.trim().split(/\s+/).at(-1) ?? '';
  return (last.length <= 2 ? last : name.trim().slice(0, 1)).toUpperCase() || '–';
}

/** Names of teams and people, and times as the plant's clocks show them. */
export function useNames() {
  const words = useWords().roster;
  const { planner, people, zone } = useRoster();
  const { teams } = planner.draft;
  const language = useLanguage();
  const formats = useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return {
      weekday: format({ weekday: 'short' }),
      long: format({ weekday: 'long', day: 'numeric', month: 'long' }),
      short: format({ weekday: 'short', day: 'numeric', month: 'short' }),
      month: format({ month: 'long', year: 'numeric' }),
    };
  }, [language]);
  const person = (id: number) => people.get(id)?.name ?? words.personNumber(id);
  const team = (id: number) => teams.find((one) => one.id === id)?.name ?? words.teamNumber(id);
  return {
    person,
    firstName: (id: number) => person(id).split(' ')[0] ?? person(id),
    team,
    letter: (id: number) => letterOf(team(id)),
    pattern: (id: number) => patternOf(teams.findIndex((one) => one.id === id)),
    peopleOf: (id: number) => teams.find((one) => one.id === id)?.userIds ?? [],
    clock: (ms: number) => clockOf(minuteAt(ms, zone)),
    /** `Wed 18:00`. */
    dayClock: (ms: number) =>
      `${formats.weekday.format(dayAt(ms, zone) * dayMs)} ${clockOf(minuteAt(ms, zone))}`,
    /** `Wed 18 Nov 18:00`. */
    dateClock: (ms: number) =>
      `${formats.short.format(dayAt(ms, zone) * dayMs)} ${clockOf(minuteAt(ms, zone))}`,
    weekday: (day: number) => formats.weekday.format(day * dayMs),
    longDay: (day: number) => formats.long.format(day * dayMs),
    shortDay: (day: number) => formats.short.format(day * dayMs),
    month: (day: number) => formats.month.format(day * dayMs),
    dayOfMonth: (day: number) => new Date(day * dayMs).getUTCDate(),
  };
}

export type Names = ReturnType<typeof useNames>;

type Override = {
  readonly teamId?: number;
  readonly userId?: number;
  readonly replacesUserId?: number;
};

/** Who stands in: a team or a person. */
export const standIn = ({ teamId = 0, userId = 0 }: Override, names: Names): string =>
  userId === 0 ? names.team(teamId) : names.person(userId);
