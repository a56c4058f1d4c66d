import { ListTagGroups, TagGroup, TagGroupBody, TagGroupPage } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import { refuseRing } from '../postgres/chain.ts';
import { optionalReference, requireReferences } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { withinStations } from './station-collection.ts';
import {
  deleteTagGroup,
  findTagGroup,
  insertTagGroup,
  listTagGroups,
  type TagGroupRow,
  updateTagGroup,
} from './tag-group.store.ts';

export function tagGroupRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'taggroups',
    noun: 'tag group',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: TagGroup, page: TagGroupPage, body: TagGroupBody, query: ListTagGroups },
    ...withinStations({
      list: listTagGroups,
      find: findTagGroup,
      insert: insertTagGroup,
      update: updateTagGroup,
      remove: deleteTagGroup,
      toWire,
      check,
    }),
  });
}

async function check(
  transaction: TenantTransaction,
  { stationId, parentId, scenarioId }: TagGroupBody,
  id: number,
): Promise<void> {
  await requireReferences(transaction, 'stations', optionalReference('/stationId', stationId));
  await requireReferences(transaction, 'tagGroups', optionalReference('/parentId', parentId));
  await requireReferences(transaction, 'scenarios', optionalReference('/scenarioId', scenarioId));
  await refuseRing(transaction, { table: 'tagGroups', column: 'parentId' }, { id, next: parentId });
}

function toWire(row: TagGroupRow): TagGroup {
  const { id, name, localizedName, parentId, stationId, autoAcknowledge, scenarioId, lastChange } = row;
  return {
    id,
    name,
    localizedName,
    lastChange: formatUtc(lastChange),
    parentId: parentId ?? 0,
    stationId: stationId ?? 0,
    autoAcknowledge,
    scenarioId: scenarioId ?? 0,
  };
}
