import { type Static, Type } from 'typebox';
import {
  callTimelineKinds,
  TimelineAnswer,
  TimelineCall,
  TimelineCommand,
  TimelineNotice,
} from './dispatch.ts';
import { PagingQuery, pageOf } from './paging.ts';
import {
  filterBy,
  Id,
  LongText,
  largestUint,
  OffsetDateTime,
  optionalIdOf,
  refersTo,
  ShortText,
  Text,
  Uint,
  UtcDateTime,
} from './primitives.ts';

const alarmMembers = {
  id: Id,
  dataServerId: Id,
  path: Type.String(),
  fullPath: Type.String({ description: 'Name of the data server, one backslash, path.' }),
  name: Type.String(),
  localizedName: Type.String(),
  value: Type.String(),
  message: Type.String(),
  resetMessage: Type.String(),
  ackMessage: Type.String(),
  priority: Uint,
  state: Type.Integer({
    minimum: 0,
    description:
      'Bit mask: 1 active, 2 not acknowledged, 4 masked by a user, 32 masked by a rule, 64 connection failure, 128 not polled.',
  }),
  masked: Type.Boolean(),
  alarmTime: OffsetDateTime,
  lastChange: UtcDateTime,
  ackUser: Type.String({ description: 'Empty until someone acknowledges.' }),
  attachedFile: Type.String(),
  resetAttachedFile: Type.String(),
  ackAttachedFile: Type.String(),
  comment: Type.String(),
};

/** A current alarm, as `GET /alarms` lists it and as `onAlarm` pushes it: 20 members, always all of them. */
export const Alarm = Type.Object(alarmMembers, { title: 'Alarm' });
export type Alarm = Static<typeof Alarm>;

export const AlarmPage = pageOf(Alarm, 'AlarmPage');

/** The five action types of the interface, and `Scenario`, which is an extension. */
export const actionTypes = [
  'CallGroup',
  'ExecuteCommand',
  'StopCommand',
  'PlaySound',
  'CallUser',
  'Scenario',
] as const;

const actionMembers = {
  scriptId: Type.Optional(optionalIdOf('command')),
  parameter: Type.Optional(Text),
  flags: Type.Optional(Uint),
};

/** An action of a scenario. */
export const Action = Type.Object(
  { id: Type.Optional(optionalIdOf('action-target')), type: Type.Enum([...actionTypes]), ...actionMembers },
  { title: 'Action' },
);

