import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import type { Runtime } from '../runtime.ts';
import { type SystemAlarmBody, tellSystemAlarm } from './system-alarm.ts';
import { deleteWarning, readWarnings, saveWarning } from './warnings.store.ts';

/** Something that is wrong until it is put right. */
export type Warning = {
  /** Below `tocsin/`, in the folder of its kind. */
  path: string;
  message: string;
  more?: SystemAlarmBody;
};

/**
 * Brings the system alarms of one kind in a tenant up to what is wrong now: raises what is new, resets what is over, and
 * tells what reads differently. Of several servers one does so at a time, and each thing is told once.
 */
export async function tellWarnings(
  { database }: Runtime,
  writer: AlarmWriter,
  tenantId: number,
  { folder, find }: { folder: string; find: (transaction: TenantTransaction) => Promise<readonly Warning[]> },
): Promise<void> {
  await inTenant(database, tenantId, async (transaction) => {
    await lockWrites(transaction, 'warnings');
    const wrong = await find(transaction);
    const told = await readWarnings(transaction, folder);
    // Said first, and then noted: what a server that dies in between has said is said again, as a repeat.
    for (const { path, message, more } of wrong) {
      if (told.get(path) === message) continue;
      await tellSystemAlarm(writer, { tenantId, path, raised: true, message }, more);
      await saveWarning(transaction, { path, message });
    }
    for (const [path, message] of told) {
      if (wrong.some((one) => one.path === path)) continue;
      await tellSystemAlarm(writer, { tenantId, path, raised: false, message });
      await deleteWarning(transaction, path);
    }
  });
}
