import { formatUtc } from '@tocsin/domain';
import {
  endSystemAlarms,
  listRaisedSystemAlarms,
  raiseSystemAlarms,
  type SystemAlarmDraft,
} from './duties/system-alarm.store.ts';
import { type EndingKey, listEndingKeys } from './identity/ending-key.store.ts';
import { listTenantIds } from './people/tenant.store.ts';
import { forEachTenant } from './postgres/each-tenant.ts';
import { inTenant, outsideTenants } from './postgres/tenant-transaction.ts';
import type { Runtime } from './runtime.ts';

const kind = 'api-key';
const warnSeconds = 30 * 86_400;

/**
 * Raises a system alarm for each API key that is in use and expires within 30 days, because a gateway whose key has expired
 * is refused with its alarms. The alarm ends when the key is revoked or is not used any more.
 */
export async function warnOfEndingKeys({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, listTenantIds);
  await forEachTenant(tenantIds, { log, job: 'warn of ending keys' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      const ending = await listEndingKeys(transaction, warnSeconds);
      if (ending.length > 0) await raiseSystemAlarms(transaction, ending.map(alarmOf), transaction.now);
      const isEnding = new Set(ending.map(({ id }) => id));
      const raised = await listRaisedSystemAlarms(transaction);
      const over = raised.filter((alarm) => alarm.kind === kind && !isEnding.has(alarm.subject));
      if (over.length > 0) await endSystemAlarms(transaction, over);
    }),
  );
}

function alarmOf({ id, name, expiresAt }: EndingKey): SystemAlarmDraft {
  const key = `API key ${name} (${id})`;
  const end = `${formatUtc(expiresAt)} UTC`;
  return {
    path: `apikeys/${id}`,
    kind,
    subject: id,
    cause: end,
    message: `${key} is in use and expires at ${end}: give its machine another one (replacesId: ${id}) and revoke this one`,
    more: { resetMessage: `${key} is no longer in use` },
  };
}
