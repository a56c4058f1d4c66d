import type { AlarmHistory, CallHistory } from '@tocsin/contract';

/** The mean time from the raise to the acknowledgment; undefined if nothing was acknowledged. */
export function meanUntilTaken(occurrences: readonly AlarmHistory[]): number | undefined {
  const taken = occurrences.flatMap(({ alarmTime, ackTime }) =>
    ackTime === undefined ? [] : [Date.parse(ackTime) - Date.parse(alarmTime)],
  );
  return taken.length === 0 ? undefined : taken.reduce((sum, ms) => sum + ms, 0) / taken.length;
}

export type CalledPerson = {
  readonly userId: number;
  readonly user: string;
  readonly calls: number;
  readonly answered: number;
  readonly last: number;
};

const isAnswered = ({ status }: CallHistory) => status === 'Acknowledged';

/** Who was called how often, the busiest first. */
export function calledPeople(calls: readonly CallHistory[]): readonly CalledPerson[] {
  const people = Map.groupBy(calls, ({ userId }) => userId);
  return [...people]
    .map(([userId, own]) => ({
      userId,
      user: own[0]?.user ?? '',
      calls: own.length,
      answered: own.filter(isAnswered).length,
      last: Math.max(...own.map(({ startTime }) => Date.parse(startTime))),
    }))
    .toSorted((a, b) => b.calls - a.calls || a.user.localeCompare(b.user));
}
