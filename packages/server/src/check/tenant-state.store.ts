import { type ChannelRow, listEnabledChannels } from '../channels/channel.store.ts';
import { readCallDirectory } from '../escalations/call-directory.store.ts';
import type { CallDirectory } from '../escalations/call-directory.ts';
import { listTenantIds, readTenantSettings } from '../people/tenant.store.ts';
import { countOtherAdministrators } from '../people/user-use.store.ts';
import type { Database } from '../postgres/database.ts';
import { outsideTenants, readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The configuration of a tenant, as far as it is examined. */
export type TenantState = {
  readonly id: number;
  readonly name: string;
  readonly now: Date;
  readonly administrators: number;
  readonly stations: readonly { readonly name: string; readonly timeZone: string }[];
  readonly directory: CallDirectory;
  /** Enabled ones. */
  readonly channels: readonly ChannelRow[];
};

export type TenantStates = { readonly tenants: readonly TenantState[]; readonly total: number };

/** A large installation is examined in part, so that the command ends in time. */
const maxTenants = 200;

export async function readTenantStates(database: Database): Promise<TenantStates> {
  const ids = await outsideTenants(database, listTenantIds);
  const tenants: TenantState[] = [];
  for (const id of ids.slice(0, maxTenants)) tenants.push(await readTenant(database, id, readState));
  return { tenants, total: ids.length };
}

/** No user has the id 0, so that all administrators are counted. */
const nobody = 0;

async function readState(transaction: TenantTransaction): Promise<TenantState> {
  const { tenantId: id, now } = transaction;
  const { name } = await readTenantSettings(transaction);
  return {
    id,
    name,
    now,
    administrators: await countOtherAdministrators(transaction, nobody),
    stations: await transaction
      .selectFrom('stations')
      .select(['name', 'timeZone'])
      .where('tenantId', '=', id)
      .orderBy('id')
      .execute(),
    directory: await readCallDirectory(transaction),
    channels: await listEnabledChannels(transaction),
  };
}
