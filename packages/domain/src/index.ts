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
export { bundleUp, floodSeconds, inFlood, type Sending, type WaitingAttempt } from './bundle.ts';
export type {
  CallMessage,
  CallMode,
  CallPlan,
  Medium,
  MediumKind,
  Occasion,
  Person,
  Stage,
  Target,
} from './call-plan.ts';
export {
  type CallAction,
  type Directory,
  freezeRequest,
  freezeTurn,
  type GroupEntry,
  type RequestedGroup,
  type TurnToCall,
} from './call-plan-freeze.ts';
export { type CalledBefore, tellAllCalled } from './call-plan-news.ts';
export { type ChannelSign, type ChannelTrouble, judgeChannel, probeSeconds } from './channel-trouble.ts';
export { formatInZone, formatUtc, parseDateTime } from './date-time.ts';
export {
  type Attempt,
  type AttemptDraft,
  type AttemptStatus,
  cancel,
  hasArrived,
  isRunning,
  longestAttemptSeconds,
  mayHaveReached,
  type Outcome,
  queueAttempt,
  type Report,
  type Settlement,
  settle,
} from './delivery.ts';
export { type ChannelChoice, chooseChannel } from './delivery-channel.ts';
export {
  type Admission,
  admit,
  type Bucket,
  fullBucket,
  type Limit,
  longestDelaySeconds,
} from './delivery-limit.ts';
export { formatDuration, parseDuration, wholeSecondsBetween } from './duration.ts';
export { addDuration, type DurationSum, meanSeconds, mergeDurations, noDurations } from './duration-sum.ts';
export { compareDuties, type DueDuty, isUrgent, occasionsOf } from './duty.ts';
export { advance, openEscalation } from './escalation.ts';
export { callableOf } from './escalation-people.ts';
export type {
  Advance,
  ClosedReason,
  EscalationState,
  Facts,
  Nobody,
  Notice,
  OccurrenceStanding,
  Unreachable,
} from './escalation-state.ts';
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
export { type FormatValues, fillFormat } from './message-format.ts';
export { type Durations, durationsOf, type Occurrence } from './occurrence.ts';
export {
  type OnDuty,
  onDuty,
  type Roster,
  type RosterOverride,
  type RosterSlot,
  type Team,
} from './roster.ts';
export { gapDays, type RosterStretch, rosterChanges, rosterGaps, type Stretch } from './roster-changes.ts';
export { swap } from './roster-swap.ts';
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
