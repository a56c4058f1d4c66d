import type { Alarm, AlarmDetail } from '@tocsin/contract';
import { formatInZone, formatUtc, isMasked } from '@tocsin/domain';
import { shownActions } from '../../plant/command-grant.ts';
import type { AlarmRecord } from './alarm-record.ts';

/** The members in the order of the contract. */
export function toAlarm({ tagId, definition, status, timeZone, dataServerName }: AlarmRecord): Alarm {
  const { alarm, reset, ack } = definition;
  return {
    id: tagId,
    dataServerId: definition.dataServerId,
    path: definition.path,
    fullPath: `${dataServerName}\\${definition.path}`,
    name: definition.name,
    localizedName: definition.localizedName,
    value: status.value,
    message: alarm.message,
    resetMessage: reset.message,
    ackMessage: ack.message,
    priority: definition.priority,
    state: status.state,
    masked: isMasked(status.state),
    alarmTime: formatInZone(timeZone, status.raisedAt),
    lastChange: formatUtc(status.lastChange),
    ackUser: status.ackUser,
    attachedFile: alarm.attachedFile,
    resetAttachedFile: reset.attachedFile,
    ackAttachedFile: ack.attachedFile,
    comment: status.comment,
  };
}

export function toAlarmDetail(record: AlarmRecord): AlarmDetail {
  const { definition, status, timeZone } = record;
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
    ...(status.location && { location: status.location }),
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
    occurrenceId: status.occurrenceId,
    repeats: status.repeats,
    ...(status.maskUntil && {
      maskedUntil: formatInZone(timeZone, status.maskUntil),
      maskReason: status.maskReason ?? '',
      maskedBy: status.maskBy ?? '',
    }),
  };
}
