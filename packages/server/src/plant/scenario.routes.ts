import { type Action, ListByStation, Scenario, ScenarioBody, ScenarioPage } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { collectionRoutes, type Visit } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import { optionalReference, type Reference, requireReferences } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { invalid, ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { callGroupIdsOf, storedActions, userIdsOf } from './action.wire.ts';
import { isCommand } from './command-grant.ts';
import {
  actionsOfScenario,
  deleteScenario,
  findScenario,
  findTagOfScenario,
  insertScenario,
  listScenarios,
  type ScenarioRow,
  updateScenario,
} from './scenario.store.ts';
import { withinStations } from './station-collection.ts';

export function scenarioRoutes(app: HttpApp, runtime: Runtime): void {
  const kept = withinStations({
    list: listScenarios,
    find: findScenario,
    insert: insertScenario,
    update: updateScenario,
    remove: removeScenario,
    toWire,
    check,
  });
  collectionRoutes(app, runtime, {
    path: 'scenarios',
    noun: 'scenario',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: Scenario, page: ScenarioPage, body: ScenarioBody, query: ListByStation },
    ...kept,
    create: async (visit, body: ScenarioBody) => {
      requireCommandRight(visit, body);
      return kept.create(visit, body);
    },
    replace: async (visit, id, body: ScenarioBody) => {
      requireCommandRight(visit, body);
      return kept.replace(visit, id, body);
    },
  });
}

/** What a scenario has run counts as granted, so nobody writes one with commands who may not run them. */
function requireCommandRight(
  { principal }: Visit,
  { alarmActions = [], resetActions = [], ackActions = [] }: ScenarioBody,
): void {
  if (principal.permissions.has('commands:run')) return;
  if (![...alarmActions, ...resetActions, ...ackActions].some(isCommand)) return;
  throw new ProblemError('not-allowed', `${principal.name} lacks the permission commands:run`);
}

async function removeScenario(transaction: TenantTransaction, id: number): Promise<void> {
  const tagId = await findTagOfScenario(transaction, id);
  if (tagId !== undefined)
    throw new ProblemError('conflict', `The scenario is in use by the alarm actions of tag ${tagId}`);
  await deleteScenario(transaction, id);
}

async function check(
  { transaction, principal: { stationIds } }: Visit,
  { stationId, alarmActions = [], resetActions = [], ackActions = [] }: ScenarioBody,
  before: ScenarioRow | undefined,
): Promise<void> {
  const actions = [
    ...placed('/alarmActions', alarmActions),
    ...placed('/resetActions', resetActions),
    ...placed('/ackActions', ackActions),
  ];
  const nested = actions.find(({ type }) => type === 'Scenario');
  if (nested) throw invalid(`${nested.place}/type`, 'must not be Scenario inside a scenario');
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

type PlacedAction = Action & { place: string };

function placed(pointer: string, actions: readonly Action[]): PlacedAction[] {
  return actions.map((action, index) => ({ ...action, place: `${pointer}/${index}` }));
}

/** A call names whom it calls: an absent id is looked for as 0, which nobody has. */
function references(actions: readonly PlacedAction[], wanted: Action['type']): Reference[] {
  return actions
    .filter(({ type }) => type === wanted)
    .map(({ id = 0, place }) => ({ pointer: `${place}/id`, id }));
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
