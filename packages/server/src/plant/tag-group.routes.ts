import { ListTagGroups, TagGroup, TagGroupBody, TagGroupPage } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { collectionRoutes, type Visit } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Principal } from '../http/principal.ts';
import { refuseRing } from '../postgres/chain.ts';
import { optionalReference, requireReferences } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { isCommand } from './command-grant.ts';
import { actionsOfScenario, findScenario } from './scenario.store.ts';
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
  { transaction, principal }: Visit,
  { stationId, parentId, scenarioId }: TagGroupBody,
  before: TagGroupRow | undefined,
): Promise<void> {
  const { stationIds } = principal;
  await requireReferences(transaction, 'stations', {
    references: optionalReference('/stationId', stationId),
    stationIds,
  });
  await requireReferences(transaction, 'tagGroups', {
    references: optionalReference('/parentId', parentId),
    stationIds,
    kept: [before?.parentId ?? null],
  });
  await requireReferences(transaction, 'scenarios', {
    references: optionalReference('/scenarioId', scenarioId),
    stationIds,
    kept: [before?.scenarioId ?? null],
  });
  if (scenarioId && scenarioId !== before?.scenarioId)
    await requireCommandRight(transaction, principal, scenarioId);
  const ring = { id: before?.id ?? 0, next: parentId };
  await refuseRing(transaction, { table: 'tagGroups', column: 'parentId' }, ring);
}

/** The alarms of the group will run the commands of the scenario, so whoever names it must have the right to. */
async function requireCommandRight(
  transaction: TenantTransaction,
  { name, permissions }: Principal,
  scenarioId: number,
): Promise<void> {
  if (permissions.has('commands:run')) return;
  const scenario = await findScenario(transaction, scenarioId, { stationIds: undefined, forUpdate: false });
  if (!scenario || !actionsOfScenario(scenario).some(isCommand)) return;
  throw new ProblemError('not-allowed', `${name} lacks the permission commands:run`);
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
