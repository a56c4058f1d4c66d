import type { Action, AlarmAction } from '@tocsin/contract';
import { type Callable, keptActions } from './action.wire.ts';

/** An action stored with a tag, with the rights of its author. */
export type KeptAction = Action & {
  /** For a command: the subject that had the right to define it. */
  grantedBy?: string;
  /**
   * The target of the action, if its author could not see it. The action then has no `id`, so that it reaches no one, not
   * even a row that gets this id later.
   */
  unseenId?: number;
  /** For a scenario: its author may not run commands, so the commands of the scenario are refused. */
  withoutCommands?: true;
};

export const isCommand = ({ type }: Action) => type === 'ExecuteCommand' || type === 'StopCommand';

/**
 * The actions of an occasion with their grants. Only a `grantor` may grant commands. Other authors may repeat granted
 * commands; a command that they add or change is stored, and refused when it is due.
 */
export function grantCommands(
  sent: readonly AlarmAction[],
  before: readonly KeptAction[],
  grantor: string | undefined,
): KeptAction[] {
  return keptActions(sent).map((action) => {
    return isCommand(action) ? withGrant(action, grantorBefore(before, action) ?? grantor) : action;
  });
}

function withGrant(action: Action, grantedBy: string | undefined): KeptAction {
  return grantedBy === undefined ? action : { ...action, grantedBy };
}

function grantorBefore(before: readonly KeptAction[], action: Action): string | undefined {
  const text = JSON.stringify(action);
  return before.find((one) => one.grantedBy !== undefined && JSON.stringify(keptActions([one])[0]) === text)
    ?.grantedBy;
}

/** The rights of the author of actions. */
export type ActionRights = {
  /** Undefined stands for all objects. */
  readonly visible: Callable | undefined;
  readonly mayRunCommands: boolean;
};

/** Removes references that the author may not use, except those that the tag has already. */
export function limitReferences(
  actions: readonly KeptAction[],
  before: readonly KeptAction[],
  { visible, mayRunCommands }: ActionRights,
): readonly KeptAction[] {
  if (visible === undefined && mayRunCommands) return actions;
  return actions.map((action) => {
    const { type, id, ...rest } = action;
    if (!id || (type !== 'CallGroup' && type !== 'CallUser' && type !== 'Scenario')) return action;
    const former = before.find((one) => one.type === type && one.id === id);
    if (!former && visible?.[type].has(id) === false) return { type, ...rest, unseenId: id };
    const isLimited = type === 'Scenario' && !mayRunCommands && (!former || former.withoutCommands);
    return isLimited ? { ...action, withoutCommands: true } : action;
  });
}

/** The actions from the row of a tag, with their members in a fixed order. */
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
