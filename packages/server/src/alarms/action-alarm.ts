import type { CallDirectory } from '../duties/call-directory.ts';
import type { SystemAlarmDraft } from '../duties/system-alarm.store.ts';
import { actionFaults } from '../plant/action.wire.ts';
import { toAlarm } from './alarm.wire.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import type { TagDefinition } from './alarm-record.ts';

/** The kind of system alarms that tell of actions which nobody can carry out. */
export const actionAlarmKind = 'actions';

/** Of the system itself: an alarm about one of its own alarms would be the next cause. */
export const systemFolder = 'tocsin/';

/** What operators are to hear by alarms of the actions that were sent in a batch. */
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
      more: {
        stationId: definition.stationId,
        resetMessage: `What ${about} asks for can be done`,
      },
    };
  });
}

/** Whether all actions of the tag can be carried out, as far as those go whom they name. */
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
