import { type IdParams, ListTagGroups, TagGroup, TagGroupBody, TagGroupPage } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { stationCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Principal } from '../http/principal.ts';
import type { AskedAction } from '../identity/approvals/approval-request.ts';
import { holdBack } from '../identity/approvals/hold-back.routes.ts';
import { refuseCycle } from '../postgres/chain.ts';
import { optionalReference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { isCommand } from './command-grant.ts';
import { actionsOfScenario, scenarioStore } from './scenario.store.ts';
import { type TagGroupRow, tagGroupStore } from './tag-group.store.ts';

/** Tag groups, as their routes and approved changes write them. */
export const tagGroupCollection = {
  path: 'taggroups',
  noun: 'tag group',
  permission: { read: 'plant:read', write: 'plant:write' },
  schema: { item: TagGroup, page: TagGroupPage, body: TagGroupBody, query: ListTagGroups },
  ...stationCollection({ ...tagGroupStore, toWire, check }),
} as const;

export function tagGroupRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    ...tagGroupCollection,
    holdBack: holdBack(runtime, 'commands', describeScenario),
  });
}

/** A group that gets a scenario with commands waits for a second person, because its alarms run them. */
async function describeScenario(
  transaction: TenantTransaction,
  request: FastifyRequest,
): Promise<AskedAction | undefined> {
  const body = request.body as TagGroupBody;
  const { id } = request.params as Partial<IdParams>;
  const { scenarioId = 0, name } = body;
  const all = { stationIds: undefined, forUpdate: false };
  const before = id === undefined ? undefined : await tagGroupStore.find(transaction, id, all);
  if (scenarioId === (before?.scenarioId ?? 0) || !(await hasCommands(transaction, scenarioId)))
    return undefined;
  const summary = `Give tag group ${name} scenario ${scenarioId}, whose commands its alarms run`;
  const of = before && id !== undefined ? { id, version: before.version } : {};
  const stationId = body.stationId || (before?.stationId ?? null);
  return { request: { action: 'commands', rows: 'taggroups', ...of, body }, summary, stationId };
}

async function check(
  { transaction, principal }: RequestContext,
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
  const reference = { id: before?.id ?? 0, next: parentId };
  await refuseCycle(transaction, { table: 'tagGroups', column: 'parentId' }, reference);
}

/** Alarms of the group run the commands of the scenario, so choosing the scenario requires the right to run them. */
async function requireCommandRight(
  transaction: TenantTransaction,
  { name, permissions }: Principal,
  scenarioId: number,
): Promise<void> {
  if (permissions.has('commands:run') || !(await hasCommands(transaction, scenarioId))) return;
  throw new ProblemError('not-allowed', `${name} lacks the permission commands:run`);
}

async function hasCommands(transaction: TenantTransaction, scenarioId: number): Promise<boolean> {
  const all = { stationIds: undefined, forUpdate: false };
  const scenario = await scenarioStore.find(transaction, scenarioId, all);
  return scenario !== undefined && actionsOfScenario(scenario).some(isCommand);
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
