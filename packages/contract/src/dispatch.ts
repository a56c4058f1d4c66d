import { type Static, Type } from 'typebox';
import { callStatuses } from './calls.ts';
import { PagingQuery, pageOf } from './paging.ts';
import { Id, OffsetDateTime, optionalIdOf, SentDateTime, Text, Uint } from './primitives.ts';

/** What somebody chose on the page of an answer link. */
export const AnswerForm = Type.Object({ answer: Type.Enum(['take', 'confirm']) }, { title: 'AnswerForm' });

export const ProviderCallback = Type.Object(
  { attemptId: Type.String({ minLength: 1, maxLength: 128 }) },
  {
    title: 'ProviderCallback',
    description:
      'What a provider reports, in the members of its kind of channel, signed after Standard Webhooks with the call-back secret of the channel.',
    additionalProperties: true,
  },
);

export const AcknowledgeCall = Type.Object(
  {
    takeAlarm: Type.Optional(
      Type.Boolean({
        description:
          'Whether to take the alarm too. Otherwise only the call is confirmed, and others are called on.',
      }),
    ),
  },
  { title: 'AcknowledgeCall' },
);

export const CallAnswered = Type.Object(
  {
    accepted: Type.Boolean({ description: 'false when the call was answered before.' }),
    alarms: Type.Array(
      Type.Object({
        id: Id,
        outcome: Type.Enum(['taken', 'taken-before', 'over']),
        by: Type.String({ description: 'Who has it; empty when nobody has.' }),
      }),
    ),
  },
  { title: 'CallAnswered' },
);

/** One try to reach one person, as far as it matters while the calling goes on. */
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
  },
  { title: 'RunningAttempt' },
);

export const dutyOccasions = ['raised', 'reset', 'acknowledged', 'requested'] as const;

/** People who must be called, for a turn of an alarm or because somebody asked for it. */
export const CallInProgress = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    occasion: Type.Enum([...dutyOccasions]),
    alarmId: Uint,
    callId: Type.Integer({ ...Uint, description: 'The request it belongs to; 0 for an alarm.' }),
    stationId: Uint,
    priority: Uint,
    message: Type.String(),
    startTime: OffsetDateTime,
    nextTime: Type.Optional(OffsetDateTime),
    closedTime: Type.Optional(OffsetDateTime),
    closedReason: Type.Optional(Type.String()),
    attempts: Type.Array(RunningAttempt, { description: 'Those that have not ended.' }),
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
      description: 'Why nobody is to be called. It stands in the timeline of the alarm.',
    }),
  },
  { title: 'CancelCall' },
);

export const EndCall = Type.Object({ reason: Type.Optional(Text) }, { title: 'EndCall' });

/** Whom to preview the calling of; one of the three, 0 is none. */
export const CallPreviewRequest = Type.Object(
  {
    alarmId: Type.Optional(optionalIdOf('alarm')),
    callGroupId: Type.Optional(optionalIdOf('call-group')),
    userId: Type.Optional(optionalIdOf('user')),
    at: Type.Optional(SentDateTime),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: 'How far to look ahead; an hour unless said.',
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
      description: 'false when no channel serves the medium: the call would fail.',
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
  },
  { title: 'PreviewedNotice' },
);

export const CallPreview = Type.Object(
  {
    calls: Type.Array(PreviewedCall, { description: 'If nobody answers, in order of time.' }),
    notices: Type.Array(PreviewedNotice, { description: 'What would be worth telling besides.' }),
    truncated: Type.Boolean({ description: 'Whether there would be more within the time asked for.' }),
    reason: Type.String({
      description: 'Why the one asked for, or anybody at all, would not be reached; empty when they would.',
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
  },
  { title: 'DispatchSettings' },
);
export type DispatchSettings = Static<typeof DispatchSettings>;

export const RosterGaps = Type.Object(
  {
    id: Id,
    name: Type.String(),
    gaps: Type.Array(Type.Object({ startTime: OffsetDateTime, endTime: OffsetDateTime }), {
      description: 'When nobody who can be called is on duty, in the next 30 days.',
    }),
  },
  { title: 'RosterGaps' },
);
export type RosterGaps = Static<typeof RosterGaps>;
export const RosterGapsPage = pageOf(RosterGaps, 'RosterGapsPage');
export const ListRosterGaps = Type.Object({ ...PagingQuery }, { title: 'ListRosterGaps' });

/** What a timeline tells of calls and commands, besides the moments of the alarm itself. */
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
    endTime: Type.Optional(OffsetDateTime),
    ackTime: Type.Optional(OffsetDateTime),
  },
  { title: 'TimelineCall' },
);

export const TimelineAnswer = Type.Object(
  {
    attemptId: Id,
    way: Type.Enum(['provider', 'link', 'interface']),
    intent: Type.Enum(['take', 'confirm']),
    judgement: Type.String({ description: 'Only an answer that was `accepted` has changed anything.' }),
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
