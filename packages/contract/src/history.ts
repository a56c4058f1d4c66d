import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf, pageWithoutOffsetOf } from './paging.ts';
import { Duration, filterBy, Id, OffsetDateTime, SentDateTime, Uint } from './primitives.ts';

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
