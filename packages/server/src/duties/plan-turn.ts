import type { Action } from '@tocsin/contract';
import { type CallPlan, freezeTurn, type TurnToCall } from '@tocsin/domain';
import { actionFaults } from '../plant/action.wire.ts';
import type { CallDirectory } from './call-directory.ts';

export type AlarmTurn = TurnToCall & {
  actions: readonly Action[];
  tagGroupId: number | null;
  /** Whether the alarm has calling actions on any of its turns: then the scenario of the tag group calls nobody. */
  callsByItself: boolean;
};

/** Whom to call for a turn of an alarm, or undefined when its actions call nobody. */
export function planTurn(
  directory: CallDirectory,
  { tagGroupId, callsByItself, ...turn }: AlarmTurn,
): CallPlan | undefined {
  const scenarios = directory.scenarios[turn.occasion];
  const inherited = callsByItself ? undefined : directory.scenarioOfTagGroup.get(tagGroupId ?? 0);
  const freeze = (actions: readonly Action[]) =>
    freezeTurn({ ...directory, scenarios }, { ...turn, actions });
  const plan = freeze(inherited === undefined ? turn.actions : (scenarios.get(inherited) ?? []));
  if (plan || !asksInVain(turn, scenarios)) return plan;
  // Freezes to nothing where there is no fallback group.
  return freeze([{ type: 'CallGroup', id: directory.fallbackGroupId }]);
}

/**
 * Whether a raise asks for something of which nobody can tell whom to call. Call groups and users that are gone are another
 * matter: they have a place in the plan, and those behind them are called.
 */
function asksInVain(
  { occasion, actions }: Pick<AlarmTurn, 'occasion' | 'actions'>,
  scenarios: ReadonlyMap<number, unknown>,
): boolean {
  const faults = actionFaults(actions, { CallGroup: anybody, CallUser: anybody, Scenario: scenarios });
  return occasion === 'raised' && faults.length > 0;
}

const anybody = { has: () => true };
