import type { RaiseAlarm } from '@tocsin/contract';
import { defaultEventCondition, type EventCondition, isActive, type Signal, signalOf } from '@tocsin/domain';
import { type AlarmBatch, recordChange } from './alarm-batch.ts';
import { type Actor, tagOwnerOf } from './alarm-command.ts';
import { isSameDefinition, redefine } from './alarm-definition.ts';
import { storedLocation } from './alarm-location.ts';
import type { AlarmRecord } from './alarm-record.ts';
import { withPermittedActions } from './permitted-actions.ts';
import { allRights, memberNeeds, rightsOn, type TagRights } from './tag-rights.ts';

/** The permitted part of a post. */
type PermittedPost = {
  body: RaiseAlarm;
  signal: Signal;
  rights: TagRights;
  /** Lists the members that were left out and would have changed something; empty if there are none. */
  withheld: string;
};

/**
 * Leaves out the members that the sender may not change of an existing tag. Raising is always permitted: a post that raises
 * the alarm by its own event condition or by that of the tag raises it.
 */
export function permitPost(known: AlarmRecord | undefined, sent: RaiseAlarm, actor: Actor): PermittedPost {
  const rights = known ? rightsOn(known, actor) : allRights;
  const signal = signalOfPost(known ? conditionOf(known) : defaultEventCondition, sent, rights);
  if (known === undefined || rights.define) return { body: sent, signal, rights, withheld: '' };
  const report = rights.report || (signal === 'raise' && !isActive(known.status.state));
  const granted: TagRights = { ...rights, report };
  const body: RaiseAlarm = {};
  const denied: RaiseAlarm = {};
  for (const member of Object.keys(sent) as (keyof RaiseAlarm)[]) {
    const need = memberNeeds[member];
    copyMember(need === 'nothing' || granted[need] ? body : denied, sent, member);
  }
  const withheld = changedMembers(known, denied);
  if (!rights.reset && isWithheldReset(known, sent, signal)) withheld.push('raised');
  return { body, signal, rights, withheld: noteOf(actor, withheld) };
}

/** Members that were left out are noted once, not with each repetition of the same post. */
export function noteWithheld(
  batch: AlarmBatch,
  defined: AlarmRecord,
  { note, actor }: { note: string; actor: Actor },
): AlarmRecord {
  if (note === '' || defined.withheldNote === note) return defined;
  const noted = { ...defined, withheldNote: note };
  recordChange(batch, noted, { kind: 'withheld', actor, detail: note });
  return noted;
}

function noteOf(actor: Actor, withheld: readonly string[]): string {
  if (withheld.length === 0) return '';
  return `left as it was, since ${actor.name} (${tagOwnerOf(actor)}) may not change it: ${withheld.join(', ')}`;
}

/**
 * The signal of the post. For a sender who may not change the event condition, the condition in the post counts too, so that
 * an alarm that the sender means to raise is raised.
 */
function signalOfPost(kept: EventCondition, sent: RaiseAlarm, rights: TagRights): Signal {
  const { raised, value, eventCondition: own = {} } = sent;
  const meant = {
    ...kept,
    value: own.value ?? kept.value,
    resettable: own.resettable ?? kept.resettable,
  };
  const asked = signalOf({ raised, value, condition: meant });
  if (rights.define || asked === 'raise') return asked;
  const signal = signalOf({ raised, value, condition: kept });
  return signal === 'reset' && !rights.reset ? 'define' : signal;
}

function conditionOf({ definition }: AlarmRecord): EventCondition {
  const { conditionValue: value, transitory, reactivatable, resettable } = definition;
  return { value, transitory, reactivatable, resettable };
}

/** Whether the post was meant to reset an active alarm, and does not. */
function isWithheldReset({ status, definition }: AlarmRecord, sent: RaiseAlarm, signal: Signal): boolean {
  if (signal !== 'define' || !isActive(status.state) || !definition.resettable) return false;
  return sent.raised === false || sent.value !== undefined;
}

function copyMember<Member extends keyof RaiseAlarm>(
  body: RaiseAlarm,
  sent: RaiseAlarm,
  member: Member,
): void {
  body[member] = sent[member];
}

/** Enough to repeat actions that are defined already. */
const noRights = { visible: undefined, mayRunCommands: false };

/** The denied members that differ from the tag. All are compared at once first, because usually none differs. */
function changedMembers({ definition, status }: AlarmRecord, denied: RaiseAlarm): string[] {
  const { value, location, ...defining } = denied;
  const changed: string[] = [];
  if (value !== undefined && value !== status.value) changed.push('value');
  if (location && JSON.stringify(storedLocation(location)) !== JSON.stringify(status.location))
    changed.push('location');
  const isUnchanged = (body: RaiseAlarm) => {
    const asked = redefine(definition, body, undefined);
    return isSameDefinition(definition, withPermittedActions(asked, definition, noRights));
  };
  if (isUnchanged(defining)) return changed;
  const members = Object.keys(defining) as (keyof typeof defining)[];
  return [...changed, ...members.filter((member) => !isUnchanged({ [member]: defining[member] }))];
}
