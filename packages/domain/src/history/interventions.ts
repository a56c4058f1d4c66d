import {
  addDuration,
  type DurationSum,
  meanSeconds,
  mergeDurations,
  noDurations,
} from '../time/duration-sum.ts';
import { durationsOf, type Occurrence } from './occurrence.ts';
import { mapTally, type Tally } from './tally.ts';

export type InterventionStatistic = {
  interventionNumber: number;
  reactionMeanSeconds: number;
  interventionMeanSeconds: number;
};

export type InterventionSums = { count: number; reactions: DurationSum; interventions: DurationSum };

const noInterventions: InterventionSums = {
  count: 0,
  reactions: noDurations,
  interventions: noDurations,
};

/** By id of the user who acknowledged. A mean covers the occurrences that have both ends of the duration. */
export function interventionStatistics(
  occurrences: Iterable<Occurrence>,
): Map<number, InterventionStatistic> {
  return mapTally(tallyInterventions(occurrences), interventionStatisticOf);
}

/** Sums by user id. Those of several periods are merged with `mergeInterventions`. */
export function tallyInterventions(occurrences: Iterable<Occurrence>): Tally<InterventionSums> {
  const tally: Tally<InterventionSums> = new Map();
  for (const occurrence of occurrences) {
    const user = occurrence.acknowledgedBy;
    if (user !== undefined) tally.set(user, addIntervention(tally.get(user) ?? noInterventions, occurrence));
  }
  return tally;
}

function addIntervention(sums: InterventionSums, occurrence: Occurrence): InterventionSums {
  const { reaction, intervention } = durationsOf(occurrence);
  return {
    count: sums.count + 1,
    reactions: addDuration(sums.reactions, reaction),
    interventions: addDuration(sums.interventions, intervention),
  };
}

export function mergeInterventions(left: InterventionSums, right: InterventionSums): InterventionSums {
  return {
    count: left.count + right.count,
    reactions: mergeDurations(left.reactions, right.reactions),
    interventions: mergeDurations(left.interventions, right.interventions),
  };
}

export function interventionStatisticOf({
  count,
  reactions,
  interventions,
}: InterventionSums): InterventionStatistic {
  return {
    interventionNumber: count,
    reactionMeanSeconds: meanSeconds(reactions),
    interventionMeanSeconds: meanSeconds(interventions),
  };
}
