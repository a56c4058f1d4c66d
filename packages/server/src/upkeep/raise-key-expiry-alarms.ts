import { addSeconds, formatUtc } from '@tocsin/domain';
import {
  endSystemAlarms,
  listRaisedSystemAlarms,
  raiseSystemAlarms,
  type SystemAlarmDraft,
} from '../escalations/system-alarm.store.ts';
import { type ExpiringKey, listExpiringKeys } from '../identity/api-keys/expiring-key.store.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { tenantsWithExpiringKeys, tenantsWithSystemAlarms } from './tenants-with-work.store.ts';

const kind = 'api-key';
const noticeSeconds = 30 * 86_400;

/**
 * Raises a system alarm for each API key that is in use and expires within 30 days, because the alarms of a gateway with
 * an expired key are refused. The alarm ends when the key is revoked or no longer used.
 */
export async function raiseKeyExpiryAlarms({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, listTenants);
  await forEachTenant(tenantIds, { log, job: 'raise key expiry alarms' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      const ending = await listExpiringKeys(transaction, noticeSeconds);
      if (ending.length > 0) await raiseSystemAlarms(transaction, ending.map(alarmOf), transaction.now);
      const isEnding = new Set(ending.map(({ id }) => id));
      const raised = await listRaisedSystemAlarms(transaction);
      const over = raised.filter((alarm) => alarm.kind === kind && !isEnding.has(alarm.subject));
      if (over.length > 0) await endSystemAlarms(transaction, over);
    }),
  );
}

/** Tenants in which an alarm may have to be raised or ended. */
async function listTenants(transaction: TenantTransaction): Promise<Set<number>> {
  const { now } = transaction;
  const ages = { usedSince: addSeconds(now, -noticeSeconds), until: addSeconds(now, noticeSeconds) };
  const expiring = await tenantsWithExpiringKeys(transaction, ages);
  return new Set([...expiring, ...(await tenantsWithSystemAlarms(transaction, kind))]);
}

function alarmOf({ id, name, expiresAt }: ExpiringKey): SystemAlarmDraft {
  const key = `API key ${name} (${id})`;
  const end = `${formatUtc(expiresAt)} UTC`;
  return {
    path: `apikeys/${id}`,
    kind,
    subject: id,
    cause: end,
    message: `${key} is in use and expires at ${end}: give its machine another one (replacesId: ${id}) and revoke this one`,
    extraMembers: { resetMessage: `${key} is no longer in use` },
  };
}
