import type { Action } from '@tocsin/contract';
import { isCommand, type KeptAction } from '../plant/command-grant.ts';
import type { AlarmOccasion, CallDirectory } from './call-directory.ts';

/** A program to be run, or to be ended, because an alarm takes a turn. */
export type TurnCommand = {
  kind: 'execute' | 'stop';
  scriptId: number;
  parameter: string;
  /** Who had the right to define it; empty for nobody. */
  grantedBy: string;
};

/** A sound that consoles play because an alarm takes a turn. */
export type TurnSound = { name: string; scriptId: number; flags: number };

export type ActingTurn = {
  occasion: AlarmOccasion;
  actions: readonly KeptAction[];
  tagGroupId: number | null;
};

/**
 * What a turn asks of programs, its scenarios' part included. Whoever wrote a scenario had the right to run its commands;
 * whoever names it in an action needs that right too.
 */
export function commandsOf(directory: CallDirectory, turn: ActingTurn): TurnCommand[] {
  return resolved(directory, turn)
    .filter(isCommand)
    .map(({ type, scriptId = 0, parameter = '', grantedBy = '' }) => ({
      kind: type === 'StopCommand' ? 'stop' : 'execute',
      scriptId,
      parameter,
      grantedBy,
    }));
}

export function soundsOf(directory: CallDirectory, turn: ActingTurn): TurnSound[] {
  return resolved(directory, turn)
    .filter(({ type }) => type === 'PlaySound')
    .map(({ scriptId = 0, parameter = '', flags = 0 }) => ({ name: parameter, scriptId, flags }));
}

/** The actions of the turn, and with them those of the tag group's scenario, unless the turn names it itself. */
function resolved(directory: CallDirectory, { occasion, actions, tagGroupId }: ActingTurn): KeptAction[] {
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

/** Whoever named the scenario may run commands, or whoever gave it to the tag group might. */
function isGranted({ id, withoutCommands }: KeptAction, inherited: number): boolean {
  return withoutCommands === undefined || id === inherited;
}

function grantedByScenario(action: Action, id: number): KeptAction {
  return { ...action, grantedBy: `scenario:${id}` };
}
