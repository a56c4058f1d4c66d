import type { CallDirectory } from '../../escalations/call-directory.ts';
import type { SystemAlarmDraft } from '../../escalations/system-alarm.store.ts';
import { actionFaults } from '../../plant/action.wire.ts';
import { toAlarm } from './alarm.wire.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import type { TagDefinition } from './alarm-record.ts';

/** The kind of system alarms that report actions which cannot be carried out. */
export const actionAlarmKind = 'actions';

/** The folder of system alarms. They are not reported on: each report would be the cause of the next one. */
export const systemFolder = 'tocsin/';

/** The system alarms for actions of a batch that cannot be carried out. */
export function actionAlarmsOf({ actionFaults: found }: AlarmBatch): SystemAlarmDraft[] {
  return [...found.values()].flatMap(({ record, faults }) => {
    const { tagId, definition } = record;
    if (definition.path.startsWith(systemFolder)) return [];
    const about = `alarm ${tagId} (${toAlarm(record).fullPath})`;
    return {
      path: `actions/${tagId}`,
      kind: actionAlarmKind,
      subject: tagId,
      cause: faults.join('; '),
      message: `What ${about} asks for cannot be done: ${faults.join('; ')}`,
      extraMembers: {
        stationId: definition.stationId,
        resetMessage: `What ${about} asks for can be done`,
      },
    };
  });
}

/** Whether all rows that the tag's actions name exist. */
export function canBeDone(
  { groups, people, disabled, scenarios }: CallDirectory,
  { alarm, reset, ack }: TagDefinition,
): boolean {
  const faults = actionFaults([...alarm.actions, ...reset.actions, ...ack.actions], {
    CallGroup: groups,
    CallUser: { has: (id) => people.has(id) || disabled.has(id) },
    Scenario: scenarios.raised,
  });
  return faults.length === 0;
}
