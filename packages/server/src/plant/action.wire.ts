import { Action, type AlarmAction, actionTypes } from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const Actions = Type.Array(Action);

/** The actions as they are stored and answered: the members given, and none the interface does not know. */
export function keptActions(actions: readonly AlarmAction[]): Action[] {
  return actions.map(({ id, type = '', scriptId, parameter, flags }) => ({
    ...(id !== undefined && { id }),
    type,
    ...(scriptId !== undefined && { scriptId }),
    ...(parameter !== undefined && { parameter }),
    ...(flags !== undefined && { flags }),
  }));
}

/** Actions out of a jsonb column: what an older release wrote is checked before it is used. */
export function storedActions(stored: unknown): Static<typeof Action>[] {
  return Value.Parse(Actions, stored);
}

/** Call groups the actions name, each once, in ascending order. */
export function callGroupIdsOf(actions: readonly AlarmAction[]): number[] {
  return idsOf(actions, 'CallGroup');
}

/** Scenarios the actions name, each once, in ascending order. */
export function scenarioIdsOf(actions: readonly AlarmAction[]): number[] {
  return idsOf(actions, 'Scenario');
}

/** Users the actions name, each once, in ascending order. */
export function userIdsOf(actions: readonly AlarmAction[]): number[] {
  return idsOf(actions, 'CallUser');
}

/** Whether the actions call anybody, themselves or through a scenario. */
export function hasCalls(actions: readonly AlarmAction[]): boolean {
  return [callGroupIdsOf, userIdsOf, scenarioIdsOf].some((namedBy) => namedBy(actions).length > 0);
}

function idsOf(actions: readonly AlarmAction[], wanted: string): number[] {
  const ids = actions.filter(({ type }) => type === wanted).map(({ id = 0 }) => id);
  return [...new Set(ids)].filter((id) => id > 0).toSorted((one, other) => one - other);
}

/** Who can be called, by the type of action that calls them. */
export type Callable = Readonly<Record<'CallGroup' | 'CallUser' | 'Scenario', { has(id: number): boolean }>>;

/** An action, perhaps one that names what its author may not see. */
type NamingAction = AlarmAction & { unseenId?: number };

/** What is wrong with actions that nobody can carry out, each fault once. */
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
