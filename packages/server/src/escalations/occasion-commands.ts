import type { Action } from '@tocsin/contract';
import { isCommand, type KeptAction } from '../plant/command-grant.ts';
import type { AlarmOccasion, CallDirectory } from './call-directory.ts';

/** A program that an occasion of an alarm starts or stops. */
export type OccasionCommand = {
  kind: 'execute' | 'stop';
  scriptId: number;
  parameter: string;
  /** The author who had the right to define it; empty if the author had none. */
  grantedBy: string;
};

/** A sound that consoles play on an occasion of an alarm. */
export type OccasionSound = { name: string; scriptId: number; flags: number };

export type ActingOccasion = {
  occasion: AlarmOccasion;
  actions: readonly KeptAction[];
  tagGroupId: number | null;
};

/**
 * The programs of an occasion, those of its scenarios included. The author of a scenario had the right to run its commands;
 * the author of an action that names the scenario needs that right too.
 */
export function commandsOf(directory: CallDirectory, occasion: ActingOccasion): OccasionCommand[] {
  return resolveActions(directory, occasion)
    .filter(isCommand)
    .map(({ type, scriptId = 0, parameter = '', grantedBy = '' }) => ({
      kind: type === 'StopCommand' ? 'stop' : 'execute',
      scriptId,
      parameter,
      grantedBy,
    }));
}

export function soundsOf(directory: CallDirectory, occasion: ActingOccasion): OccasionSound[] {
  return resolveActions(directory, occasion)
    .filter(({ type }) => type === 'PlaySound')
    .map(({ scriptId = 0, parameter = '', flags = 0 }) => ({ name: parameter, scriptId, flags }));
}

/** The actions of the occasion and those of the tag group's scenario, unless an action names that scenario itself. */
function resolveActions(
  directory: CallDirectory,
  { occasion, actions, tagGroupId }: ActingOccasion,
): KeptAction[] {
  const scenarios = directory.scenarios[occasion];
  const inherited = directory.scenarioOfTagGroup.get(tagGroupId ?? 0) ?? 0;
  const ofScenario = (id: number, isGranted = true) =>
    (scenarios.get(id) ?? []).map((action) => (isGranted ? grantedByScenario(action, id) : action));
  const isNamed = actions.some(({ type, id }) => type === 'Scenario' && id === inherited);
  const own = actions.flatMap((action) =>
    action.type === 'Scenario' ? ofScenario(action.id ?? 0, isGranted(action, inherited)) : [action],
  );
  return isNamed ? own : [...own, ...ofScenario(inherited)];
}

/** Whether the author of the action may run commands. The scenario of the tag group needs no right of the author. */
function isGranted({ id, withoutCommands }: KeptAction, inherited: number): boolean {
  return withoutCommands === undefined || id === inherited;
}

function grantedByScenario(action: Action, id: number): KeptAction {
  return { ...action, grantedBy: `scenario:${id}` };
}
