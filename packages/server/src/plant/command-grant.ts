import type { Action } from '@tocsin/contract';
import { keptActions } from './action.wire.ts';

/** An action as a tag keeps it: of a command also who had the right to define it. */
export type KeptAction = Action & { grantedBy?: string };

export const isCommand = ({ type }: Action) => type === 'ExecuteCommand' || type === 'StopCommand';

/**
 * The actions that somebody defines for a turn. Only a `grantor` gives commands the right to run. Others may repeat
 * what is there, which stays granted; a command that they add or change is kept, and refused when its turn comes.
 */
export function grantCommands(
  asked: readonly Action[],
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

/** A tag's actions as its row has them, in our order of members. */
export function restoredActions(stored: readonly KeptAction[]): KeptAction[] {
  const kept = keptActions(stored);
  if (!stored.some(({ grantedBy }) => grantedBy !== undefined)) return kept;
  return kept.map((action, index) => withGrant(action, stored[index]?.grantedBy));
}
