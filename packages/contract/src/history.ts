import { type Static, type TSchema, Type } from 'typebox';
import { PagingQuery, pageOf, pageWithoutOffsetOf } from './paging.ts';
import { Duration, filterBy, Id, OffsetDateTime, SentDateTime, Text, Uint } from './primitives.ts';

/** The query of histories, statistics and interventions. */
export const ListHistories = Type.Object(
  {
    stationId: filterBy('station'),
    dataServerId: filterBy('data-server'),
    tagGroupId: filterBy('tag-group', 'The tag group and its sub-groups; 0 or absent: any.'),
    callGroupId: filterBy('call-group'),
    userId: filterBy('user', 'Acknowledged by this user; 0 or absent: any.'),
    from: Type.Optional(SentDateTime),
    to: Type.Optional(SentDateTime),
    ...PagingQuery,
  },
  { title: 'ListHistories' },
);
export type ListHistories = Static<typeof ListHistories>;

/** One occurrence of an alarm, from raise to reset and acknowledgment. */
export const AlarmHistory = Type.Object(
  {
    id: Id,
    tagId: Id,
    tagName: Type.String(),
    message: Type.String(),
    priority: Uint,
    alarmTime: OffsetDateTime,
    ackTime: Type.Optional(OffsetDateTime),
    resetTime: Type.Optional(OffsetDateTime),
    alarmDuration: Type.Optional(Duration),
    reactionDuration: Type.Optional(Duration),
    interventionDuration: Type.Optional(Duration),
    comment: Type.String(),
  },
  { title: 'AlarmHistory' },
);
export type AlarmHistory = Static<typeof AlarmHistory>;
export const AlarmHistoryPage = pageOf(AlarmHistory, 'AlarmHistoryPage');

export const AlarmStatistic = Type.Object(
  {
    id: Id,
    tagName: Type.String(),
    message: Type.String(),
    priority: Uint,
    code: Uint,
    failureNumber: Uint,
    failureTotalTime: Duration,
    failureMeanTime: Duration,
  },
  { title: 'AlarmStatistic' },
);
export type AlarmStatistic = Static<typeof AlarmStatistic>;
export const AlarmStatisticPage = pageWithoutOffsetOf(AlarmStatistic, 'AlarmStatisticPage');

export const AlarmIntervention = Type.Object(
  {
    id: Uint,
    user: Type.String(),
    interventionNumber: Uint,
    reactionMeanTime: Duration,
    interventionMeanTime: Duration,
  },
  { title: 'AlarmIntervention' },
);
export type AlarmIntervention = Static<typeof AlarmIntervention>;
export const AlarmInterventionPage = pageWithoutOffsetOf(AlarmIntervention, 'AlarmInterventionPage');

/** The longest period of key figures, in days: a year and a month. */
export const longestKpiDays = 400;

/** Up to this many hours the answer has the count of each ten minutes. */
export const longestTenMinutesHours = 49;

/** How many tags the lists of an answer name at most; their totals count all. */
export const largestKpiList = 20;

const sent = "ISO 8601 date-time; without an offset it is in the station's time zone.";

export const ReadKpis = Type.Object(
  {
    stationId: filterBy('station'),
    dataServerId: filterBy('data-server'),
    tagGroupId: filterBy('tag-group', 'The tag group and its sub-groups; 0 or absent: any.'),
    callGroupId: filterBy('call-group'),
    userId: filterBy('user', 'Acknowledged by this user; 0 or absent: any.'),
    from: Type.Optional(
      Type.String({ ...SentDateTime, description: `${sent} 30 days before \`to\` if absent.` }),
    ),
    to: Type.Optional(Type.String({ ...SentDateTime, description: `${sent} Now if absent.` })),
    search: Type.Optional(Text),
    operators: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 1, description: 'Operators who share the alarms.' }),
    ),
  },
  { title: 'ReadKpis' },
);
export type ReadKpis = Static<typeof ReadKpis>;

const Share = Type.Number({ minimum: 0, maximum: 1, description: 'A part of the whole, from 0 to 1.' });

const TagFigure = { tagId: Id, tagName: Type.String(), message: Type.String(), priority: Uint };

export const KpiTenMinutes = Type.Object({ at: OffsetDateTime, alarms: Uint }, { title: 'KpiTenMinutes' });
export type KpiTenMinutes = Static<typeof KpiTenMinutes>;

