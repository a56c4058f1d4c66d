import type { RaiseAlarm } from '@tocsin/contract';
import type { Signal } from '@tocsin/domain';
import type { References } from '../../escalations/references.ts';
import { type AlarmBatch, placeKey, recordChange } from './alarm-batch.ts';
import { endExpiredMask, resetAlarm } from './alarm-change.ts';
import { type Actor, type PostCommand, serverItself, tagOwnerOf } from './alarm-command.ts';
import { isSameDefinition, redefine } from './alarm-definition.ts';
import { storedLocation } from './alarm-location.ts';
import type { AlarmRecord, AlarmStatus } from './alarm-record.ts';
import { definitionChange, requireSeen } from './definition-change.ts';
import { newRecord } from './new-record.ts';
import { withPermittedActions } from './permitted-actions.ts';
import { faultsOf, requireNamed, unknownFiles } from './post-references.ts';
import { type RaisingPost, raiseBySource } from './raise-by-source.ts';
import { requireBinding, takeOver } from './tag-rights.ts';
import { type VisibleReferences, visibleReferences } from './visible-references.ts';
import { noteWithheld, permitPost } from './withheld-members.ts';

/**
 * Applies a post: changes the definition of the tag as far as the sender may, and raises or resets its alarm. Throws a
 * problem before anything is changed if the body names a row that does not exist.
 */
export function postAlarm(batch: AlarmBatch, references: References, command: PostCommand): AlarmRecord {
  const { body: sent, actor } = command;
  const known = findTag(batch, references, sent);
  requireBinding(actor, placeOf(references, sent), known);
  requireSeen(known, command.seenDigest);
  const permitted = permitPost(known, sent, actor);
  const { body, rights, withheld } = permitted;
  const signal = signalFor(command, permitted.signal);
  const visible = visibleReferences(references, actor, known);
  requireNamed(references, visible, { body, actor, known });

  const before = known ? endExpiredMask(batch, known, serverItself) : newRecord(batch, references, command);
  const requested = define(references, before, { ...command, body, visible });
  const isRedefined = known === undefined || before.definition !== requested.definition;
  const change = known && isRedefined ? definitionChange(before.definition, requested.definition) : undefined;
  const defined = takeOver(requested, actor, change);
  if (isRedefined) batch.redefined.add(defined.tagId);

  const faults = faultsOf(references, defined, body);
  const files = isRedefined ? unknownFiles(references, defined) : '';
  const detail = [files, ...faults, withheld, takeOverNote(before, defined, actor)]
    .filter((part) => part !== '')
    .join('; ');
  if (faults.length > 0) batch.actionFaults.set(defined.tagId, { record: defined, faults });
  const note = { detail, change };
  const after = applySignal(batch, defined, { signal, actor, rights, value: body.value, note });
  if (after !== defined) return body.location ? after : clearOldLocation(batch, defined, after);
  if (isRedefined || !isSameStatus(before.status, defined.status)) {
    const changed = { ...defined, status: { ...defined.status, lastChange: batch.now } };
    recordChange(batch, changed, { kind: 'defined', actor, ...note });
    return changed;
  }
  return noteWithheld(batch, defined, { note: withheld, actor });
}

function signalFor({ definesOnly = false }: PostCommand, sent: Signal): Signal {
  return definesOnly ? 'define' : sent;
}

/** Names the former owner of a definition that was taken over. */
function takeOverNote(before: AlarmRecord, after: AlarmRecord, actor: Actor): string {
  if (before.provisional === after.provisional) return '';
  return `${actor.name} (${tagOwnerOf(actor)}) has taken the definition over from ${before.createdBy}`;
}

/** A new occurrence without a location does not inherit that of the last one. */
function clearOldLocation(batch: AlarmBatch, before: AlarmRecord, after: AlarmRecord): AlarmRecord {
  if (after.status.location === null || after.status.occurrenceId === before.status.occurrenceId)
    return after;
  const cleared = { ...after, status: { ...after.status, location: null } };
  batch.records.set(cleared.tagId, cleared);
  return cleared;
}

function applySignal(
  batch: AlarmBatch,
  defined: AlarmRecord,
  { signal, ...post }: RaisingPost & { signal: Signal },
): AlarmRecord {
  switch (signal) {
    case 'raise':
      return raiseBySource(batch, defined, post);
    case 'reset':
      return resetAlarm(batch, defined, post.actor, post.note);
    case 'define':
      return defined;
  }
}

function placeOf({ firstDataServerId }: References, { dataServerId, path = '' }: RaiseAlarm) {
  return { dataServerId: dataServerId || firstDataServerId, path };
}

function findTag(batch: AlarmBatch, references: References, body: RaiseAlarm): AlarmRecord | undefined {
  if (!body.path) return undefined;
  const tagId = batch.tagIds.get(placeKey(placeOf(references, body)));
  return tagId === undefined ? undefined : batch.records.get(tagId);
}

/** The record with the members of the body, and the settings of its station and its tag group. */
function define(
  references: References,
  before: AlarmRecord,
  { body, actor, visible }: PostCommand & { visible: VisibleReferences },
): AlarmRecord {
  // A tag without a path is deleted when its alarm has ended.
  const asked = body.path ? body : { ...body, temporary: true };
  const redefined = redefine(before.definition, asked, actor.mayRunCommands ? actor.subject : undefined);
  const permitted = withPermittedActions(redefined, before.definition, {
    visible: visible.actions,
    mayRunCommands: actor.mayRunCommands ?? false,
  });
  // The same object, so that callers can tell that nothing changed.
  const definition = isSameDefinition(before.definition, permitted) ? before.definition : permitted;
  const { stationId, tagGroupId } = definition;
  const group =
    tagGroupId === before.definition.tagGroupId ? before : tagGroupSettings(references, tagGroupId);
  const status = {
    ...before.status,
    value: body.value ?? before.status.value,
    location: body.location ? storedLocation(body.location) : before.status.location,
  };
  return {
    ...before,
    definition,
    status,
    timeZone: references.timeZones.get(stationId) ?? before.timeZone,
    stationName: references.stationNames.get(stationId) ?? before.stationName,
    autoAcknowledge: group.autoAcknowledge,
    groupCallGroupIds: group.groupCallGroupIds,
    scenarioCallGroups: mergeMaps(before.scenarioCallGroups, references.scenarios),
  };
}

/** The settings of a tag group that apply to its tags. */
export function tagGroupSettings({ tagGroups }: References, tagGroupId: number | null) {
  const group = tagGroupId === null ? undefined : tagGroups.get(tagGroupId);
  return {
    autoAcknowledge: group?.autoAcknowledge ?? false,
    groupCallGroupIds: group?.callGroupIds ?? [],
  };
}

function mergeMaps<Key, Value>(
  one: ReadonlyMap<Key, Value>,
  other: ReadonlyMap<Key, Value>,
): ReadonlyMap<Key, Value> {
  if (other.size === 0 || one === other) return one;
  return one.size === 0 ? other : new Map([...one, ...other]);
}

function isSameStatus(before: AlarmStatus, after: AlarmStatus): boolean {
  if (before.value !== after.value) return false;
  return (
    before.location === after.location || JSON.stringify(before.location) === JSON.stringify(after.location)
  );
}
