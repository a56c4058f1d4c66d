import type { Action, AlarmAction } from '@tocsin/contract';
import { type Callable, keptActions } from './action.wire.ts';

/** An action as a tag keeps it, with what its author had the right to. */
export type KeptAction = Action & {
  /** Of a command: who had the right to define it. */
  grantedBy?: string;
  /**
   * What the action names, if its author could not see that. The action has no `id` then, so that it names nobody for
   * all who read it, and a row that comes to have the id later is not reached by it either.
   */
  unseenId?: number;
  /** Of a scenario: its author may not run commands, so that the scenario's commands are refused. */
  withoutCommands?: true;
};

export const isCommand = ({ type }: Action) => type === 'ExecuteCommand' || type === 'StopCommand';

/**
 * The actions that somebody defines for a turn. Only a `grantor` gives commands the right to run. Others may repeat
 * what is there, which stays granted; a command that they add or change is kept, and refused when its turn comes.
 */
export function grantCommands(
  asked: readonly AlarmAction[],
  before: readonly KeptAction[],
  grantor: string | undefined,
): KeptAction[] {
  return keptActions(asked).map((action) => {
    return isCommand(action) ? withGrant(action, grantorBefore(before, action) ?? grantor) : action;
  });
}

function withGrant(action: Action, grantedBy: string | undefined): KeptAction {
  return grantedBy === undefined ? action : { ...action, grantedBy };
}

function grantorBefore(before: readonly KeptAction[], action: Action): string | undefined {
  const wanted = JSON.stringify(action);
  return before.find((one) => one.grantedBy !== undefined && JSON.stringify(keptActions([one])[0]) === wanted)
    ?.grantedBy;
}

/** What the author of actions may name. */
export type ActionRights = {
  /** Undefined: everything. */
  readonly visible: Callable | undefined;
  readonly mayRunCommands: boolean;
};

/**
 * The actions with the references that their author may not use taken out. Others may repeat what is there: a reference
 * that somebody had the right to stays.
 */
export function limitReferences(
  actions: readonly KeptAction[],
  before: readonly KeptAction[],
  { visible, mayRunCommands }: ActionRights,
): readonly KeptAction[] {
  if (visible === undefined && mayRunCommands) return actions;
  return actions.map((action) => {
    const { type, id, ...rest } = action;
    if (!id || (type !== 'CallGroup' && type !== 'CallUser' && type !== 'Scenario')) return action;
    const known = before.find((one) => one.type === type && one.id === id);
    if (!known && visible?.[type].has(id) === false) return { type, ...rest, unseenId: id };
    const isLimited = type === 'Scenario' && !mayRunCommands && (!known || known.withoutCommands);
    return isLimited ? { ...action, withoutCommands: true } : action;
  });
}

/** A tag's actions as its row has them, in our order of members. */
export function restoredActions(stored: readonly KeptAction[]): KeptAction[] {
  const kept: KeptAction[] = keptActions(stored);
  for (const [index, action] of kept.entries()) {
    const { grantedBy, unseenId, withoutCommands } = stored[index] ?? {};
    if (grantedBy !== undefined) action.grantedBy = grantedBy;
    if (unseenId !== undefined) action.unseenId = unseenId;
    if (withoutCommands) action.withoutCommands = withoutCommands;
  }
  return kept;
}

/** The actions as they were sent. */
export function shownActions(actions: readonly KeptAction[]): Action[] {
  return actions.map(({ unseenId, ...action }) => {
    return keptActions([unseenId === undefined ? action : { ...action, id: unseenId }])[0] ?? action;
  });
}
