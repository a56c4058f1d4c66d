import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import {
  filterBy,
  Id,
  idOf,
  Name,
  OffsetDateTime,
  optionalIdOf,
  SentDateTime,
  ShortText,
  Uint,
  UtcDateTime,
} from './primitives.ts';

export const callModes = ['Sequential', 'Broadcast', 'Turnover'] as const;

/** `2026-12-25`, of the station's calendar. */
const CalendarDate = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', examples: ['2026-12-25'] });

/** The longest rotation of slots. */
const mostRotationWeeks = 12;

export const Team = Type.Object(
  { id: Id, name: ShortText, userIds: Type.Array(idOf('user'), { maxItems: 256 }) },
  { title: 'Team' },
);

/** Part of the week in which a team is on duty, in the station's time zone. */
export const RosterSlot = Type.Object(
  {
    teamId: idOf('team'),
    day: Type.Integer({ minimum: 1, maximum: 7, description: '1 Monday … 7 Sunday.' }),
    start: Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      description: '`hh:mm` on a slot boundary.',
    }),
    end: Type.String({
      pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
      description: '`hh:mm`, up to 24:00.',
    }),
    week: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostRotationWeeks,
        description: 'Week of the rotation; absent: every week.',
      }),
    ),
  },
  { title: 'RosterSlot' },
);

/** A period in which this team or person is on duty instead of everybody, or instead of one person. */
export const RosterOverride = Type.Object(
  {
    teamId: Type.Optional(optionalIdOf('team', 'Team; 0 or ignored if a person is named.')),
    userId: Type.Optional(optionalIdOf('user', 'Person, or 0 if a team is named.')),
    replacesUserId: Type.Optional(
      optionalIdOf('user', 'Whom they stand in for while that person is on duty; 0: for everybody.'),
    ),
    from: SentDateTime,
    to: SentDateTime,
    reason: Type.Optional(ShortText),
  },
  { title: 'RosterOverride' },
);
export type RosterOverride = Static<typeof RosterOverride>;

/** Slots of several weeks that repeat in turn. */
export const RosterRotation = Type.Object(
  {
    weeks: Type.Integer({ minimum: 1, maximum: mostRotationWeeks }),
    start: Type.String({ ...CalendarDate, description: 'A day of week 1.' }),
  },
  { title: 'RosterRotation' },
);

/** A day with the slots of a Sunday. */
export const RosterHoliday = Type.Object(
  { date: CalendarDate, name: Type.Optional(ShortText) },
  { title: 'RosterHoliday' },
);

const rosterMembers = {
  slotMinutes: Type.Enum([15, 30, 60]),
  slots: Type.Array(RosterSlot, { maxItems: 2_016 }),
  rotation: Type.Optional(RosterRotation),
  holidays: Type.Optional(Type.Array(RosterHoliday, { maxItems: 500 })),
};
const Overrides = Type.Array(RosterOverride, { maxItems: 1_000 });

export const Roster = Type.Object(
  { ...rosterMembers, overrides: Type.Optional(Overrides) },
  { title: 'Roster' },
);
export type Roster = Static<typeof Roster>;

export const CallGroupBody = Type.Object(
  {
    name: Name,
    localizedName: Type.Optional(ShortText),
    stationId: Type.Optional(optionalIdOf('station', 'Station, or 0 for all stations.')),
    mode: Type.Optional(Type.Enum([...callModes])),
    userIds: Type.Optional(Type.Array(idOf('user'), { maxItems: 256, description: 'In calling order.' })),
    teams: Type.Optional(Type.Array(Team, { maxItems: 64 })),
    roster: Type.Optional(Roster),
    ackTimeout: Type.Optional(Type.Integer({ minimum: 5, maximum: 86_400, description: 'Seconds.' })),
    attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cycles: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    reliefGroupId: Type.Optional(optionalIdOf('call-group')),
    groupingId: Type.Optional(optionalIdOf('grouping')),
  },
  { title: 'CallGroupBody' },
);
export type CallGroupBody = Static<typeof CallGroupBody>;

export const CallGroup = Type.Object(
  {
    id: Id,
    name: Type.String(),
    localizedName: Type.String(),
    lastChange: UtcDateTime,
    stationId: Uint,
    mode: Type.Enum([...callModes]),
    userIds: Type.Array(Id),
    teams: Type.Array(Team),
    roster: Type.Object({ ...rosterMembers, overrides: Overrides }, { title: 'StoredRoster' }),
    ackTimeout: Uint,
    attempts: Uint,
    cycles: Uint,
    reliefGroupId: Uint,
    groupingId: Uint,
  },
  { title: 'CallGroup' },
);
export type CallGroup = Static<typeof CallGroup>;
export const CallGroupPage = pageOf(CallGroup, 'CallGroupPage');

