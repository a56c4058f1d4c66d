import type { CallGroup, ListCallGroups } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { createCollectionStore } from '../postgres/collections/collection-store.ts';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
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
  rotationWeeks: number;
  /** `2026-11-16`: a day of week 1. */
  rotationStart: string;
  reliefGroupId: number | null;
  groupingId: number | null;
};

export type CallGroupRow = CallGroupRecord & {
  id: number;
  /** The time zone of the roster. */
  timeZone: string;
  version: number;
  lastChange: Date;
};

/** The rows of call groups without their parts. */
const callGroupRows = createCollectionStore({
  table: 'callGroups',
  kind: 'call-group',
  columns: [
    'id',
    'name',
    'localizedName',
    'stationId',
    sql<CallGroup['mode']>`mode`.as('mode'),
    'ackTimeout',
    'attempts',
    'cycles',
    sql<CallGroup['roster']['slotMinutes']>`slot_minutes`.as('slotMinutes'),
    'rotationWeeks',
    sql<string>`rotation_start::text`.as('rotationStart'),
    'reliefGroupId',
    'groupingId',
    'version',
    'lastChange',
    sql<string>`coalesce(
      (select s.time_zone from stations s
       where s.tenant_id = call_groups.tenant_id and s.id = call_groups.station_id),
      (select s.time_zone from stations s where s.tenant_id = call_groups.tenant_id order by s.id limit 1),
      'UTC')`.as('timeZone'),
  ],
  filters: ['stationId', 'groupingId'],
  writeLock: 'call-groups',
  toColumns: callGroupColumns,
});

export async function listCallGroups(
  transaction: TenantTransaction,
  query: ListCallGroups & StationScope,
  page: PageBounds,
): Promise<PageOfRows<CallGroupRow>> {
  const { rows, total } = await callGroupRows.list(transaction, query, page);
  const parts = await readParts(
    transaction,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => Object.assign(row, parts(row.id))), total };
}

export async function findCallGroup(
  transaction: TenantTransaction,
  id: number,
  options: StationScope & { forUpdate: boolean },
): Promise<CallGroupRow | undefined> {
  const row = await callGroupRows.find(transaction, id, options);
  if (!row) return undefined;
  const parts = await readParts(transaction, [id]);
  return { ...row, ...parts(id) };
}

export async function insertCallGroup(
  transaction: TenantTransaction,
  group: CallGroupRecord,
): Promise<number> {
  const id = await callGroupRows.insert(transaction, group);
  await saveParts(transaction, id, group);
  return id;
}

export async function updateCallGroup(
  transaction: TenantTransaction,
  id: number,
  group: CallGroupRecord,
): Promise<void> {
  await callGroupRows.update(transaction, id, group);
  await saveParts(transaction, id, group);
}

export const deleteCallGroup = callGroupRows.remove;

function callGroupColumns(group: CallGroupRecord) {
  const {
    userIds: _users,
    teams: _teams,
    slots: _slots,
    overrides: _overrides,
    holidays: _holidays,
    ...columns
  } = group;
  return { ...columns, searchText: searchText([group.name, group.localizedName]) };
}
