import { Action } from '@tocsin/contract';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const Actions = Type.Array(Action);

/** The actions as they are stored and answered: the members given, and none the interface does not know. */
export function keptActions(actions: readonly Action[]): Action[] {
  return actions.map(({ id, type, scriptId, parameter, flags }) => ({
    ...(id !== undefined && { id }),
    type,
    ...(scriptId !== undefined && { scriptId }),
    ...(parameter !== undefined && { parameter }),
    ...(flags !== undefined && { flags }),
  }));
}

/** Actions out of a jsonb column: what an older release wrote is checked before it is used. */
export function storedActions(stored: unknown): Action[] {
  return Value.Parse(Actions, stored);
}

/** Call groups the actions name, each once, in ascending order. */
export function callGroupIdsOf(actions: readonly Action[]): number[] {
  return idsOf(actions, 'CallGroup');
}

/** Scenarios the actions name, each once, in ascending order. */
export function scenarioIdsOf(actions: readonly Action[]): number[] {
  return idsOf(actions, 'Scenario');
}

/** Users the actions name, each once, in ascending order. */
export function userIdsOf(actions: readonly Action[]): number[] {
  return idsOf(actions, 'CallUser');
}

function idsOf(actions: readonly Action[], wanted: Action['type']): number[] {
  const ids = actions.filter(({ type }) => type === wanted).map(({ id = 0 }) => id);
  return [...new Set(ids)].filter((id) => id > 0).toSorted((one, other) => one - other);
}
