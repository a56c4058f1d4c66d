import { type Static, Type } from 'typebox';
import { callStatuses } from './calls.ts';
import { templateLanguages } from './message-templates.ts';
import { PagingQuery, pageOf } from './paging.ts';
import {
  alarmOccasions,
  Id,
  idOf,
  OffsetDateTime,
  optionalIdOf,
  SentDateTime,
  Text,
  Uint,
} from './primitives.ts';
import { ReachabilitySettings, ShiftReminderMinutes } from './reachability.ts';

/** The choice on the page of an answer link. */
export const AnswerForm = Type.Object({ answer: Type.Enum(['take', 'confirm']) }, { title: 'AnswerForm' });

export const ProviderCallback = Type.Object(
  {
    attemptId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'The attempt, unless the query names it.' }),
    ),
  },
  {
    title: 'ProviderCallback',
    description:
      'What a provider reports, in the members of its kind of channel, and signed as that kind requires.',
    additionalProperties: true,
  },
);

/** Providers that have their own formats are given these parameters in the URL. */
export const ProviderCallbackQuery = Type.Object(
  {
    attempt: Type.Optional(Type.String({ maxLength: 128, description: 'The attempt that is reported on.' })),
    tenant: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,9}$',
        description: 'The number of the tenant, for messages that name no attempt.',
      }),
    ),
  },
  { additionalProperties: true },
);

export const AcknowledgeCall = Type.Object(
  {
    takeAlarm: Type.Optional(
      Type.Boolean({
        description:
          'Whether to take the alarm too. Otherwise only the call is confirmed, and others are still called.',
      }),
    ),
  },
  { title: 'AcknowledgeCall' },
);

export const CallAnswered = Type.Object(
  {
    accepted: Type.Boolean({ description: 'false if the call was answered before.' }),
    alarms: Type.Array(
      Type.Object({
        id: Id,
        outcome: Type.Enum(['taken', 'taken-before', 'over']),
        by: Type.String({ description: 'The person who took the alarm; empty if nobody has.' }),
      }),
    ),
  },
  { title: 'CallAnswered' },
);
export type CallAnswered = Static<typeof CallAnswered>;

/** An attempt to reach one person, while the call is in progress. */
const RunningAttempt = Type.Object(
  {
    id: Id,
    callGroupId: Uint,
    userId: Id,
    user: Type.String(),
    medium: Type.String(),
    address: Type.String({ description: 'Only the last four characters are shown.' }),
    attempt: Uint,
    startTime: OffsetDateTime,
    status: Type.Enum([...callStatuses]),
    reason: Type.Optional(
      Type.String({ description: 'Why the call waits, in plain words; absent if it does not.' }),
    ),
  },
  { title: 'RunningAttempt' },
);

export const escalationOccasions = [...alarmOccasions, 'requested'] as const;

/** A call in progress, for an occasion of an alarm or on request. */
export const CallInProgress = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    occasion: Type.Enum([...escalationOccasions]),
    alarmId: Uint,
    callId: Type.Integer({ ...Uint, description: 'The request it belongs to; 0 for an alarm.' }),
    stationId: Uint,
    priority: Uint,
    message: Type.String(),
    startTime: OffsetDateTime,
    nextTime: Type.Optional(OffsetDateTime),
    closedTime: Type.Optional(OffsetDateTime),
    closedReason: Type.Optional(Type.String()),
    attempts: Type.Array(RunningAttempt, { description: 'Attempts that have not ended.' }),
  },
  { title: 'CallInProgress' },
);
export type CallInProgress = Static<typeof CallInProgress>;
export const CallInProgressPage = pageOf(CallInProgress, 'CallInProgressPage');
export const ListCallsInProgress = Type.Object(
  { offset: PagingQuery.offset, limit: PagingQuery.limit, sort: PagingQuery.sort },
  { title: 'ListCallsInProgress' },
);

export const CancelCall = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'Reason to stop the calls, shown in the timeline of the alarm.',
    }),
  },
  { title: 'CancelCall' },
);

export const EndCall = Type.Object({ reason: Type.Optional(Text) }, { title: 'EndCall' });

/** A call of a scenario that may not be saved yet. */
const PreviewAction = Type.Object(
  { type: Type.Enum(['CallGroup', 'CallUser']), id: idOf('action-target') },
  { title: 'PreviewAction' },
);

/** The subject of the preview: one of the four; 0 and an empty list stand for none. */
export const CallPreviewRequest = Type.Object(
  {
    alarmId: Type.Optional(optionalIdOf('alarm')),
    callGroupId: Type.Optional(optionalIdOf('call-group')),
    userId: Type.Optional(optionalIdOf('user')),
    actions: Type.Optional(
      Type.Array(PreviewAction, {
        maxItems: 64,
        description: 'Calls of an alarm, as a scenario contains them, saved or not.',
      }),
    ),
    at: Type.Optional(SentDateTime),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: 'How far to look ahead; one hour by default.',
      }),
    ),
  },
  { title: 'CallPreviewRequest' },
);
export type CallPreviewRequest = Static<typeof CallPreviewRequest>;

const PreviewedCall = Type.Object(
  {
    time: OffsetDateTime,
    userId: Id,
    user: Type.String(),
    medium: Type.String(),
    address: Type.String({ description: 'Only the last four characters are shown.' }),
    callGroupId: Uint,
    callGroup: Type.String(),
    attempt: Uint,
    role: Type.Enum(['first', 'relief', 'fallback']),
    why: Type.Enum(['slot', 'override', 'always', 'named'], {
      description: 'On duty by the roster, by an override of it, always, or named by the action itself.',
    }),
    hasChannel: Type.Boolean({
      description: 'false if no channel serves the medium: the call would fail.',
    }),
  },
  { title: 'PreviewedCall' },
);

