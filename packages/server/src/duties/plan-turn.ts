import type { Action } from '@tocsin/contract';
import { type CallPlan, freezeTurn, type TurnToCall } from '@tocsin/domain';
import type { CallDirectory } from './call-directory.ts';

export type AlarmTurn = TurnToCall & {
  actions: readonly Action[];
  /** The scenario of the tag group counts where the alarm has no actions of its own. */
  tagGroupId: number | null;
};

/** Whom to call for a turn of an alarm, or undefined when its actions call nobody. */
export function planTurn(directory: CallDirectory, { tagGroupId, ...turn }: AlarmTurn): CallPlan | undefined {
  const scenarios = directory.scenarios[turn.occasion];
  const inherited = directory.scenarioOfTagGroup.get(tagGroupId ?? 0);
  const actions =
    turn.actions.length === 0 && inherited !== undefined ? (scenarios.get(inherited) ?? []) : turn.actions;
  return freezeTurn({ ...directory, scenarios }, { ...turn, actions });
}
