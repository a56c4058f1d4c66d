import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import {
  filterBy,
  Id,
  LongText,
  OffsetDateTime,
  optionalIdOf,
  refersTo,
  SentDateTime,
  Uint,
} from './primitives.ts';

/**
 * A name in the tenant's media library, never a path: separators, parent folders, drive letters and
 * control characters do not match.
 */
export const mediaNamePattern = '^(?!\\.)(?!.*\\.\\.)[^\\\\/:*?"<>|\\u0000-\\u001f\\u007f]{1,128}$';

/** A sound that cannot be used is omitted and reported in the call history; it never refuses the call. */
const Sound = Type.Union([Type.String(), Type.Null()], {
  ...refersTo('media-file'),
  description:
    'Audio in base64, with or without `data:…;base64,`, or the name of a file in the media library.',
});
const MessageFile = Type.Union([Type.String(), Type.Null()], {
  ...refersTo('media-file'),
  description: 'Path or name, the last part of which names a file in the media library.',
});

const message = {
  msgText: Type.Optional(LongText),
  msgNum: Type.Optional(
    Type.Integer({ ...Uint, description: 'Numeric short message for pagers, and SMS prefix.' }),
  ),
  msgAudio: Type.Optional(Sound),
  msgFile: Type.Optional(MessageFile),
};

export const CallUsers = Type.Object(
  { userIds: Type.Array(optionalIdOf('user'), { maxItems: 1_000 }), ...message },
  { title: 'CallUsers' },
);
export type CallUsers = Static<typeof CallUsers>;

export const CallGroups = Type.Object(
  { callGroupIds: Type.Array(optionalIdOf('call-group'), { maxItems: 1_000 }), ...message },
  { title: 'CallGroups' },
);
export type CallGroups = Static<typeof CallGroups>;

export const CallAccepted = Type.Boolean({
  title: 'CallAccepted',
  description: 'true when the call is stored for every user, false when it is stored for none.',
});

export const callStatuses = [
  'Queued',
  'Calling',
  'Delivered',
  'Acknowledged',
  'NoAnswer',
  'Busy',
  'Rejected',
  'Failed',
  'Cancelled',
] as const;

/** One attempt to reach one person. */
export const CallHistory = Type.Object(
  {
    id: Id,
    callId: Type.Integer({ ...Uint, description: 'The request it belongs to; 0 for an alarm.' }),
    alarmId: Uint,
    callGroupId: Uint,
    userId: Id,
    user: Type.String(),
    medium: Type.String(),
    address: Type.String({ description: 'Only the last four characters are shown.' }),
    message: Type.String(),
    attempt: Uint,
    startTime: OffsetDateTime,
    endTime: Type.Optional(OffsetDateTime),
    status: Type.Enum([...callStatuses]),
    reason: Type.String(),
    ackTime: Type.Optional(OffsetDateTime),
  },
  { title: 'CallHistory' },
);
export type CallHistory = Static<typeof CallHistory>;
export const CallHistoryPage = pageOf(CallHistory, 'CallHistoryPage');

export const ListCallHistories = Type.Object(
  {
    userId: filterBy('user'),
    callGroupId: filterBy('call-group'),
    alarmId: filterBy('alarm'),
    from: Type.Optional(SentDateTime),
    to: Type.Optional(SentDateTime),
    ...PagingQuery,
  },
  { title: 'ListCallHistories' },
);
export type ListCallHistories = Static<typeof ListCallHistories>;
