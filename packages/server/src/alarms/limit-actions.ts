import { type ActionRights, limitReferences } from '../plant/command-grant.ts';
import type { TagDefinition, Turn } from './alarm-record.ts';

/** The definition with actions that name only what their author has the right to. */
export function limitActions(
  after: TagDefinition,
  before: TagDefinition,
  rights: ActionRights,
): TagDefinition {
  // Most bodies name nothing, and each alarm comes through here.
  if (rights.visible === undefined && rights.mayRunCommands) return after;
  const alarm = limitTurn(after.alarm, before.alarm, rights);
  const reset = limitTurn(after.reset, before.reset, rights);
  const ack = limitTurn(after.ack, before.ack, rights);
  const isSame = alarm === after.alarm && reset === after.reset && ack === after.ack;
  return isSame ? after : { ...after, alarm, reset, ack };
}

function limitTurn(after: Turn, before: Turn, rights: ActionRights): Turn {
  if (after.actions === before.actions || after.actions.length === 0) return after;
  const actions = limitReferences(after.actions, before.actions, rights);
  return actions === after.actions ? after : { ...after, actions };
}
