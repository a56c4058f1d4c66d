export { acknowledge, raise, reset, type Transition } from './alarm/alarm-lifecycle.ts';
export { conditionOf, isActive, isMasked, isUnacknowledged, stateBits } from './alarm/alarm-state.ts';
export {
  defaultEventCondition,
  type EventCondition,
  type Signal,
  signalOf,
} from './alarm/event-condition.ts';
export { hasExpired, mask, maskUntil, needsReannouncement, unmask } from './alarm/mask.ts';
export { fillFormat } from './alarm/message-format.ts';
export {
  fillTemplate,
  type TemplateValues,
  templatePlaceholders,
  unknownPlaceholders,
} from './alarm/message-template.ts';
export { matchesSearch, searchTerms, searchText } from './alarm/search-text.ts';
export { bundleAttempts, floodSeconds, type Sending, type WaitingAttempt } from './calling/bundle.ts';
export { outcomeOfEnd, takenAttempts } from './calling/call-end.ts';
export type {
  AlarmNews,
  AlarmOccasion,
  CallMessage,
  CallMode,
  CallPlan,
  MediaRule,
  MediaRules,
  Medium,
  MediumKind,
  NoticeKind,
  Occasion,
  Person,
  RuleMedium,
  Stage,
} from './calling/call-plan.ts';
export {
  type CallOccasion,
  createCallPlan,
  createRequestPlan,
  type GroupEntry,
  type RequestedGroup,
} from './calling/create-call-plan.ts';
export {
  type Attempt,
  type AttemptDraft,
  type AttemptOutcome,
  type AttemptStatus,
  cancel,
  isRunning,
  queueAttempt,
  type Report,
  settle,
} from './calling/delivery.ts';
export { advance, openEscalation } from './calling/escalation.ts';
export { isUrgent, occasionsOf } from './calling/escalation-order.ts';
export { callablePeople } from './calling/escalation-people.ts';
export { isLost } from './calling/escalation-person.ts';
export type {
  Advance,
  ClosedReason,
  EscalationEvent,
  EscalationState,
  Facts,
  NobodyToCall,
  OccurrenceStatus,
  UnreachableUser,
} from './calling/escalation-state.ts';
export { canBeQuiet, isAlwaysQuiet } from './calling/media-rules.ts';
export type { CalledUser } from './calling/notify-all-called.ts';
export { splitByLine } from './calling/phone-line.ts';
export {
  describeQuietTime,
  type EarlierCall,
  type QuietTime,
  quietTimeOf,
  type RepeatCandidate,
} from './calling/repeat-call.ts';
export { quietestOf, tellCalled } from './calling/tell-called.ts';
export {
  type ChannelFailure,
  type ChannelObservation,
  judgeChannel,
  probeSeconds,
} from './channel/channel-failure.ts';
export { chooseChannel } from './channel/delivery-channel.ts';
export { admit, type Bucket, fullBucket, type Limit } from './channel/delivery-limit.ts';
export {
  type AddressCode,
  addressCodeSeconds,
  type CodeJudgement,
  codeLimitSeconds,
  expiryOfCode,
  judgeAddressCode,
  maxWrongTries,
  secondsUntilNextCode,
} from './contact/address-code.ts';
export {
  type Confirmation,
  type ContactMedium,
  confirmMedium,
  isSameContact,
  keepConfirmations,
} from './contact/confirmation.ts';
export { advanceDialogue, canAnnounce, startDialogue } from './dialogue/dialogue.ts';
export type {
  DialogueAction,
  DialogueAlarm,
  DialogueEvent,
  DialogueSettings,
  Prompt,
} from './dialogue/dialogue-types.ts';
export { dialogueLanguageOf, dialogueLanguages, dialogueWordsOf } from './dialogue/dialogue-words.ts';
export { type FloodRule, floodMinutes, floodRuleFor, isInFlood } from './history/floods.ts';
export {
  type InterventionSums,
  interventionStatisticOf,
  interventionStatistics,
} from './history/interventions.ts';
export { durationsOf, type Occurrence } from './history/occurrence.ts';
export { codeOf, failureStatisticOf, failureStatistics } from './history/statistics.ts';
export { mergeTallies, type Tally } from './history/tally.ts';
export { advanceNotice } from './notice/advance-notice.ts';
export { type DutyBegin, dutyBegins } from './notice/duty-begins.ts';
export {
  hasReached,
  type NoticeAttempt,
  type NoticeOutcome,
  type NoticeState,
  noticeOutcome,
  type Reached,
  reachedOf,
} from './notice/notice-outcome.ts';
export { createNoticePlan, type NoticeDraft, noticeDelays } from './notice/notice-plan.ts';
export { type NoticeContent, noticeText } from './notice/notice-text.ts';
export { isTestDue, type TestSchedule } from './notice/test-schedule.ts';
export {
  type Leave,
  type OnDuty,
  onDuty,
  type Roster,
  type RosterOverride,
  type Team,
} from './roster/roster.ts';
export {
  gapDays,
  type Interval,
  type RosterInterval,
  rosterChanges,
  rosterGaps,
} from './roster/roster-changes.ts';
export { seasonAt } from './roster/roster-clock.ts';
export { dayOfWeek, type RosterSlot, type Rotation, rotationWeek } from './roster/roster-days.ts';
export { formatInZone, formatUtc, parseDateTime } from './time/date-time.ts';
export { formatDuration, wholeSecondsBetween } from './time/duration.ts';
export { type DurationSum } from './time/duration-sum.ts';
export { addSeconds, epochSeconds } from './time/instant.ts';
export { isZone, offsetSecondsAt } from './time/zone.ts';
