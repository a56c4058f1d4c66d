import { addDuration, type DurationSum, meanSeconds, mergeDurations, noDurations } from './duration-sum.ts';
import { durationsOf, type Occurrence } from './occurrence.ts';
import { mapTally, type Tally } from './tally.ts';

export type InterventionStatistic = {
  interventionNumber: number;
  reactionMeanSeconds: number;
  interventionMeanSeconds: number;
};

export type InterventionSums = { count: number; reactions: DurationSum; interventions: DurationSum };

export const noInterventions: InterventionSums = {
  count: 0,
  reactions: noDurations,
  interventions: noDurations,
};

/** One row per id of a user who acknowledged. A mean is over the occurrences that have both its ends. */
export function foldInterventions(occurrences: Iterable<Occurrence>): Map<number, InterventionStatistic> {
  return mapTally(tallyInterventions(occurrences), interventionStatisticOf);
}

/** The sums behind the interventions, by user id: parts merge with `mergeInterventions`. */
export function tallyInterventions(occurrences: Iterable<Occurrence>): Tally<InterventionSums> {
  const tally: Tally<InterventionSums> = new Map();
  for (const occurrence of occurrences) {
    const user = occurrence.acknowledgedBy;
    if (user !== undefined) tally.set(user, addIntervention(tally.get(user) ?? noInterventions, occurrence));
  }
  return tally;
}

export function addIntervention(sums: InterventionSums, occurrence: Occurrence): InterventionSums {
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
