import type { RaiseAlarm } from '@tocsin/contract';
import type { Actor } from '../../alarms/decide/alarm-command.ts';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';

const tocsinItself: Actor = {
  name: 'Tocsin',
  subject: 'server',
  userId: undefined,
  stationIds: undefined,
  mayDefine: true,
};

/** An alarm about Tocsin itself, raised in the tenant it concerns. */
export type SystemAlarm = {
  tenantId: number;
  /** Below `tocsin/`. */
  path: string;
  raised: boolean;
  message: string;
};

/** Further members. By default a system alarm has the highest priority, is at the first station and calls nobody. */
export type SystemAlarmBody = Pick<
  RaiseAlarm,
  'priority' | 'stationId' | 'resetMessage' | 'alarmActions' | 'eventCondition'
>;

export async function postSystemAlarm(
  writer: AlarmWriter,
  { tenantId, path, raised, message }: SystemAlarm,
  more: SystemAlarmBody = {},
): Promise<void> {
  await writer.submit(tenantId, {
    kind: 'post',
    actor: tocsinItself,
    body: {
      path: `tocsin/${path}`,
      raised,
      alarmMessage: message,
      // An alarm that is not acknowledged yet counts as new when it is raised again.
      ...(raised && { priority: 1, eventCondition: { reactivatable: true } }),
      ...more,
    },
  });
}
