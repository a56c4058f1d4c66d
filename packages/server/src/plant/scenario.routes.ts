import { type Action, ListByStation, Scenario, ScenarioBody, ScenarioPage } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { invalid, ProblemError } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { stationCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import { optionalReference, type Reference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { callGroupIdsOf, storedActions, userIdsOf } from './action.wire.ts';
import { isCommand } from './command-grant.ts';
import { actionsOfScenario, findTagOfScenario, type ScenarioRow, scenarioStore } from './scenario.store.ts';

export function scenarioRoutes(app: HttpApp, runtime: Runtime): void {
  const scenarios = stationCollection({ ...scenarioStore, remove, toWire, check });
  collectionRoutes(app, runtime, {
    path: 'scenarios',
    noun: 'scenario',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: Scenario, page: ScenarioPage, body: ScenarioBody, query: ListByStation },
    ...scenarios,
    create: async (context, body: ScenarioBody) => {
      requireCommandRight(context, body);
      return scenarios.create(context, body);
    },
    replace: async (context, id, body: ScenarioBody) => {
      requireCommandRight(context, body);
      return scenarios.replace(context, id, body);
    },
  });
}

/** A scenario runs its commands without further checks, so writing one with commands requires the right to run them. */
function requireCommandRight(
  { principal }: RequestContext,
  { alarmActions = [], resetActions = [], ackActions = [] }: ScenarioBody,
): void {
  if (principal.permissions.has('commands:run')) return;
  if (![...alarmActions, ...resetActions, ...ackActions].some(isCommand)) return;
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
