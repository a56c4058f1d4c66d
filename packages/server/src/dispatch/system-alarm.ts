import type { Actor } from '../alarms/alarm-command.ts';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';

const tocsinItself: Actor = { name: 'Tocsin', subject: 'server', userId: undefined, stationIds: undefined };

/** What the system says of itself, as an alarm of the tenant it concerns. */
export type SystemAlarm = {
  tenantId: number;
  /** Below `tocsin/`. */
  path: string;
  raised: boolean;
  message: string;
};

/** Tells a tenant's operators that something is wrong with the calling, or right again. */
export async function tellSystemAlarm(
  writer: AlarmWriter,
  { tenantId, path, raised, message }: SystemAlarm,
): Promise<void> {
  await writer.submit(tenantId, {
    kind: 'post',
    actor: tocsinItself,
    body: {
      path: `tocsin/${path}`,
      raised,
      priority: 1,
      alarmMessage: message,
      // One that nobody has acknowledged yet is told again when it comes back.
      eventCondition: { reactivatable: true },
    },
  });
}