export const KpiDay = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'In the time zone of the station.' }),
    alarms: Uint,
    busiestTenMinutes: Uint,
    floodSeconds: Uint,
  },
  { title: 'KpiDay' },
);
export type KpiDay = Static<typeof KpiDay>;

export const KpiPriority = Type.Object(
  { priority: Uint, alarms: Uint, share: Share },
  { title: 'KpiPriority' },
);
export type KpiPriority = Static<typeof KpiPriority>;

export const KpiTag = Type.Object(
  { ...TagFigure, alarms: Uint, share: Share, cumulativeShare: Share, chattering: Uint },
  { title: 'KpiTag' },
);
export type KpiTag = Static<typeof KpiTag>;

export const KpiChatter = Type.Object(
  {
    ...TagFigure,
    alarms: Type.Integer({ ...Uint, description: 'Raises that were at least the third in a minute.' }),
  },
  { title: 'KpiChatter' },
);
export type KpiChatter = Static<typeof KpiChatter>;

export const KpiStale = Type.Object(
  { ...TagFigure, since: OffsetDateTime, duration: Duration },
  { title: 'KpiStale' },
);
export type KpiStale = Static<typeof KpiStale>;

export const KpiMasked = Type.Object(
  {
    ...TagFigure,
    since: Type.Optional(
      Type.String({ ...OffsetDateTime, description: 'Absent if the journal of that time was dropped.' }),
    ),
    until: Type.Optional(OffsetDateTime),
    user: Type.String(),
    reason: Type.String(),
  },
  { title: 'KpiMasked' },
);
export type KpiMasked = Static<typeof KpiMasked>;

const Response = {
  alarms: Uint,
  acknowledged: Uint,
  reactionMeanTime: Type.Optional(
    Type.String({ ...Duration, description: 'From the raise to the acknowledgment. `hh:mm:ss`.' }),
  ),
  repaired: Uint,
  repairMeanTime: Type.Optional(
    Type.String({ ...Duration, description: 'From the raise to the reset. `hh:mm:ss`.' }),
  ),
};

export const KpiGroup = Type.Object(
  {
    tagGroupId: Type.Integer({ ...Uint, description: 'The tag group at the raise; 0: none.' }),
    name: Type.String({ description: 'Empty for none, and for a group that was deleted.' }),
    ...Response,
  },
  { title: 'KpiGroup' },
);
export type KpiGroup = Static<typeof KpiGroup>;

const listOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ total: Uint, items: Type.Array(item, { maxItems: largestKpiList }) });

/** Key figures of the alarm system in a period, as ISA-18.2 names them. */
export const AlarmKpis = Type.Object(
  {
    from: OffsetDateTime,
    to: OffsetDateTime,
    timeZone: Type.String(),
    operators: Uint,
    ...Response,
    alarmsPerHour: Type.Number({ minimum: 0, description: 'For each operator, up to now.' }),
    busiest: Type.Optional(KpiTenMinutes),
    flood: Type.Object({
      limit: Type.Integer({ ...Uint, description: 'More alarms than this in ten minutes are a flood.' }),
      end: Type.Integer({
        ...Uint,
        description: 'The flood ends with fewer alarms than this in ten minutes.',
      }),
      floods: Uint,
      tenMinutesAbove: Type.Integer({ ...Uint, description: 'Ten minutes with more alarms than the limit.' }),
      seconds: Uint,
      share: Share,
    }),
    tenMinutes: Type.Optional(
      Type.Array(KpiTenMinutes, {
        description: `Each ten minutes with alarms, in periods of at most ${longestTenMinutesHours} hours.`,
      }),
    ),
    days: Type.Array(KpiDay),
    weekdays: Type.Array(Type.Array(Uint, { minItems: 24, maxItems: 24 }), {
      minItems: 7,
      maxItems: 7,
      description: 'Alarms by weekday, Monday first, and hour.',
    }),
    priorities: Type.Array(KpiPriority),
    worst: listOf(KpiTag),
    chattering: listOf(KpiChatter),
    stale: listOf(KpiStale),
    masked: listOf(KpiMasked),
    groups: Type.Array(KpiGroup),
  },
  { title: 'AlarmKpis' },
);
export type AlarmKpis = Static<typeof AlarmKpis>;
