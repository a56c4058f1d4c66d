import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from '../paging.ts';
import { Id, OffsetDateTime, refersTo, Uint } from '../primitives.ts';

/** The pages of the operator console: paths that a browser may open. A page with `/*` has paths below it as well. */
export const consolePages = [
  '/',
  '/alarms/*',
  '/areas',
  '/wall',
  '/quiet',
  '/flood',
  '/shift',
  '/account',
  '/roster',
  '/tags',
  '/channels',
  '/set-up',
  '/sign-in',
  '/approvals',
  '/settings',
  '/settings/*',
  '/setup',
  '/m',
  '/m/*',
  '/history',
  '/kpis',
  '/report',
] as const;

/** The priorities that the console tells apart. */
export const consolePriorities = [1, 2, 3, 4] as const;
export type ConsolePriority = (typeof consolePriorities)[number];

/** 0 is as urgent as 1; all that are less urgent than 4 count as 4. */
export function consolePriority(priority: number): ConsolePriority {
  return consolePriorities[Math.min(Math.max(priority, 1), 4) - 1] ?? 4;
}

const Priority = Type.Integer({ minimum: 1, maximum: 4 });
const areaId = Type.Integer({
  ...Uint,
  description: 'The top-level tag group; 0 for the alarms of a station that are in no tag group.',
});

/** Current alarms of one priority. A masked alarm counts as masked only. */
const AreaCount = Type.Object(
  {
    priority: Priority,
    active: Type.Integer({ ...Uint, description: 'Active alarms, acknowledged or not.' }),
    unacknowledged: Type.Integer({ ...Uint, description: 'Those of them that nobody has acknowledged.' }),
    returned: Type.Integer({ ...Uint, description: 'Not active any more, and not acknowledged.' }),
    masked: Type.Integer({ ...Uint, description: 'Masked, active or not.' }),
  },
  { title: 'AreaCount' },
);
export type AreaCount = Static<typeof AreaCount>;

export const Area = Type.Object(
  {
    id: areaId,
    name: Type.String({ description: 'Of the tag group; of the station for area 0.' }),
    stationId: Type.Integer({ ...Uint, description: '0: the tag group is of all stations.' }),
    counts: Type.Array(AreaCount, { description: 'Always priorities 1 to 4, in this order.' }),
    highestUnacknowledged: Type.Optional(Priority),
    lastChange: Type.Optional(
      Type.String({
        ...OffsetDateTime,
        description:
          'Absent if no alarm is current and the last change is not among the newest 2,000 of the plant.',
      }),
    ),
    quietSince: Type.Optional(
      Type.String({
        ...OffsetDateTime,
        description:
          'Since when no alarm is active and not masked: the last raise, reset or mask. Absent as `lastChange` is.',
      }),
    ),
  },
  { title: 'Area' },
);
export type Area = Static<typeof Area>;
export const AreaPage = pageOf(Area, 'AreaPage');
export const ListAreas = Type.Object(
  { offset: PagingQuery.offset, limit: PagingQuery.limit },
  { title: 'ListAreas' },
);

/** The most alarms that one request for contexts may name. */
export const maxContextIds = 500;

/** What the console shows of an alarm besides its 20 members. */
export const AlarmContext = Type.Object(
  {
    id: Id,
    stationId: Id,
    station: Type.String(),
    tagGroupId: Uint,
    areaId,
    area: Type.String({ description: 'Empty for area 0.' }),
    maskedUntil: Type.Optional(OffsetDateTime),
    maskReason: Type.Optional(Type.String()),
    maskedBy: Type.Optional(Type.String()),
    repeats: Uint,
    nobodyToCall: Type.Optional(
      Type.Literal(true, {
        description:
          'People are to be called for it, nobody who can be called is on duty, and nobody was called since.',
      }),
    ),
    respondSeconds: Type.Optional(
      Type.Integer({ ...Id, description: 'Time to respond after the raise, by the guidance.' }),
    ),
    guidanceFrom: Type.Optional(
      Type.Enum(['tag', 'tagGroup', 'station'], { description: 'The object whose guidance applies.' }),
    ),
  },
  { title: 'AlarmContext' },
);
export type AlarmContext = Static<typeof AlarmContext>;
export const AlarmContextPage = pageOf(AlarmContext, 'AlarmContextPage');
export const ListAlarmContexts = Type.Object(
  {
    offset: PagingQuery.offset,
    limit: PagingQuery.limit,
    sort: PagingQuery.sort,
    ids: Type.Optional(
      Type.String({
        ...refersTo('alarm'),
        pattern: `^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9}){0,${maxContextIds - 1}}$`,
        description: `Alarms, separated by commas, at most ${maxContextIds}: all of them on one page, except those that do not exist. Absent: all current alarms.`,
        examples: ['1,2,3'],
      }),
    ),
  },
  { title: 'ListAlarmContexts' },
);

/** Kinds of objects that use others. */
export const userKinds = [
  'station',
  'data-server',
  'tag-group',
  'scenario',
  'tag',
  'call-group',
  'grouping',
  'user',
  'api-key',
  'site-plan',
  'shift-note',
  'dispatch-settings',
] as const;

export const useRelations = [
  'belongs',
  'limited',
  'calls',
  'relief',
  'last-resort',
  'follows',
  'member',
  'called',
  'owned',
] as const;

/** An object that uses another one, and what that means for a deletion. */
export const ObjectUse = Type.Object(
  {
    kind: Type.Enum([...userKinds]),
    id: Type.Integer({ ...Uint, description: '0 for the dispatch settings.' }),
    name: Type.String(),
    relation: Type.Enum([...useRelations], {
      description:
        '`belongs`: is part of it. `limited`: an account or key that is limited to it. `calls`: an action calls it. `relief`: it takes over. `last-resort`: it is called when nobody else answers. `follows`: alarms follow it. `member`: has it as a member. `called`: is called through it. `owned`: a key that stops working with it.',
    }),
    blocks: Type.Boolean({
      description:
        'true: a deletion is refused until this use ends. false: the deletion changes this object.',
    }),
  },
  { title: 'ObjectUse' },
);
export type ObjectUse = Static<typeof ObjectUse>;
export const ObjectUsePage = pageOf(ObjectUse, 'ObjectUsePage');

export const ListObjectUses = Type.Object(
  { offset: PagingQuery.offset, limit: PagingQuery.limit },
  { title: 'ListObjectUses' },
);
