import type { CallGroup, ListCallGroups } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { StationScope } from '../plant/station-collection.ts';
import { idMatches, stationInScope } from '../postgres/filters.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import { type CallGroupParts, readParts, saveParts } from './call-group-parts.store.ts';

export type CallGroupRecord = CallGroupParts & {
  name: string;
  localizedName: string;
  /** Null: all stations. */
  stationId: number | null;
  mode: CallGroup['mode'];
  /** Seconds. */
  ackTimeout: number;
  attempts: number;
  cycles: number;
  slotMinutes: CallGroup['roster']['slotMinutes'];
  reliefGroupId: number | null;
  groupingId: number | null;
};

export type CallGroupRow = CallGroupRecord & {
  id: number;
  /** In which the roster is read. */
  timeZone: string;
  version: number;
  lastChange: Date;
};

const columns = [
  'id',
  'name',
  'localizedName',
  'stationId',
  sql<CallGroup['mode']>`mode`.as('mode'),
  'ackTimeout',
  'attempts',
  'cycles',
  sql<CallGroup['roster']['slotMinutes']>`slot_minutes`.as('slotMinutes'),
  'reliefGroupId',
  'groupingId',
  'version',
  'lastChange',
  sql<string>`coalesce(
    (select s.time_zone from stations s
     where s.tenant_id = call_groups.tenant_id and s.id = call_groups.station_id),
    (select s.time_zone from stations s where s.tenant_id = call_groups.tenant_id order by s.id limit 1),
    'UTC')`.as('timeZone'),
] as const;

export async function listCallGroups(
  transaction: TenantTransaction,
  { search, stationId, groupingId, stationIds }: ListCallGroups & StationScope,
  page: PageRequest,
): Promise<{ rows: CallGroupRow[]; total: number }> {
  const query = transaction
    .selectFrom('callGroups')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search))
    .where(idMatches('stationId', stationId))
    .where(idMatches('groupingId', groupingId))
    .where(stationInScope('stationId', stationIds));
  const { rows, total } = await readPage(query, page);
  const parts = await readParts(
    transaction,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => Object.assign(row, parts(row.id))), total };
}

export async function findCallGroup(
  transaction: TenantTransaction,
  id: number,
  { stationIds, forUpdate }: StationScope & { forUpdate: boolean },
): Promise<CallGroupRow | undefined> {
  if (forUpdate) await lockWrites(transaction, 'call-groups');
  const query = transaction
    .selectFrom('callGroups')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where(stationInScope('stationId', stationIds));
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return undefined;
  const parts = await readParts(transaction, [id]);
  return { ...row, ...parts(id) };
}

export async function insertCallGroup(
  transaction: TenantTransaction,
  group: CallGroupRecord,
): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'call-group');
  await transaction
    .insertInto('callGroups')
    .values({ tenantId, id, ...callGroupColumns(group), lastChange: now })
    .execute();
  await saveParts(transaction, id, group);
  return id;
}

export async function updateCallGroup(
  transaction: TenantTransaction,
  id: number,
  group: CallGroupRecord,
): Promise<void> {
  await transaction
    .updateTable('callGroups')
    .set(({ eb }) => ({
      ...callGroupColumns(group),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  await saveParts(transaction, id, group);
}

export async function deleteCallGroup(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('callGroups')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function callGroupColumns(group: CallGroupRecord) {
  const { userIds: _users, teams: _teams, slots: _slots, overrides: _overrides, ...columns } = group;
  return { ...columns, searchText: searchText([group.name, group.localizedName]) };
}
