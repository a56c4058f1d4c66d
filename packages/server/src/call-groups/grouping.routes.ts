import {
  CallGroupGrouping,
  CallGroupGroupingBody,
  CallGroupGroupingPage,
  ListCallGroupGroupings,
} from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import { refuseRing } from '../postgres/chain.ts';
import { listReferences, optionalReference, requireReferences } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import type { Runtime } from '../runtime.ts';
import {
  deleteGrouping,
  findGrouping,
  type GroupingRow,
  insertGrouping,
  listGroupings,
  updateGrouping,
} from './grouping.store.ts';

export function groupingRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'callgroupgroupings',
    noun: 'call group grouping',
    permission: { read: 'callgroups:read', write: 'callgroups:write' },
    schema: {
      item: CallGroupGrouping,
      page: CallGroupGroupingPage,
      body: CallGroupGroupingBody,
      query: ListCallGroupGroupings,
    },
    list: async ({ transaction, principal: { stationIds } }, query, page) => {
      const { rows, total } = await listGroupings(transaction, { ...query, stationIds }, page);
      return { items: rows.map(toWire), total };
    },
    find: async ({ transaction, principal: { stationIds } }, id, { forUpdate }) => {
      const row = await findGrouping(transaction, id, { stationIds, forUpdate });
      return row && { item: toWire(row), version: row.version };
    },
    create: async ({ transaction, principal }, body) => {
      requireWholeTenant(principal);
      await check(transaction, body, 0);
      return insertGrouping(transaction, body);
    },
    replace: async ({ transaction, principal }, id, body) => {
      requireWholeTenant(principal);
      await check(transaction, body, id);
      return updateGrouping(transaction, id, body);
    },
    remove: async ({ transaction, principal }, id) => {
      requireWholeTenant(principal);
      return deleteGrouping(transaction, id);
    },
  });
}

async function check(
  transaction: TenantTransaction,
  { parentId, callGroupIds = [] }: CallGroupGroupingBody,
  id: number,
): Promise<void> {
  await lockWrites(transaction, 'call-groups');
  // Only those who may see all stations come here.
  const stationIds = undefined;
  await requireReferences(transaction, 'callGroupGroupings', {
    references: optionalReference('/parentId', parentId),
    stationIds,
  });
  await requireReferences(transaction, 'callGroups', {
    references: listReferences('/callGroupIds', callGroupIds),
    stationIds,
  });
  await refuseRing(transaction, { table: 'callGroupGroupings', column: 'parentId' }, { id, next: parentId });
}

function toWire({
  id,
  name,
  localizedName,
  lastChange,
  parentId,
  callGroupIds,
}: GroupingRow): CallGroupGrouping {
  return {
    id,
    name,
    localizedName,
    lastChange: formatUtc(lastChange),
    parentId: parentId ?? 0,
    callGroupIds,
  };
}
