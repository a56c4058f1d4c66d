export { acknowledge, raise, reset, type Transition } from './alarm-lifecycle.ts';
export {
  type AlarmCondition,
  type AlarmState,
  conditionOf,
  isActive,
  isListed,
  isMasked,
  isUnacknowledged,
  stateBits,
} from './alarm-state.ts';
export { formatInZone, formatUtc, parseDateTime } from './date-time.ts';
export { formatDuration, parseDuration, wholeSecondsBetween } from './duration.ts';
export { addDuration, type DurationSum, meanSeconds, mergeDurations, noDurations } from './duration-sum.ts';
export { defaultEventCondition, type EventCondition, type Signal, signalOf } from './event-condition.ts';
export { addSeconds, epochSeconds } from './instant.ts';
export {
  addIntervention,
  foldInterventions,
  type InterventionStatistic,
  type InterventionSums,
  interventionStatisticOf,
  mergeInterventions,
  noInterventions,
  tallyInterventions,
} from './interventions.ts';
export {
  defaultMaskSeconds,
  hasExpired,
  type Mask,
  mask,
  maskUntil,
  needsReannouncement,
  unmask,
} from './mask.ts';
export { type Durations, durationsOf, type Occurrence } from './occurrence.ts';
export { matchesSearch, searchLexemes, searchTerms, searchText } from './search-text.ts';
export {
  codeOf,
  type FailureStatistic,
  failureStatisticOf,
  foldStatistics,
  tallyFailures,
} from './statistics.ts';
export { mergeTallies, type Tally } from './tally.ts';
export { isZone, offsetSecondsAt } from './zone.ts';