export const ListCallGroups = Type.Object(
  { stationId: filterBy('station'), groupingId: filterBy('grouping'), ...PagingQuery },
  { title: 'ListCallGroups' },
);
export type ListCallGroups = Static<typeof ListCallGroups>;

export const CallGroupGroupingBody = Type.Object(
  {
    name: Name,
    localizedName: Type.Optional(ShortText),
    parentId: Type.Optional(optionalIdOf('grouping', 'Grouping above, or 0 at the top.')),
    callGroupIds: Type.Optional(Type.Array(idOf('call-group'), { maxItems: 1_000 })),
  },
  { title: 'CallGroupGroupingBody' },
);
export type CallGroupGroupingBody = Static<typeof CallGroupGroupingBody>;

export const CallGroupGrouping = Type.Object(
  {
    id: Id,
    name: Type.String(),
    localizedName: Type.String(),
    lastChange: UtcDateTime,
    parentId: Uint,
    callGroupIds: Type.Array(Id),
  },
  { title: 'CallGroupGrouping' },
);
export type CallGroupGrouping = Static<typeof CallGroupGrouping>;
export const CallGroupGroupingPage = pageOf(CallGroupGrouping, 'CallGroupGroupingPage');

export const ListCallGroupGroupings = Type.Object({ ...PagingQuery }, { title: 'ListCallGroupGroupings' });
export type ListCallGroupGroupings = Static<typeof ListCallGroupGroupings>;

/** A time at which a person is on duty in no call group. */
export const LeaveBody = Type.Object(
  { userId: idOf('user'), from: SentDateTime, to: SentDateTime },
  { title: 'LeaveBody' },
);
export type LeaveBody = Static<typeof LeaveBody>;

export const Leave = Type.Object(
  {
    id: Id,
    userId: Id,
    user: Type.String(),
    from: OffsetDateTime,
    to: OffsetDateTime,
    lastChange: UtcDateTime,
  },
  { title: 'Leave' },
);
export type Leave = Static<typeof Leave>;
export const LeavePage = pageOf(Leave, 'LeavePage');
export const ListLeaves = Type.Object(
  {
    userId: filterBy('user'),
    from: Type.Optional(SentDateTime),
    to: Type.Optional(SentDateTime),
    ...PagingQuery,
  },
  { title: 'ListLeaves' },
);
export type ListLeaves = Static<typeof ListLeaves>;

export const ListDuties = Type.Object(
  { from: Type.Optional(SentDateTime), to: Type.Optional(SentDateTime) },
  { title: 'ListDuties' },
);
export type ListDuties = Static<typeof ListDuties>;

/** A time in which the same people are on duty for the same reason. */
const Duty = Type.Object(
  {
    from: OffsetDateTime,
    to: OffsetDateTime,
    why: Type.Enum(['slot', 'override', 'always', 'nobody']),
    teamIds: Type.Array(Id),
    people: Type.Array(Type.Object({ userId: Id, user: Type.String() })),
  },
  { title: 'Duty' },
);

export const Duties = Type.Object(
  {
    callGroupId: Id,
    callGroup: Type.String(),
    timeZone: Type.String(),
    duties: Type.Array(Duty),
  },
  { title: 'Duties' },
);
export type Duties = Static<typeof Duties>;

/** A calendar is of a call group, or else of the caller. */
export const CalendarBody = Type.Object(
  { callGroupId: Type.Optional(optionalIdOf('call-group', 'Call group, or 0 for your own duties.')) },
  { title: 'CalendarBody' },
);
export type CalendarBody = Static<typeof CalendarBody>;

const calendarMembers = {
  id: Id,
  callGroupId: Type.Optional(Id),
  createdAt: OffsetDateTime,
  lastUsedAt: Type.Optional(OffsetDateTime),
};
export const Calendar = Type.Object(calendarMembers, { title: 'Calendar' });
export type Calendar = Static<typeof Calendar>;
export const CalendarPage = pageOf(Calendar, 'CalendarPage');
export const ListCalendars = Type.Object({ ...PagingQuery }, { title: 'ListCalendars' });

export const CreatedCalendar = Type.Object(
  {
    ...calendarMembers,
    path: Type.String({
      description: 'Address below that of the server. It contains the secret and is answered only once.',
    }),
  },
  { title: 'CreatedCalendar' },
);
export type CreatedCalendar = Static<typeof CreatedCalendar>;

export const CalendarQuery = Type.Object(
  { token: Type.Optional(Type.String({ maxLength: 128 })) },
  { title: 'CalendarQuery' },
);
