import type { Action } from '@tocsin/contract';
import { type CallOccasion, type CallPlan, createCallPlan } from '@tocsin/domain';
import { actionFaults } from '../plant/action.wire.ts';
import type { CallDirectory } from './call-directory.ts';

export type PlannedOccasion = CallOccasion & {
  actions: readonly Action[];
  tagGroupId: number | null;
  /** Whether the alarm has calling actions on any occasion: then the scenario of the tag group calls nobody. */
  callsByItself: boolean;
};

/** The call plan for an occasion of an alarm; undefined if its actions call nobody. */
export function planOccasion(
  directory: CallDirectory,
  { tagGroupId, callsByItself, ...planned }: PlannedOccasion,
): CallPlan | undefined {
  const scenarios = directory.scenarios[planned.occasion];
  const inherited = callsByItself ? undefined : directory.scenarioOfTagGroup.get(tagGroupId ?? 0);
  const createPlan = (actions: readonly Action[]) =>
    createCallPlan({ ...directory, scenarios }, { ...planned, actions });
  const plan = createPlan(inherited === undefined ? planned.actions : (scenarios.get(inherited) ?? []));
  if (plan || !hasFaultyActions(planned, scenarios)) return plan;
  // Undefined if there is no fallback group.
  return createPlan([{ type: 'CallGroup', id: directory.fallbackGroupId }]);
}

/**
 * Whether a raise has actions that cannot be carried out. Missing call groups and users do not count: they are part of the
 * plan, which then calls the fallback group.
 */
function hasFaultyActions(
  { occasion, actions }: Pick<PlannedOccasion, 'occasion' | 'actions'>,
  scenarios: ReadonlyMap<number, unknown>,
): boolean {
  const faults = actionFaults(actions, { CallGroup: anybody, CallUser: anybody, Scenario: scenarios });
  return occasion === 'raised' && faults.length > 0;
}

const anybody = { has: () => true };