/** An action of an alarm. An action that cannot be carried out is stored and reported, and never refuses the alarm. */
export const AlarmAction = Type.Object(
  {
    id: Type.Optional(optionalIdOf('action-target')),
    type: Type.Optional(
      Type.String({
        maxLength: 256,
        description: `${actionTypes.map((type) => `\`${type}\``).join(', ')}; any other is stored, and reported by an alarm.`,
      }),
    ),
    ...actionMembers,
  },
  { title: 'AlarmAction' },
);
export type AlarmAction = Static<typeof AlarmAction>;

/** An action as the server stores it; a missing type is the empty one. */
export type Action = Omit<AlarmAction, 'type'> & { type: string };

const Actions = Type.Array(AlarmAction, { maxItems: 64 });

export const EventCondition = Type.Object(
  {
    value: Type.Optional(Text),
    transitory: Type.Optional(Type.Boolean()),
    reactivatable: Type.Optional(Type.Boolean()),
    resettable: Type.Optional(Type.Boolean()),
  },
  { title: 'EventCondition' },
);

/** Devices write dates in many formats, and a location must not be refused for its date: it is stored as it was sent. */
const FoundAt = Type.Unknown({ description: 'Date-time, stored as it was sent.' });

export const Beacon = Type.Object(
  {
    id: Type.Optional(ShortText),
    name: Type.Optional(ShortText),
    type: Type.Optional(
      Type.String({
        maxLength: 256,
        description: '`Nfc` or `Undefined`; any other is stored as `Undefined`.',
      }),
    ),
    accuracy: Type.Optional(Type.Number()),
    date: Type.Optional(FoundAt),
  },
  { title: 'Beacon' },
);

export const Location = Type.Object(
  {
    latitude: Type.Optional(Type.Number()),
    longitude: Type.Optional(Type.Number()),
    horizontalAccuracy: Type.Optional(Type.Number()),
    altitude: Type.Optional(Type.Number()),
    verticalAccuracy: Type.Optional(Type.Number()),
    date: Type.Optional(FoundAt),
    beaconList: Type.Optional(Type.Array(Beacon, { maxItems: 256 })),
    zone: Type.Optional(ShortText),
  },
  { title: 'Location' },
);
export type Location = Static<typeof Location>;

/** Has no maximum length: a long path of another system must not refuse the alarm. */
const FileName = Type.String({
  ...refersTo('media-file'),
  description:
    'The name of a file in the media library; never a path that is opened. Another text is stored, up to 256 characters, and mentioned in the timeline.',
});

/** The messages for one occasion of the alarm (raised, reset, acknowledged), for each medium. */
const occasionMembers = <Prefix extends 'alarm' | 'reset' | 'ack'>(prefix: Prefix) =>
  ({
    [`${prefix}Message`]: Type.Optional(LongText),
    [`${prefix}Format`]: Type.Optional(Text),
    [`${prefix}ShortMessage`]: Type.Optional(ShortText),
    [`${prefix}VocalMessageFile`]: Type.Optional(FileName),
    [`${prefix}AttachedFile`]: Type.Optional(FileName),
    [`${prefix}Actions`]: Type.Optional(Actions),
  }) as Record<`${Prefix}Message`, Type.TOptional<typeof LongText>> &
    Record<`${Prefix}Format`, Type.TOptional<typeof Text>> &
    Record<`${Prefix}${'ShortMessage' | 'VocalMessageFile' | 'AttachedFile'}`, Type.TOptional<Type.TString>> &
    Record<`${Prefix}Actions`, Type.TOptional<typeof Actions>>;

/** The body of `POST /alarms`. No member is required: a call for help is never refused for a missing name. */
export const RaiseAlarm = Type.Object(
  {
    stationId: Type.Optional(
      optionalIdOf('station', "0 or absent: the data server's station, else the tenant's first."),
    ),
    dataServerId: Type.Optional(optionalIdOf('data-server', "0 or absent: the tenant's first data server.")),
    path: Type.Optional(
      Type.String({ maxLength: 1_024, description: 'Empty or absent: a new temporary tag.' }),
    ),
    raised: Type.Optional(Type.Boolean()),
    tagGroupId: Type.Optional(optionalIdOf('tag-group')),
    priority: Type.Optional(Uint),
    temporary: Type.Optional(Type.Boolean()),
    eventCondition: Type.Optional(EventCondition),
    value: Type.Optional(Text),
    location: Type.Optional(Location),
    alarmDelay: Type.Optional(Type.Integer({ ...Uint, description: 'Seconds before the first call.' })),
    ...occasionMembers('alarm'),
    ...occasionMembers('reset'),
    ...occasionMembers('ack'),
  },
  { title: 'RaiseAlarm' },
);
export type RaiseAlarm = Static<typeof RaiseAlarm>;

const filters = {
  stationId: filterBy('station'),
  dataServerId: filterBy('data-server'),
  tagGroupId: filterBy('tag-group', 'The tag group and its sub-groups; 0 or absent: any.'),
  scenarioId: filterBy('scenario'),
  callGroupId: filterBy('call-group'),
  alarmState: Type.Optional(
    Type.Integer({ ...Uint, description: 'Exact match on bits 0 and 1 of the state.' }),
  ),
  inactiveMasked: Type.Optional(
    Type.Integer({ ...Uint, description: '1 adds masked tags that are not in alarm.' }),
  ),
};

export const ListAlarms = Type.Object({ ...filters, ...PagingQuery }, { title: 'ListAlarms' });
export type ListAlarms = Static<typeof ListAlarms>;

/** One alarm with all data of its tag, as `POST /alarms` sent them. */
export const AlarmDetail = Type.Object(
  {
    ...alarmMembers,
    stationId: Id,
    tagGroupId: Uint,
    temporary: Type.Boolean(),
    eventCondition: Type.Required(EventCondition),
    location: Type.Optional(Location),
    alarmDelay: Uint,
    alarmFormat: Type.String(),
    alarmShortMessage: Type.String(),
    alarmVocalMessageFile: Type.String(),
    alarmActions: Type.Array(AlarmAction),
    resetFormat: Type.String(),
    resetShortMessage: Type.String(),
    resetVocalMessageFile: Type.String(),
    resetActions: Type.Array(AlarmAction),
    ackFormat: Type.String(),
    ackShortMessage: Type.String(),
    ackVocalMessageFile: Type.String(),
    ackActions: Type.Array(AlarmAction),
    occurrenceId: Type.Integer({
      minimum: 0,
      description: 'History entry of the latest occurrence; 0 before the first.',
    }),
    repeats: Type.Integer({
      minimum: 0,
      description: 'How often it was raised again during this occurrence.',
    }),
    maskedUntil: Type.Optional(OffsetDateTime),
    maskReason: Type.Optional(Type.String()),
    maskedBy: Type.Optional(Type.String()),
  },
  { title: 'AlarmDetail' },
);
export type AlarmDetail = Static<typeof AlarmDetail>;

export const AcknowledgeAlarm = Type.Object({ comment: Type.Optional(Text) }, { title: 'AcknowledgeAlarm' });
export const ResetAlarm = Type.Object({ comment: Type.Optional(Text) }, { title: 'ResetAlarm' });
export const CommentAlarm = Type.Object({ comment: Text }, { title: 'CommentAlarm' });
export const UnmaskAlarm = Type.Object({ reason: Type.Optional(Text) }, { title: 'UnmaskAlarm' });
export const MaskAlarm = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: 4_096 }),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestUint,
        description: 'Duration; 8 hours by default, and at most the maximum of the tenant.',
      }),
    ),
  },
  { title: 'MaskAlarm' },
);

/** The kinds of journal entries of an alarm. */
export const timelineKinds = [
  'defined',
  'raised',
  'repeated',
  'acknowledged',
  'reset',
  'masked',
  'unmasked',
  'commented',
  'silenced',
  'withheld',
] as const;

const DefinitionChange = Type.Object(
  { member: Type.String(), before: Type.Unknown(), after: Type.Unknown() },
  { title: 'DefinitionChange' },
);

export const TimelineEntry = Type.Object(
  {
    seq: Type.Integer({
      minimum: 1,
      description: "Position in the tenant's journal; entries of calls have that of the change before them.",
    }),
    time: OffsetDateTime,
    kind: Type.Enum([...timelineKinds, ...callTimelineKinds]),
    actor: Type.String({ description: 'The author; empty for the server itself.' }),
    actorId: Type.Optional(
      Type.String({
        description:
          'Who did it: `user:12`, `key:5` or `system`. Names can be imitated, this cannot. Absent where it is not known.',
      }),
    ),
    occurrenceId: Type.Integer({ minimum: 0 }),
    state: Type.Integer({ minimum: 0 }),
    detail: Type.String({ description: 'Reason, comment or warning of the entry.' }),
    changes: Type.Optional(
      Type.Array(DefinitionChange, {
        description:
          'The members of the definition of a known tag that were changed; messages are not listed.',
      }),
    ),
    call: Type.Optional(TimelineCall),
    answer: Type.Optional(TimelineAnswer),
    notice: Type.Optional(TimelineNotice),
    command: Type.Optional(TimelineCommand),
  },
  { title: 'TimelineEntry' },
);
export type TimelineEntry = Static<typeof TimelineEntry>;
export const TimelinePage = pageOf(TimelineEntry, 'TimelinePage');
export const ListTimeline = Type.Object({
  offset: PagingQuery.offset,
  limit: PagingQuery.limit,
  sort: PagingQuery.sort,
});
