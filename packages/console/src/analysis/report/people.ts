import type { AlarmIntervention, CallHistory } from '@tocsin/contract';

/** What a person did for the alarms of a month. */
export type PersonFigures = {
  readonly userId: number;
  readonly name: string;
  readonly taken: number;
  /** Attempts to reach the person. */
  readonly calls: number;
  readonly nightCalls: number;
};

const [nightBegins, nightEnds] = [22, 6];

/** Whether a call began by night, by the clock of the plant that is in its time. */
function isByNight({ startTime }: CallHistory): boolean {
  const hour = Number(startTime.slice(11, 13));
  return hour >= nightBegins || hour < nightEnds;
}

/** The people who took alarms or were called, those with the most night calls first. */
export function figuresByPerson(
  interventions: readonly AlarmIntervention[],
  calls: readonly CallHistory[],
): readonly PersonFigures[] {
  const called = Map.groupBy(calls, ({ userId }) => userId);
  const taken = new Map(interventions.map((one) => [one.id, one]));
  const people = [...new Set([...called.keys(), ...taken.keys()])].map((userId) => {
    const own = called.get(userId) ?? [];
    return {
      userId,
      name: taken.get(userId)?.user ?? own[0]?.user ?? '',
      taken: taken.get(userId)?.interventionNumber ?? 0,
      calls: own.length,
      nightCalls: own.filter(isByNight).length,
    };
  });
  return people.toSorted(
    (one, other) => other.nightCalls - one.nightCalls || other.calls - one.calls || other.taken - one.taken,
  );
}
