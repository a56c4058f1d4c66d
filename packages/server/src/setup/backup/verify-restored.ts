import type { Logger } from 'pino';
import { appendAudit } from '../../audit/audit.store.ts';
import { systemOrigin } from '../../audit/audit-entry.ts';
import { verifyStoredTrail } from '../../audit/verify-stored-trail.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import type { Config } from '../../settings/config.ts';
import { openRuntime } from '../open-runtime.ts';
import { asOwner, enterTenantAsOwner, inTransaction } from '../tenants/owner-connection.store.ts';
import { countJournalGaps, readContent } from './content.store.ts';
import type { Manifest, TenantContent } from './manifest.ts';

/** Compares the restored database with the manifest: rows, journals without gaps. Returns the differences. */
export async function contentFaults(config: Config, { tenants }: Manifest): Promise<string[]> {
  return asOwner(config, async (client) => {
    const faults: string[] = [];
    for (const tenant of tenants)
      await inTransaction(client, async () => {
        await enterTenantAsOwner(client, tenant.id);
        const found = await readContent(client, tenant);
        faults.push(...differences(tenant, found));
        const gaps = await countJournalGaps(client, tenant.id);
        if (gaps > 0) faults.push(`tenant ${tenant.id}: ${gaps} entries of the journal are missing`);
      });
    return faults;
  });
}

function differences(wanted: TenantContent, found: TenantContent): string[] {
  if (wanted.rows === found.rows && wanted.journalEnd === found.journalEnd) return [];
  return [
    `tenant ${wanted.id}: ${found.rows} rows and a journal up to ${found.journalEnd}, not ${wanted.rows} and ${wanted.journalEnd}`,
  ];
}

/** Verifies the audit trail of each tenant as `audit verify` does, and then writes the restore into it. */
export async function trailFaults(config: Config, log: Logger, manifest: Manifest): Promise<string[]> {
  const { database } = await openRuntime(config, log);
  try {
    const faults: string[] = [];
    for (const { id } of manifest.tenants) {
      const { fault } = await readTenant(database, id, (transaction) =>
        verifyStoredTrail(transaction, Number.MAX_SAFE_INTEGER),
      );
      if (fault) faults.push(`tenant ${id}, audit entry ${fault.entry}: ${fault.text}`);
    }
    if (faults.length > 0) return faults;
    for (const { id } of manifest.tenants)
      await inTenant(database, id, (transaction) => {
        const object = { kind: 'database', id: '' };
        const act = { action: 'database.restore', object, after: { takenAt: manifest.takenAt } };
        return appendAudit(transaction, [{ ...systemOrigin, ...act }], transaction.now);
      });
    return [];
  } finally {
    await database.close();
  }
}
