import { sql } from 'kysely';
import type { StationScope } from '../plant/station-collection.ts';
import { stationInScope } from '../postgres/filters.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The call groups in each of the groupings, as far as they are in scope. */
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

/** Puts exactly these call groups into the grouping, and answers the groupings they were in before. */
export async function saveGroupsOf(
  transaction: TenantTransaction,
  groupingId: number,
  callGroupIds: readonly number[],
): Promise<number[]> {
  const { tenantId } = transaction;
  const wanted = sql<boolean>`id = any(${[...callGroupIds]}::bigint[])`;
  const left = await transaction
    .selectFrom('callGroups')
    .select('groupingId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where(wanted)
    .where('groupingId', '<>', groupingId)
    .execute();
  await setGrouping(transaction, null)
    .where('groupingId', '=', groupingId)
    .where(sql<boolean>`not ${wanted}`)
    .execute();
  await setGrouping(transaction, groupingId)
    .where(wanted)
    .where('groupingId', 'is distinct from', groupingId)
    .execute();
  return left.flatMap(({ groupingId }) => groupingId ?? []);
}

function setGrouping(transaction: TenantTransaction, groupingId: number | null) {
  return transaction
    .updateTable('callGroups')
    .set(({ eb }) => ({ groupingId, version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId);
}
