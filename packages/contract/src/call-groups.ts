import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import {
  filterBy,
  Id,
  idOf,
  Name,
  optionalIdOf,
  SentDateTime,
  ShortText,
  Uint,
  UtcDateTime,
} from './primitives.ts';

export const callModes = ['Sequential', 'Broadcast', 'Turnover'] as const;

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
  },
  { title: 'RosterSlot' },
);

/** A period in which this team is on duty instead of the weekly slots. */
export const RosterOverride = Type.Object(
  { teamId: idOf('team'), from: SentDateTime, to: SentDateTime, reason: Type.Optional(ShortText) },
  { title: 'RosterOverride' },
);

export const Roster = Type.Object(
  {
    slotMinutes: Type.Enum([15, 30, 60]),
    slots: Type.Array(RosterSlot, { maxItems: 672 }),
    overrides: Type.Optional(Type.Array(RosterOverride, { maxItems: 1_000 })),
  },
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
    roster: Type.Required(Roster),
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
