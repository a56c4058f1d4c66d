import { addSeconds } from '@tocsin/domain';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../../postgres/tenant-transaction.ts';
import { postSystemAlarm } from './system-alarm.ts';
import { claimUnreported, listUnreported, markReported } from './unreported-alarm.store.ts';

/** After this time another server may report the alarm: the first one has died. */
const claimSeconds = 10;

/** Posts the system alarms that transactions have stored. If the server dies meanwhile, they are posted again, as repeats. */
export async function reportSystemAlarms(
  { database, log }: Pick<Runtime, 'database' | 'log'>,
  writer: AlarmWriter,
): Promise<void> {
  const tenantIds = await outsideTenants(database, listUnreported);
  const report = async (tenantId: number) => {
    const unreported = await inTenant(database, tenantId, (transaction) =>
      claimUnreported(transaction, addSeconds(transaction.now, claimSeconds)),
    );
    for (const one of unreported) {
      const { path, raised, message, extraMembers } = one;
      const extra = raised ? { eventCondition: { reactivatable: false }, ...extraMembers } : {};
      await postSystemAlarm(writer, { tenantId, path, raised, message }, extra);
      await inTenant(database, tenantId, (transaction) => markReported(transaction, one));
    }
  };
  await Promise.all(
    tenantIds.map((tenantId) =>
      report(tenantId).catch((error: unknown) =>
        log.error({ err: error, tenantId }, 'system alarms were not reported'),
      ),
    ),
  );
}
