import { endSystemAlarms, listRaisedSystemAlarms } from '../escalations/system-alarm.store.ts';
import { listOpenSessions } from '../people/self-service/user-session.store.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { tenantsWithSystemAlarms } from './tenants-with-work.store.ts';

/** The database raises the alarm when a session of a break-glass account is opened. */
const kind = 'break-glass';

/** Ends the alarms of break-glass accounts that are no longer signed in. They stay until somebody acknowledges them. */
export async function endBreakGlassAlarms({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, (transaction) =>
    tenantsWithSystemAlarms(transaction, kind),
  );
  await forEachTenant(tenantIds, { log, job: 'end break-glass alarms' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      const raised = (await listRaisedSystemAlarms(transaction)).filter((alarm) => alarm.kind === kind);
      const over = [];
      for (const alarm of raised)
        if ((await listOpenSessions(transaction, alarm.subject)).length === 0) over.push(alarm);
      if (over.length > 0) await endSystemAlarms(transaction, over);
    }),
  );
}
