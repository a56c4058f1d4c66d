import type { AlarmHistory, AlarmIntervention, AlarmStatistic } from '@tocsin/contract';
import {
  codeOf,
  durationsOf,
  failureStatisticOf,
  formatDuration,
  formatInZone,
  interventionStatisticOf,
} from '@tocsin/domain';
import type { OccurrenceRow } from './history.store.ts';
import type { InterventionRow } from './interventions.store.ts';
import type { StatisticRow } from './statistics.store.ts';

export function toAlarmHistory({ raisedAt, acknowledgedAt, resetAt, ...row }: OccurrenceRow): AlarmHistory {
  const zone = row.timeZone ?? 'UTC';
  const { alarm, reaction, intervention } = durationsOf({
    id: row.id,
    tagId: row.tagId,
    raisedAt,
    ...(acknowledgedAt && { acknowledgedAt }),
    ...(resetAt && { resetAt }),
  });
  return {
    id: row.id,
    tagId: row.tagId,
    tagName: row.tagName ?? '',
    message: row.message ?? '',
    priority: row.priority,
    alarmTime: formatInZone(zone, raisedAt),
    ...(acknowledgedAt && { ackTime: formatInZone(zone, acknowledgedAt) }),
    ...(resetAt && { resetTime: formatInZone(zone, resetAt) }),
    ...(alarm !== undefined && { alarmDuration: formatDuration(alarm) }),
    ...(reaction !== undefined && { reactionDuration: formatDuration(reaction) }),
    ...(intervention !== undefined && { interventionDuration: formatDuration(intervention) }),
    comment: row.comment ?? '',
  };
}

export function toAlarmStatistic(row: StatisticRow): AlarmStatistic {
  const { failureNumber, failureTotalSeconds, failureMeanSeconds } = failureStatisticOf(row);
  return {
    id: row.tagId,
    tagName: row.tagName ?? '',
    message: row.message ?? '',
    priority: row.priority ?? 0,
    code: codeOf(row.shortMessage ?? ''),
    failureNumber,
    failureTotalTime: formatDuration(failureTotalSeconds),
    failureMeanTime: formatDuration(failureMeanSeconds),
  };
}

export function toAlarmIntervention({ userId, sums }: InterventionRow, user: string): AlarmIntervention {
  const { interventionNumber, reactionMeanSeconds, interventionMeanSeconds } = interventionStatisticOf(sums);
  return {
    id: userId,
    user,
    interventionNumber,
    reactionMeanTime: formatDuration(reactionMeanSeconds),
    interventionMeanTime: formatDuration(interventionMeanSeconds),
  };
}
