import { sql } from 'kysely';
import { stationInScope } from '../postgres/collections/filters.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The call groups of each grouping that the caller may see. */
export async function readGroupsOf(
  transaction: TenantTransaction,
  groupingIds: readonly number[],
  { stationIds }: StationScope,
): Promise<(groupingId: number) => number[]> {
  const rows = await transaction
    .selectFrom('callGroups')
    .select(['id', 'groupingId'])
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`grouping_id = any(${[...groupingIds]}::bigint[])`)
    .where(stationInScope('stationId', stationIds))
    .orderBy('id')
    .execute();
  const groups = Map.groupBy(rows, ({ groupingId }) => groupingId);
  return (groupingId) => (groups.get(groupingId) ?? []).map(({ id }) => id);
}

/** Makes these the call groups of the grouping, and returns the groupings they were in before. */
export async function saveGroupsOf(
  transaction: TenantTransaction,
  groupingId: number,
  callGroupIds: readonly number[],
): Promise<number[]> {
  const { tenantId } = transaction;
  const isChosen = sql<boolean>`id = any(${[...callGroupIds]}::bigint[])`;
  const former = await transaction
    .selectFrom('callGroups')
    .select('groupingId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where(isChosen)
    .where('groupingId', '<>', groupingId)
    .execute();
  await setGrouping(transaction, null)
    .where('groupingId', '=', groupingId)
    .where(sql<boolean>`not ${isChosen}`)
    .execute();
  await setGrouping(transaction, groupingId)
    .where(isChosen)
    .where('groupingId', 'is distinct from', groupingId)
    .execute();
  return former.flatMap(({ groupingId }) => groupingId ?? []);
}

function setGrouping(transaction: TenantTransaction, groupingId: number | null) {
  return transaction
    .updateTable('callGroups')
    .set(({ eb }) => ({ groupingId, version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId);
}