const PreviewedNotice = Type.Object(
  {
    time: OffsetDateTime,
    kind: Type.String(),
    callGroupId: Uint,
    userId: Uint,
    until: Type.Optional(
      Type.String({ ...OffsetDateTime, description: 'For `quiet`: when the user can be called.' }),
    ),
  },
  { title: 'PreviewedNotice' },
);

export const CallPreview = Type.Object(
  {
    calls: Type.Array(PreviewedCall, { description: 'Calls if nobody answers, in order of time.' }),
    notices: Type.Array(PreviewedNotice, { description: 'Other events worth knowing.' }),
    truncated: Type.Boolean({ description: 'Whether there would be more calls within the requested time.' }),
    reason: Type.String({
      description:
        'Reasons why the requested person, or anybody at all, would not be reached; empty if they would.',
    }),
  },
  { title: 'CallPreview' },
);
export type CallPreview = Static<typeof CallPreview>;

export const DispatchSettings = Type.Object(
  {
    fallbackCallGroupId: optionalIdOf(
      'call-group',
      'Called when a call group has nobody left to call; 0 for none.',
    ),
    tellCalled: Type.Optional(
      Type.Boolean({
        description:
          'Whether everybody who was called for an alarm is told, by push, e-mail or text message, when somebody has taken it and when it is over. In a change, absent keeps it; false at first.',
      }),
    ),
    tagQuietSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        description:
          'How long people who were reached about an occurrence of a tag are not called about its next ones; 0 calls them each time. Alarms of priority 1, and of a higher priority than the one they heard, never wait. In a change, absent keeps it; 300 at first.',
      }),
    ),
    confirmAddresses: Type.Optional(
      Type.Boolean({
        description:
          'Whether an address that an administrator writes is called only after a code that was sent to it was entered. Addresses that people add for themselves always need one. In a change, absent keeps it; false at first.',
      }),
    ),
    reachability: Type.Optional(ReachabilitySettings),
    shiftReminderMinutes: Type.Optional(ShiftReminderMinutes),
  },
  { title: 'DispatchSettings' },
);
export type DispatchSettings = Static<typeof DispatchSettings>;

export const RosterGaps = Type.Object(
  {
    id: Id,
    name: Type.String(),
    gaps: Type.Array(Type.Object({ startTime: OffsetDateTime, endTime: OffsetDateTime }), {
      description: 'Periods of the next 30 days in which nobody who can be called is on duty.',
    }),
  },
  { title: 'RosterGaps' },
);
export type RosterGaps = Static<typeof RosterGaps>;
export const RosterGapsPage = pageOf(RosterGaps, 'RosterGapsPage');
export const ListRosterGaps = Type.Object({ ...PagingQuery }, { title: 'ListRosterGaps' });

/** The kinds of timeline entries of calls and commands. */
export const callTimelineKinds = [
  'called',
  'answered',
  'call-noticed',
  'calls-ended',
  'command-refused',
] as const;

export const TimelineCall = Type.Object(
  {
    attemptId: Id,
    callGroupId: Uint,
    userId: Id,
    user: Type.String(),
    medium: Type.String(),
    address: Type.String({ description: 'Only the last four characters are shown.' }),
    attempt: Uint,
    status: Type.Enum([...callStatuses]),
    reason: Type.String({ description: 'Why nobody was reached, or why the call broke off; often empty.' }),
    endTime: Type.Optional(OffsetDateTime),
    ackTime: Type.Optional(OffsetDateTime),
  },
  { title: 'TimelineCall' },
);

export const TimelineAnswer = Type.Object(
  {
    attemptId: Id,
    way: Type.Enum(['provider', 'link', 'interface', 'keys']),
    intent: Type.Enum(['take', 'confirm', 'refuse']),
    judgement: Type.String({ description: 'Only an `accepted` answer has an effect.' }),
  },
  { title: 'TimelineAnswer' },
);

export const TimelineNotice = Type.Object(
  { kind: Type.String(), callGroupId: Uint, userId: Uint },
  { title: 'TimelineNotice' },
);

export const TimelineCommand = Type.Object(
  {
    runId: Id,
    type: Type.Enum(['ExecuteCommand', 'StopCommand']),
    scriptId: Uint,
    parameter: Type.String(),
  },
  { title: 'TimelineCommand' },
);

export const SpokenAlarmQuery = Type.Object({
  language: Type.Optional(
    Type.Enum([...templateLanguages], { description: 'English by default, as for unknown languages.' }),
  ),
});

/** What a person hears who answers a call about an alarm. */
export const SpokenAlarm = Type.Object(
  {
    language: Type.Enum([...templateLanguages]),
    sentences: Type.Array(Type.String(), { description: 'In the order in which they are said.' }),
    recording: Type.String({
      description: 'The recording that is played in place of the message; empty for none.',
    }),
    answerBy: Type.Enum(['digit', 'pin', 'code', 'none'], {
      description:
        'How the first enabled telephone line lets people answer. `none` if there is none; then nobody hears it.',
    }),
  },
  { title: 'SpokenAlarm' },
);
export type SpokenAlarm = Static<typeof SpokenAlarm>;
