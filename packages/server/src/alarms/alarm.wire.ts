import type { Alarm, AlarmDetail } from '@tocsin/contract';
import { formatInZone, formatUtc, isMasked } from '@tocsin/domain';
import { shownActions } from '../plant/command-grant.ts';
import type { AlarmRecord } from './alarm-record.ts';

/** The 20 members, in the order of the interface. */
export function toAlarm({ tagId, definition, standing, timeZone, dataServerName }: AlarmRecord): Alarm {
  const { alarm, reset, ack } = definition;
  return {
    id: tagId,
    dataServerId: definition.dataServerId,
    path: definition.path,
    fullPath: `${dataServerName}\\${definition.path}`,
    name: definition.name,
    localizedName: definition.localizedName,
    value: standing.value,
    message: alarm.message,
    resetMessage: reset.message,
    ackMessage: ack.message,
    priority: definition.priority,
    state: standing.state,
    masked: isMasked(standing.state),
    alarmTime: formatInZone(timeZone, standing.raisedAt),
    lastChange: formatUtc(standing.lastChange),
    ackUser: standing.ackUser,
    attachedFile: alarm.attachedFile,
    resetAttachedFile: reset.attachedFile,
    ackAttachedFile: ack.attachedFile,
    comment: standing.comment,
  };
}

export function toAlarmDetail(record: AlarmRecord): AlarmDetail {
  const { definition, standing, timeZone } = record;
  const { alarm, reset, ack } = definition;
  return {
    ...toAlarm(record),
    stationId: definition.stationId,
    tagGroupId: definition.tagGroupId ?? 0,
    temporary: definition.temporary,
    eventCondition: {
      value: definition.conditionValue,
      transitory: definition.transitory,
      reactivatable: definition.reactivatable,
      resettable: definition.resettable,
    },
    ...(standing.location && { location: standing.location }),
    alarmDelay: definition.alarmDelay,
    alarmFormat: alarm.format,
    alarmShortMessage: alarm.shortMessage,
    alarmVocalMessageFile: alarm.vocalMessageFile,
    alarmActions: shownActions(alarm.actions),
    resetFormat: reset.format,
    resetShortMessage: reset.shortMessage,
    resetVocalMessageFile: reset.vocalMessageFile,
    resetActions: shownActions(reset.actions),
    ackFormat: ack.format,
    ackShortMessage: ack.shortMessage,
    ackVocalMessageFile: ack.vocalMessageFile,
    ackActions: shownActions(ack.actions),
    occurrenceId: standing.occurrenceId,
    repeats: standing.repeats,
    ...(standing.maskUntil && {
      maskedUntil: formatInZone(timeZone, standing.maskUntil),
      maskReason: standing.maskReason ?? '',
      maskedBy: standing.maskBy ?? '',
    }),
  };
}
