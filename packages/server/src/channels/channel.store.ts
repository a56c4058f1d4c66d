import type { ListChannels } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import type { PageRequest } from '../http/page.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type ChannelRow = {
  id: number;
  name: string;
  kind: string;
  medium: string;
  priority: number;
  enabled: boolean;
  settings: unknown;
  secrets: Buffer | null;
  version: number;
  lastChange: Date;
};

export type NewChannel = {
  name: string;
  kind: string;
  medium: string;
  priority: number;
  enabled: boolean;
  settings: object;
  /** Seals the secrets for the channel of this id, or gives null when there are none. */
  sealSecrets: (id: number) => Buffer | null;
};

const columns = [
  'id',
  'name',
  'kind',
  'medium',
  'priority',
  'enabled',
  'settings',
  'secrets',
  'version',
  'lastChange',
] as const;

export async function listChannels(
  transaction: TenantTransaction,
  { search, medium }: ListChannels,
  page: PageRequest,
): Promise<{ rows: ChannelRow[]; total: number }> {
  const query = transaction
    .selectFrom('channels')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search));
  return readPage(medium === undefined ? query : query.where('medium', '=', medium), page);
}

export async function findChannel(
  transaction: TenantTransaction,
  id: number,
  { forUpdate }: { forUpdate: boolean },
): Promise<ChannelRow | undefined> {
  const query = transaction
    .selectFrom('channels')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id);
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

export async function insertChannel(transaction: TenantTransaction, channel: NewChannel): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'channel');
  await transaction
    .insertInto('channels')
    .values({ tenantId, id, ...channelColumns(id, channel), lastChange: now })
    .execute();
  return id;
}

export async function updateChannel(
  transaction: TenantTransaction,
  id: number,
  channel: NewChannel,
): Promise<void> {
  await transaction
    .updateTable('channels')
    .set(({ eb }) => ({
      ...channelColumns(id, channel),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteChannel(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('channels')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function channelColumns(id: number, { name, settings, sealSecrets, ...rest }: NewChannel) {
  return {
    ...rest,
    name,
    searchText: searchText([name]),
    settings: JSON.stringify(settings),
    secrets: sealSecrets(id),
  };
}

/** Every channel that is in use, those of a medium in the order they are tried. */
export async function listEnabledChannels(transaction: TenantTransaction): Promise<ChannelRow[]> {
  return transaction
    .selectFrom('channels')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('enabled', '=', true)
    .orderBy('medium')
    .orderBy('priority')
    .orderBy('id')
    .execute();
}

/** The channels that have secrets. Nobody changes them until the transaction has ended. */
export async function listSealedChannels(
  transaction: TenantTransaction,
): Promise<{ id: number; secrets: Buffer }[]> {
  const rows = await transaction
    .selectFrom('channels')
    .select(['id', 'secrets'])
    .where('tenantId', '=', transaction.tenantId)
    .where('secrets', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.flatMap(({ id, secrets }) => (secrets === null ? [] : [{ id, secrets }]));
}

/** The channel stays what it is to everybody: only its seal is new. */
export async function updateChannelSecrets(
  transaction: TenantTransaction,
  id: number,
  secrets: Buffer,
): Promise<void> {
  await transaction
    .updateTable('channels')
    .set({ secrets })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}
