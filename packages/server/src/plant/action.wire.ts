import { Action, type AlarmAction, actionTypes } from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const Actions = Type.Array(Action);

/** The actions as they are stored and answered: with the members that were given and that the interface defines. */
export function keptActions(actions: readonly AlarmAction[]): Action[] {
  return actions.map(({ id, type = '', scriptId, parameter, flags }) => ({
    ...(id !== undefined && { id }),
    type,
    ...(scriptId !== undefined && { scriptId }),
    ...(parameter !== undefined && { parameter }),
    ...(flags !== undefined && { flags }),
  }));
}

/** Parses actions from a jsonb column: an older release may have written them. */
export function storedActions(stored: unknown): Static<typeof Action>[] {
  return Value.Parse(Actions, stored);
}

/** The ids of the call groups that the actions name, sorted, without duplicates. */
export function callGroupIdsOf(actions: readonly AlarmAction[]): number[] {
  return idsOf(actions, 'CallGroup');
}

/** The ids of the scenarios that the actions name, sorted, without duplicates. */
export function scenarioIdsOf(actions: readonly AlarmAction[]): number[] {
  return idsOf(actions, 'Scenario');
}

/** The ids of the users that the actions name, sorted, without duplicates. */
export function userIdsOf(actions: readonly AlarmAction[]): number[] {
  return idsOf(actions, 'CallUser');
}

/** Whether the actions call people, directly or through a scenario. */
export function hasCalls(actions: readonly AlarmAction[]): boolean {
  return [callGroupIdsOf, userIdsOf, scenarioIdsOf].some((idsNamedBy) => idsNamedBy(actions).length > 0);
}

function idsOf(actions: readonly AlarmAction[], actionType: string): number[] {
  const ids = actions.filter(({ type }) => type === actionType).map(({ id = 0 }) => id);
  return [...new Set(ids)].filter((id) => id > 0).toSorted((one, other) => one - other);
}

/** The existing targets of calls, by the type of action. */
export type Callable = Readonly<Record<'CallGroup' | 'CallUser' | 'Scenario', { has(id: number): boolean }>>;

/** An action that may name a target which its author may not see. */
type NamingAction = AlarmAction & { unseenId?: number };

/** The faults of actions that cannot be carried out, without duplicates. */
export function actionFaults(actions: readonly NamingAction[], callable: Callable): string[] {
  return [...new Set(actions.flatMap((action) => faultOf(action, callable) ?? []))];
}

function faultOf({ type = '', id = 0, unseenId }: NamingAction, callable: Callable): string | undefined {
  if (type === '') return 'an action without a type';
  if (!actionTypes.some((known) => known === type)) return `an action of unknown type ${type}`;
  if (type !== 'CallGroup' && type !== 'CallUser' && type !== 'Scenario') return undefined;
  if (unseenId !== undefined) return `${type} ${unseenId} is not there`;
  if (id === 0) return `a ${type} without an id`;
  return callable[type].has(id) ? undefined : `${type} ${id} is not there`;
}
