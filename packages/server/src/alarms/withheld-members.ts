import type { RaiseAlarm } from '@tocsin/contract';
import { defaultEventCondition, type EventCondition, isActive, type Signal, signalOf } from '@tocsin/domain';
import { type AlarmBatch, record } from './alarm-batch.ts';
import { type Actor, tagOwnerOf } from './alarm-command.ts';
import { keptLocation, redefine, sameDefinition } from './alarm-definition.ts';
import type { AlarmRecord } from './alarm-record.ts';
import { limitActions } from './limit-actions.ts';
import { allRights, memberNeeds, rightsOn, type TagRights } from './tag-rights.ts';

/** A post as far as its sender may send it. */
type PermittedPost = {
  body: RaiseAlarm;
  signal: Signal;
  rights: TagRights;
  /** Names what was left out although it would have changed something; empty when nothing was. */
  withheld: string;
};

/**
 * Leaves out what the sender may not change of a known tag; of a new one it may say everything. The alarm itself is never
 * left out: a post that raises it, by its own words or by the tag's definition, raises it.
 */
export function permitPost(known: AlarmRecord | undefined, sent: RaiseAlarm, actor: Actor): PermittedPost {
  const rights = known ? rightsOn(known, actor) : allRights;
  const signal = signalOfPost(known ? conditionOf(known) : defaultEventCondition, sent, rights);
  if (known === undefined || rights.define) return { body: sent, signal, rights, withheld: '' };
  const report = rights.report || (signal === 'raise' && !isActive(known.standing.state));
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
  record(batch, noted, { kind: 'withheld', actor, detail: note });
  return noted;
}

function noteOf(actor: Actor, withheld: readonly string[]): string {
  if (withheld.length === 0) return '';
  return `left as it was, since ${actor.name} (${tagOwnerOf(actor)}) may not change it: ${withheld.join(', ')}`;
}

/**
 * What the post asks for. A sender who may not change the event condition is understood by its own one too, so that an
 * alarm that it means to raise is raised.
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

/** Whether the sender meant to reset an active alarm, and its post does not. */
function isWithheldReset({ standing, definition }: AlarmRecord, sent: RaiseAlarm, signal: Signal): boolean {
  if (signal !== 'define' || !isActive(standing.state) || !definition.resettable) return false;
  return sent.raised === false || sent.value !== undefined;
}

function copyMember<Member extends keyof RaiseAlarm>(
  body: RaiseAlarm,
  sent: RaiseAlarm,
  member: Member,
): void {
  body[member] = sent[member];
}

/** Those of somebody who only repeats what is there. */
const noRights = { visible: undefined, mayRunCommands: false };

/** The members that differ from what is known. Mostly none does, and that is seen at once. */
function changedMembers({ definition, standing }: AlarmRecord, denied: RaiseAlarm): string[] {
  const { value, location, ...defining } = denied;
  const changed: string[] = [];
  if (value !== undefined && value !== standing.value) changed.push('value');
  if (location && JSON.stringify(keptLocation(location)) !== JSON.stringify(standing.location))
    changed.push('location');
  const isKnown = (body: RaiseAlarm) => {
    const asked = redefine(definition, body, undefined);
    return sameDefinition(definition, limitActions(asked, definition, noRights));
  };
  if (isKnown(defining)) return changed;
  const members = Object.keys(defining) as (keyof typeof defining)[];
  return [...changed, ...members.filter((member) => !isKnown({ [member]: defining[member] }))];
}
