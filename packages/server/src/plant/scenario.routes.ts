import { isDeepStrictEqual } from 'node:util';
import {
  type Action,
  type IdParams,
  ListByStation,
  Scenario,
  ScenarioBody,
  ScenarioPage,
} from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import type { FastifyRequest } from 'fastify';
import { invalid, ProblemError } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { stationCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { AskedAction } from '../identity/approvals/approval-request.ts';
import { holdBack } from '../identity/approvals/hold-back.routes.ts';
import { optionalReference, type Reference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { callGroupIdsOf, storedActions, userIdsOf } from './action.wire.ts';
import { isCommand } from './command-grant.ts';
import { actionsOfScenario, findTagOfScenario, type ScenarioRow, scenarioStore } from './scenario.store.ts';

const scenarios = stationCollection({ ...scenarioStore, remove, toWire, check });

/** Scenarios, as their routes and approved changes write them. */
export const scenarioCollection = {
  path: 'scenarios',
  noun: 'scenario',
  permission: { read: 'plant:read', write: 'plant:write' },
  schema: { item: Scenario, page: ScenarioPage, body: ScenarioBody, query: ListByStation },
  ...scenarios,
  create: async (context: RequestContext, body: ScenarioBody) => {
    requireCommandRight(context, body);
    return scenarios.create(context, body);
  },
  replace: async (context: RequestContext, id: number, body: ScenarioBody) => {
    requireCommandRight(context, body);
    return scenarios.replace(context, id, body);
  },
} as const;

export function scenarioRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    ...scenarioCollection,
    holdBack: holdBack(runtime, 'commands', describeCommands),
  });
}

/** New or changed commands of a scenario wait for a second person; other changes of it do not. */
async function describeCommands(
  transaction: TenantTransaction,
  request: FastifyRequest,
): Promise<AskedAction | undefined> {
  const body = request.body as ScenarioBody;
  const { id } = request.params as Partial<IdParams>;
  const before = id === undefined ? undefined : await findAny(transaction, id);
  const commands = commandsOf(body);
  if (
    commands.length === 0 ||
    isDeepStrictEqual(commands, before && actionsOfScenario(before).filter(isCommand))
  )
    return undefined;
  const numbers = [...new Set(commands.map(({ scriptId = 0 }) => scriptId))].join(', ');
  const summary = `${before ? `Change scenario ${id}` : 'Create scenario'} (${body.name}), which runs commands ${numbers}`;
  const of = before && id !== undefined ? { id, version: before.version } : {};
  const stationId = body.stationId || (before?.stationId ?? null);
  return { request: { action: 'commands', rows: 'scenarios', ...of, body }, summary, stationId };
}

function findAny(transaction: TenantTransaction, id: number): Promise<ScenarioRow | undefined> {
  return scenarioStore.find(transaction, id, { stationIds: undefined, forUpdate: false });
}

function commandsOf({
  alarmActions = [],
  resetActions = [],
  ackActions = [],
}: Pick<ScenarioBody, 'alarmActions' | 'resetActions' | 'ackActions'>): Action[] {
  return [...alarmActions, ...resetActions, ...ackActions].filter(isCommand);
}

/** A scenario runs its commands without further checks, so writing one with commands requires the right to run them. */
function requireCommandRight({ principal }: RequestContext, body: ScenarioBody): void {
  if (principal.permissions.has('commands:run') || commandsOf(body).length === 0) return;
  throw new ProblemError('not-allowed', `${principal.name} lacks the permission commands:run`);
}

async function remove(transaction: TenantTransaction, id: number): Promise<void> {
  const tagId = await findTagOfScenario(transaction, id);
  if (tagId !== undefined)
    throw new ProblemError('conflict', `The scenario is in use by the alarm actions of tag ${tagId}`);
  await scenarioStore.remove(transaction, id);
}

async function check(
  { transaction, principal: { stationIds } }: RequestContext,
  { stationId, alarmActions = [], resetActions = [], ackActions = [] }: ScenarioBody,
  before: ScenarioRow | undefined,
): Promise<void> {
  const actions = [
    ...placed('/alarmActions', alarmActions),
    ...placed('/resetActions', resetActions),
    ...placed('/ackActions', ackActions),
  ];
  const nested = actions.find(({ type }) => type === 'Scenario');
  if (nested) throw invalid(`${nested.pointer}/type`, 'must not be Scenario inside a scenario');
  const named = before ? actionsOfScenario(before) : [];
  await requireReferences(transaction, 'stations', {
    references: optionalReference('/stationId', stationId),
    stationIds,
  });
  await requireReferences(transaction, 'callGroups', {
    references: references(actions, 'CallGroup'),
    stationIds,
    kept: callGroupIdsOf(named),
  });
  await requireReferences(transaction, 'users', {
    references: references(actions, 'CallUser'),
    stationIds,
    kept: userIdsOf(named),
  });
}

type PlacedAction = Action & { pointer: string };

function placed(pointer: string, actions: readonly Action[]): PlacedAction[] {
  return actions.map((action, index) => ({ ...action, pointer: `${pointer}/${index}` }));
}

/** A call must name its target: a missing id is looked up as 0, which does not exist. */
function references(actions: readonly PlacedAction[], actionType: Action['type']): Reference[] {
  return actions
    .filter(({ type }) => type === actionType)
    .map(({ id = 0, pointer }) => ({ pointer: `${pointer}/id`, id }));
}

function toWire(row: ScenarioRow): Scenario {
  const { id, name, localizedName, stationId, lastChange } = row;
  return {
    id,
    name,
    localizedName,
    lastChange: formatUtc(lastChange),
    stationId: stationId ?? 0,
    alarmActions: storedActions(row.alarmActions),
    resetActions: storedActions(row.resetActions),
    ackActions: storedActions(row.ackActions),
  };
}
