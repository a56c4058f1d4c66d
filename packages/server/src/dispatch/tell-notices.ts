import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import type { Runtime } from '../runtime.ts';
import type { TenantNotice } from './escalate-due.ts';
import { tellSystemAlarm } from './system-alarm.ts';

/** Says by an alarm what the escalation could not do by itself. */
export async function tellNotices(
  { log }: Runtime,
  writer: AlarmWriter,
  notices: readonly TenantNotice[],
): Promise<void> {
  for (const { tenantId, dutyId, tagId, notice } of notices) {
    log.warn({ tenantId, dutyId, tagId, notice }, 'escalation has something to say');
    const alarm = alarmOf(notice, tagId);
    if (!alarm) continue;
    try {
      await tellSystemAlarm(writer, { tenantId, raised: true, ...alarm });
    } catch (error) {
      log.error({ err: error, tenantId, dutyId }, 'system alarm was not raised');
    }
  }
}

function alarmOf(
  notice: TenantNotice['notice'],
  tagId: number | null,
): { path: string; message: string } | undefined {
  const about = tagId === null ? 'a call' : `alarm ${tagId}`;
  if (notice.kind === 'exhausted')
    return {
      path: `dispatch/exhausted/${tagId ?? 0}`,
      message: `Everybody was called for ${about} and nobody has acknowledged; the calling goes on`,
    };
  if (notice.kind === 'nobody-on-duty')
    return {
      path: `dispatch/nobody-on-duty/${notice.groupId}`,
      message: `Nobody of call group ${notice.groupId} is on duty for ${about}`,
    };
  return undefined;
}
