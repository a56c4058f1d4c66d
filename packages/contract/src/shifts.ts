import { type Static, type TSchema, Type } from 'typebox';
import { callStatuses } from './calls.ts';
import { PagingQuery, pageOf } from './paging.ts';
import { filterBy, Id, OffsetDateTime, optionalIdOf, SentDateTime, Uint, UtcDateTime } from './primitives.ts';

const ShiftStation = optionalIdOf('station', 'Station, or 0 for all stations.');

export const ShiftNoteBody = Type.Object(
  {
    stationId: Type.Optional(ShiftStation),
    from: SentDateTime,
    to: SentDateTime,
    text: Type.String({ minLength: 1, maxLength: 8_192 }),
  },
  { title: 'ShiftNoteBody' },
);
export type ShiftNoteBody = Static<typeof ShiftNoteBody>;

const ShiftSignature = Type.Object(
  {
    user: Type.String({ description: 'The name at that time.' }),
    userId: Type.String({ description: 'Such as `user:12`. Names can be imitated, this cannot.' }),
    time: OffsetDateTime,
  },
  { title: 'ShiftSignature' },
);

export const ShiftNote = Type.Object(
  {
    id: Id,
    stationId: Uint,
    from: OffsetDateTime,
    to: OffsetDateTime,
    text: Type.String(),
    author: Type.String({ description: 'Who wrote it last.' }),
    outgoing: Type.Optional(ShiftSignature),
    incoming: Type.Optional(ShiftSignature),
    lastChange: UtcDateTime,
  },
  { title: 'ShiftNote' },
);
export type ShiftNote = Static<typeof ShiftNote>;
export const ShiftNotePage = pageOf(ShiftNote, 'ShiftNotePage');
export const ListShiftNotes = Type.Object(
  {
    stationId: filterBy('station'),
    from: Type.Optional(SentDateTime),
    to: Type.Optional(SentDateTime),
    offset: PagingQuery.offset,
    limit: PagingQuery.limit,
    sort: PagingQuery.sort,
  },
  { title: 'ListShiftNotes' },
);
export type ListShiftNotes = Static<typeof ListShiftNotes>;

export const shiftSides = ['outgoing', 'incoming'] as const;
export const SignShiftNote = Type.Object(
  { shift: Type.Enum([...shiftSides], { description: 'The outgoing shift signs first.' }) },
  { title: 'SignShiftNote' },
);
export type SignShiftNote = Static<typeof SignShiftNote>;

/** Each list of a summary holds the newest items only; the totals count all. */
export const largestSummaryList = 200;

const listOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    total: Uint,
    items: Type.Array(item, { maxItems: largestSummaryList, description: 'The newest ones.' }),
  });

const summaryAlarm = { id: Id, name: Type.String(), message: Type.String(), priority: Uint };

const OpenAlarm = Type.Object(
  {
    ...summaryAlarm,
    state: Uint,
    alarmTime: OffsetDateTime,
    ackUser: Type.String(),
    comment: Type.String(),
    beforePeriod: Type.Boolean({ description: 'Raised before `from`.' }),
  },
  { title: 'OpenAlarm' },
);

const ReturnedAlarm = Type.Object(
  { ...summaryAlarm, alarmTime: OffsetDateTime, resetTime: OffsetDateTime },
  { title: 'ReturnedAlarm' },
);

const Taker = Type.Object(
  {
    user: Type.String(),
    userId: Type.String({ description: '`user:12` or `key:5`; empty if it is not known.' }),
    taken: Uint,
    lastTime: OffsetDateTime,
  },
  { title: 'Taker' },
);

const TakenAlarm = Type.Object(
  { ...summaryAlarm, user: Type.String(), time: OffsetDateTime, comment: Type.String() },
  { title: 'TakenAlarm' },
);

const FailedCall = Type.Object(
  {
    id: Id,
    alarmId: Type.Integer({ ...Uint, description: '0 for a call on request.' }),
    user: Type.String(),
    medium: Type.String(),
    status: Type.Enum([...callStatuses]),
    reason: Type.String(),
    message: Type.String(),
    time: OffsetDateTime,
  },
  { title: 'FailedCall' },
);

const MaskChange = Type.Object(
  {
    ...summaryAlarm,
    user: Type.String({ description: 'Empty for the server, which ends expired masks.' }),
    reason: Type.String(),
    time: OffsetDateTime,
  },
  { title: 'MaskChange' },
);

const RosterChange = Type.Object(
  {
    callGroupId: Id,
    callGroup: Type.String(),
    user: Type.String(),
    time: OffsetDateTime,
    slotsChanged: Type.Boolean(),
    overrides: Type.Array(Type.String(), {
      maxItems: 20,
      description: 'Overrides that came or went: `+` or `-`, team, from, to and reason.',
    }),
  },
  { title: 'RosterChange' },
);

export const ShiftSummaryQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({ ...SentDateTime, description: 'By default 12 hours before `to`; included.' }),
    ),
    to: Type.Optional(Type.String({ ...SentDateTime, description: 'By default now; not included.' })),
    stationId: filterBy('station'),
  },
  { title: 'ShiftSummaryQuery' },
);
export type ShiftSummaryQuery = Static<typeof ShiftSummaryQuery>;

/** What happened in a period, for somebody who was not there. */
export const ShiftSummary = Type.Object(
  {
    from: OffsetDateTime,
    to: OffsetDateTime,
    raised: Type.Object({
      total: Uint,
      priorities: Type.Array(Type.Object({ priority: Uint, raised: Uint })),
    }),
    open: Type.Object(listOf(OpenAlarm).properties, {
      description: 'Raised before `to`, and now active or not acknowledged; urgent ones first.',
    }),
    returned: Type.Object(listOf(ReturnedAlarm).properties, {
      description: 'Went away in the period before anybody had acknowledged them.',
    }),
    taken: Type.Object(
      { ...listOf(TakenAlarm).properties, users: Type.Array(Taker, { maxItems: largestSummaryList }) },
      { description: 'Acknowledged in the period, by people and machines.' },
    ),
    failedCalls: listOf(FailedCall),
    masksBegun: listOf(MaskChange),
    masksEnded: listOf(MaskChange),
    rosterChanges: listOf(RosterChange),
  },
  { title: 'ShiftSummary' },
);
export type ShiftSummary = Static<typeof ShiftSummary>;
