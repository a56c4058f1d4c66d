import type { RaiseAlarm } from '@tocsin/contract';
import type { Actor } from '../alarms/alarm-command.ts';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';

const tocsinItself: Actor = {
  name: 'Tocsin',
  subject: 'server',
  userId: undefined,
  stationIds: undefined,
  mayDefine: true,
};

/** What the system says of itself, as an alarm of the tenant it concerns. */
export type SystemAlarm = {
  tenantId: number;
  /** Below `tocsin/`. */
  path: string;
  raised: boolean;
  message: string;
};

/** What an alarm of the system may be besides: of the highest priority, at the first station, and calling nobody unless said. */
export type SystemAlarmBody = Pick<
  RaiseAlarm,
  'priority' | 'stationId' | 'resetMessage' | 'alarmActions' | 'eventCondition'
>;

/** Tells a tenant's operators that something is wrong with the calling, or right again. */
export async function tellSystemAlarm(
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
      // One that nobody has acknowledged yet is told again when it comes back.
      ...(raised && { priority: 1, eventCondition: { reactivatable: true } }),
      ...more,
    },
  });
}
