import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { tellSystemAlarm } from './system-alarm.ts';
import { listUntold, saveTold, takeUntold } from './untold-alarm.store.ts';

/** So soon another server tells what one has died over. */
const takenSeconds = 10;

/** Posts the alarms that transactions have asked for. What a server dies over is posted again, as a repeat. */
export async function tellSystemAlarms(
  { database, log }: Pick<Runtime, 'database' | 'log'>,
  writer: AlarmWriter,
): Promise<void> {
  const tenantIds = await outsideTenants(database, listUntold);
  const tell = async (tenantId: number) => {
    const untold = await inTenant(database, tenantId, (transaction) =>
      takeUntold(transaction, addSeconds(transaction.now, takenSeconds)),
    );
    for (const one of untold) {
      const { path, raised, message, more } = one;
      const besides = raised ? { eventCondition: { reactivatable: false }, ...more } : {};
      await tellSystemAlarm(writer, { tenantId, path, raised, message }, besides);
      await inTenant(database, tenantId, (transaction) => saveTold(transaction, one));
    }
  };
  await Promise.all(
    tenantIds.map((tenantId) =>
      tell(tenantId).catch((error: unknown) =>
        log.error({ err: error, tenantId }, 'system alarms were not told'),
      ),
    ),
  );
}
