import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { errorCode } from '../../postgres/database.ts';
import type { Config } from '../../settings/config.ts';
import { CannotStart } from '../cannot-start.ts';
import { openRuntime } from '../open-runtime.ts';
import { deleteAccess } from './close-tenant.store.ts';
import { type DeletedFiles, deleteTenantFiles } from './delete-tenant-files.ts';
import { recordEnd, recordRows, recordStart } from './deletion-record.store.ts';
import { findTenant } from './find-tenant.ts';
import { orderTables } from './order-tables.ts';
import {
  asOwner,
  enterTenantAsOwner,
  inTransaction,
  listTenants,
  type NamedTenant,
  type OwnerClient,
} from './owner-connection.store.ts';
import { readTenantTables, type TenantTable } from './tenant-catalog.store.ts';
import { readTime } from './tenant-number.store.ts';
import { allowAuditDeletion, deleteRows, deleteTenantRow } from './tenant-rows.store.ts';

const usage = 'tenant-delete NAME --confirm NAME [--last]';

const options = { confirm: { type: 'string' }, last: { type: 'boolean', default: false } } as const;

export type DeletionResult = { tenantId: number; rows: Record<string, number>; files: DeletedFiles };

/** Servers cache sessions, keys and channels for 5 s at most; then no request of the tenant writes rows any more. */
const forgetMs = 6_000;
/** Rows that one transaction deletes, so that no lock is held for long. */
const batchRows = 2_000;
/** A job of a server may write a row while the tables are emptied, so they are emptied again. */
const maxPasses = 10;

/** The command `tenant-delete`: deletes all rows and files of a tenant, while the servers run. It can be repeated. */
export async function deleteTenant(config: Config, log: Logger, args: string[]): Promise<DeletionResult> {
  const { name, isLastAllowed } = readArguments(args);
  await (await openRuntime(config, log)).database.close();
  return asOwner(config, async (client) => {
    const tenants = await listTenants(client);
    const tenant = findTenant(tenants, name);
    if (!isLastAllowed && tenants.every(({ id, isClosed }) => id === tenant.id || isClosed))
      throw new CannotStart([
        'This is the only tenant of the installation: add --last to delete it all the same.',
      ]);
    await closeTenant(client, tenant);
    log.info({ tenantId: tenant.id }, 'tenant closed; its rows are deleted in a few seconds');
    await sleep(forgetMs);
    await deleteAllRows(client, tenant.id, log);
    const rows = await recordEnd(client, tenant.id);
    const files = await deleteTenantFiles(config, tenant.id, await readTime(client));
    return { tenantId: tenant.id, rows, files };
  });
}

function readArguments(args: string[]) {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new CannotStart([`Name one tenant: ${usage}`]);
  if (values.confirm !== name)
    throw new CannotStart([
      `All data of the tenant would be lost: repeat its name after --confirm. ${usage}`,
    ]);
  return { name, isLastAllowed: values.last };
}

/** Nobody can log in and no call is made from now on; servers notice within 5 s. */
async function closeTenant(client: OwnerClient, tenant: NamedTenant): Promise<void> {
  await inTransaction(client, async () => {
    await enterTenantAsOwner(client, tenant.id);
    await recordStart(client, tenant);
    for (const [table, count] of await deleteAccess(client, tenant.id))
      if (count > 0) await recordRows(client, tenant.id, table, count);
  });
}

async function deleteAllRows(client: OwnerClient, tenantId: number, log: Logger): Promise<void> {
  const tables = orderTables(await readTenantTables(client))
    .filter(({ name }) => name !== 'tenants')
    .toReversed();
  for (let pass = 1; pass <= maxPasses; pass++) {
    let deleted = 0;
    for (const table of tables) deleted += await emptyTable(client, table, { tenantId, log });
    const isGone = await deleteTenantItself(client, tenantId);
    if (deleted === 0 && isGone) return;
  }
  throw new CannotStart(['A server still writes rows of the tenant: run the command again to continue.']);
}

async function emptyTable(
  client: OwnerClient,
  { name, tenantColumn, parts, refersTo }: TenantTable,
  { tenantId, log }: { tenantId: number; log: Logger },
): Promise<number> {
  // Rows that refer to each other are deleted by one statement, after which foreign keys are checked.
  const limit = refersTo.includes(name) ? null : batchRows;
  let total = 0;
  for (const part of parts) {
    for (let count = -1; count !== 0; total += count) {
      count = await inTransaction(client, async () => {
        await enterTenantAsOwner(client, tenantId);
        await allowAuditDeletion(client);
        const deleted = await deleteRows(client, { part, tenantColumn }, { tenantId, limit });
        if (deleted > 0) await recordRows(client, tenantId, name, deleted);
        return deleted;
      });
    }
  }
  if (total > 0) log.info({ tenantId, table: name, rows: total }, 'rows deleted');
  return total;
}

const foreignKeyViolation = '23503';

/** False if a row of another table still refers to the tenant. */
async function deleteTenantItself(client: OwnerClient, tenantId: number): Promise<boolean> {
  try {
    await inTransaction(client, async () => {
      await enterTenantAsOwner(client, tenantId);
      await deleteTenantRow(client, tenantId);
    });
    return true;
  } catch (error) {
    if (errorCode(error) !== foreignKeyViolation) throw error;
    return false;
  }
}
