import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { lockWrites } from '../../postgres/write-lock.ts';
import { deleteMonitorAlarm, readMonitorAlarms, saveMonitorAlarm } from './monitor-alarm.store.ts';
import { postSystemAlarm, type SystemAlarmBody } from './system-alarm.ts';

/** A system alarm that a monitor raises until the fault is corrected. */
export type MonitorAlarm = {
  /** Below `tocsin/`, in the folder of its kind. */
  path: string;
  message: string;
  more?: SystemAlarmBody;
};

/**
 * Updates the system alarms of one kind in a tenant: raises new ones, resets those that are over, and updates changed
 * messages. A lock makes sure that of several servers only one does so.
 */
export async function raiseMonitorAlarms(
  { database }: Runtime,
  writer: AlarmWriter,
  tenantId: number,
  {
    folder,
    find,
  }: { folder: string; find: (transaction: TenantTransaction) => Promise<readonly MonitorAlarm[]> },
): Promise<void> {
  await inTenant(database, tenantId, async (transaction) => {
    await lockWrites(transaction, 'monitor-alarms');
    const current = await find(transaction);
    const raised = await readMonitorAlarms(transaction, folder);
    // Posted before it is stored: if the server dies in between, the alarm is posted again, as a repeat.
    for (const { path, message, more } of current) {
      if (raised.get(path) === message) continue;
      await postSystemAlarm(writer, { tenantId, path, raised: true, message }, more);
      await saveMonitorAlarm(transaction, { path, message });
    }
    for (const [path, message] of raised) {
      if (current.some((one) => one.path === path)) continue;
      await postSystemAlarm(writer, { tenantId, path, raised: false, message });
      await deleteMonitorAlarm(transaction, path);
    }
  });
}
