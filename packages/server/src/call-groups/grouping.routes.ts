import {
  CallGroupGrouping,
  CallGroupGroupingBody,
  CallGroupGroupingPage,
  ListCallGroupGroupings,
} from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { collectionRoutes } from '../http/collection.routes.ts';
import { tenantCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import { refuseCycle } from '../postgres/chain.ts';
import { listReferences, optionalReference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
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
    ...tenantCollection({
      list: listGroupings,
      find: findGrouping,
      insert: insertGrouping,
      update: updateGrouping,
      remove: deleteGrouping,
      toWire,
      check,
    }),
  });
}

async function check(
  transaction: TenantTransaction,
  { parentId, callGroupIds = [] }: CallGroupGroupingBody,
  id: number,
): Promise<void> {
  await lockWrites(transaction, 'call-groups');
  // Callers limited to stations were refused before.
  const stationIds = undefined;
  await requireReferences(transaction, 'callGroupGroupings', {
    references: optionalReference('/parentId', parentId),
    stationIds,
  });
  await requireReferences(transaction, 'callGroups', {
    references: listReferences('/callGroupIds', callGroupIds),
    stationIds,
  });
  await refuseCycle(transaction, { table: 'callGroupGroupings', column: 'parentId' }, { id, next: parentId });
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
