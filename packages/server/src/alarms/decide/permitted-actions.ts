import { type ActionRights, limitReferences } from '../../plant/command-grant.ts';
import type { OccasionDefinition, TagDefinition } from './alarm-record.ts';

/** The definition with actions that name only rows and commands that their author may use. */
export function withPermittedActions(
  after: TagDefinition,
  before: TagDefinition,
  rights: ActionRights,
): TagDefinition {
  // The usual case: an author with all rights.
  if (rights.visible === undefined && rights.mayRunCommands) return after;
  const alarm = permittedOccasion(after.alarm, before.alarm, rights);
  const reset = permittedOccasion(after.reset, before.reset, rights);
  const ack = permittedOccasion(after.ack, before.ack, rights);
  const isSame = alarm === after.alarm && reset === after.reset && ack === after.ack;
  return isSame ? after : { ...after, alarm, reset, ack };
}

function permittedOccasion(
  after: OccasionDefinition,
  before: OccasionDefinition,
  rights: ActionRights,
): OccasionDefinition {
  if (after.actions === before.actions || after.actions.length === 0) return after;
  const actions = limitReferences(after.actions, before.actions, rights);
  return actions === after.actions ? after : { ...after, actions };
}
