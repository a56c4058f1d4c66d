import type { RaiseAlarm } from '@tocsin/contract';
import type { Signal } from '@tocsin/domain';
import { actionFaults } from '../plant/action.wire.ts';
import { ProblemError, unknownReference } from '../problem.ts';
import { type AlarmBatch, placeKey, record } from './alarm-batch.ts';
import { endExpiredMask, resetAlarm } from './alarm-change.ts';
import { type Actor, type PostCommand, serverItself, tagOwnerOf } from './alarm-command.ts';
import { filesOf, keptLocation, newDefinition, redefine, sameDefinition } from './alarm-definition.ts';
import type { AlarmRecord, AlarmStanding } from './alarm-record.ts';
import type { References } from './alarm-references.store.ts';
import { definitionChange } from './definition-change.ts';
import { limitActions } from './limit-actions.ts';
import { type RaisingPost, raiseBySource } from './raise-by-source.ts';
import { generatedFolder, isProvisional, requireBinding, takeOver } from './tag-rights.ts';
import { type VisibleReferences, visibleReferences } from './visible-references.ts';
import { noteWithheld, permitPost } from './withheld-members.ts';

/**
 * What a source sent: stores the definition of the tag, new or known, as far as the source may change it, and raises or
 * resets its alarm. Throws a problem, before anything changed, when the body names what does not exist.
 */
export function postAlarm(batch: AlarmBatch, references: References, command: PostCommand): AlarmRecord {
  const { body: sent, actor } = command;
  const known = findTag(batch, references, sent);
  requireBinding(actor, placeOf(references, sent), known);
  const { body, rights, signal, withheld } = permitPost(known, sent, actor);
  const visible = visibleReferences(references, actor, known);
  requireNamed(references, visible, { body, actor, known });

  const before = known ? endExpiredMask(batch, known, serverItself) : newRecord(batch, references, command);
  const said = define(references, before, { ...command, body, visible });
  const redefined = known === undefined || before.definition !== said.definition;
  const change = known && redefined ? definitionChange(before.definition, said.definition) : undefined;
  const defined = takeOver(said, actor, change);
  if (redefined) batch.redefined.add(defined.tagId);

  const faults = faultsOf(references, defined, body);
  const files = redefined ? unknownFiles(references, defined) : '';
  const detail = [files, ...faults, withheld, takenOver(before, defined, actor)]
    .filter((part) => part !== '')
    .join('; ');
  if (faults.length > 0) batch.actionFaults.set(defined.tagId, { record: defined, faults });
  const note = { detail, change };
  const after = obey(batch, defined, { signal, actor, rights, value: body.value, note });
  if (after !== defined) return body.location ? after : forgetOldPlace(batch, defined, after);
  if (redefined || !sameStanding(before.standing, defined.standing)) {
    const changed = { ...defined, standing: { ...defined.standing, lastChange: batch.now } };
    record(batch, changed, { kind: 'defined', actor, ...note });
    return changed;
  }
  return noteWithheld(batch, defined, { note: withheld, actor });
}

/** Says whose the definition was. */
function takenOver(before: AlarmRecord, after: AlarmRecord, actor: Actor): string {
  if (before.provisional === after.provisional) return '';
  return `${actor.name} (${tagOwnerOf(actor)}) has taken the definition over from ${before.createdBy}`;
}

/** A new occurrence that does not say where it is, is not where the last one was. */
function forgetOldPlace(batch: AlarmBatch, before: AlarmRecord, after: AlarmRecord): AlarmRecord {
  if (after.standing.location === null || after.standing.occurrenceId === before.standing.occurrenceId)
    return after;
  const placeless = { ...after, standing: { ...after.standing, location: null } };
  batch.records.set(placeless.tagId, placeless);
  return placeless;
}

function obey(
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

/** A tag that did not exist. Without a path it gets one made from its number, and lives only as long as its alarm. */
function newRecord(
  batch: AlarmBatch,
  references: References,
  { body, pathTaken, actor }: PostCommand,
): AlarmRecord {
  batch.heads.tagId += 1;
  const tagId = batch.heads.tagId;
  const dataServerId = body.dataServerId || references.firstDataServerId;
  const stationId = body.stationId || homeStation(references, dataServerId);
  const path = body.path || `${generatedFolder}${tagId}${pathTaken ? '.1' : ''}`;
  batch.tagIds.set(placeKey({ dataServerId, path }), tagId);
  return {
    tagId,
    definition: newDefinition({ stationId, dataServerId, path }),
    standing: newStanding(batch.now),
    createdBy: tagOwnerOf(actor),
    provisional: isProvisional(actor, { dataServerId, path }),
    timeZone: 'UTC',
    dataServerName: references.dataServerNames.get(dataServerId) ?? '',
    autoAcknowledge: false,
    scenarioCallGroups: new Map(),
    groupCallGroupIds: [],
  };
}

/** Where a tag is of which nothing else was said. */
function homeStation({ dataServerStations, firstStationId }: References, dataServerId: number): number {
  return dataServerStations.get(dataServerId) ?? firstStationId;
}

function newStanding(now: Date): AlarmStanding {
  return {
    state: 0,
    value: '',
    location: null,
    raisedAt: now,
    lastChange: now,
    occurrenceId: 0,
    repeats: 0,
    ackUser: '',
    comment: '',
    maskUntil: null,
    maskReason: null,
    maskBy: null,
    raisedBy: null,
  };
}

/** The record with what the body says of it, and what its (perhaps new) surroundings lend it. */
function define(
  references: References,
  before: AlarmRecord,
  { body, actor, visible }: PostCommand & { visible: VisibleReferences },
): AlarmRecord {
  const asked = body.path ? body : { ...body, temporary: true };
  const redefined = redefine(before.definition, asked, actor.mayRunCommands ? actor.subject : undefined);
  const said = limitActions(redefined, before.definition, {
    visible: visible.actions,
    mayRunCommands: actor.mayRunCommands ?? false,
  });
  // What was said before is kept, so that the same is known to be the same.
  const definition = sameDefinition(before.definition, said) ? before.definition : said;
  const { stationId, tagGroupId } = definition;
  const lent = tagGroupId === before.definition.tagGroupId ? before : lentBy(references, tagGroupId);
  const standing = {
    ...before.standing,
    value: body.value ?? before.standing.value,
    location: body.location ? keptLocation(body.location) : before.standing.location,
  };
  return {
    ...before,
    definition,
    standing,
    timeZone: references.timeZones.get(stationId) ?? before.timeZone,
    autoAcknowledge: lent.autoAcknowledge,
    groupCallGroupIds: lent.groupCallGroupIds,
    scenarioCallGroups: bothOf(before.scenarioCallGroups, references.scenarios),
  };
}

/** What a tag group lends its tags. */
export function lentBy({ tagGroups }: References, tagGroupId: number | null) {
  const group = tagGroupId === null ? undefined : tagGroups.get(tagGroupId);
  return {
    autoAcknowledge: group?.autoAcknowledge ?? false,
    groupCallGroupIds: group?.callGroupIds ?? [],
  };
}

function bothOf<Key, Value>(
  one: ReadonlyMap<Key, Value>,
  other: ReadonlyMap<Key, Value>,
): ReadonlyMap<Key, Value> {
  if (other.size === 0 || one === other) return one;
  return one.size === 0 ? other : new Map([...one, ...other]);
}

function sameStanding(before: AlarmStanding, after: AlarmStanding): boolean {
  if (before.value !== after.value) return false;
  return (
    before.location === after.location || JSON.stringify(before.location) === JSON.stringify(after.location)
  );
}

/** A sound that is not in the library is told in the timeline; it never refuses the alarm. */
function unknownFiles(references: References, { definition }: AlarmRecord): string {
  const unknown = filesOf(definition).filter((name) => !references.files.has(name));
  return unknown.length === 0 ? '' : `not in the media library: ${unknown.join(', ')}`;
}

/** What nobody can carry out of what the body asks for. */
function faultsOf(
  { callGroups, users, scenarios }: References,
  { definition: { alarm, reset, ack } }: AlarmRecord,
  { alarmActions, resetActions, ackActions }: RaiseAlarm,
): string[] {
  const sent = [alarmActions && alarm, resetActions && reset, ackActions && ack];
  const actions = sent.flatMap((turn) => turn?.actions ?? []);
  if (actions.length === 0) return [];
  return actionFaults(actions, { CallGroup: callGroups, CallUser: users, Scenario: scenarios });
}

/** Where the tag is, and where it is said to be. */
function stationsOf(
  references: References,
  { stationId, dataServerId }: RaiseAlarm,
  known: AlarmRecord | undefined,
): number[] {
  const present = known?.definition.stationId;
  const home = homeStation(references, dataServerId || references.firstDataServerId);
  return [stationId || present || home, present ?? 0].filter((id) => id > 0);
}

/** Refuses a post that names rows which its sender may not name. */
function requireNamed(
  references: References,
  visible: VisibleReferences,
  { body, actor, known }: { body: RaiseAlarm; actor: Actor; known: AlarmRecord | undefined },
): void {
  // Not allowed whether it exists or not, so that nobody is told.
  requireStations(actor, body.stationId ? [body.stationId] : []);
  checkReferences(visible, body);
  requireStations(actor, stationsOf(references, body, known));
}

function requireStations({ name, stationIds }: Actor, wanted: readonly number[]): void {
  if (stationIds === undefined) return;
  const outside = wanted.find((id) => !stationIds.includes(id));
  if (outside !== undefined)
    throw new ProblemError('not-allowed', `${name} may not act on station ${outside}`);
}

function checkReferences({ stations, dataServers, tagGroups }: VisibleReferences, body: RaiseAlarm): void {
  const { stationId, dataServerId, tagGroupId } = body;
  if (stationId && !stations.has(stationId)) throw unknownReference('/stationId', stationId);
  if (dataServerId && !dataServers.has(dataServerId)) throw unknownReference('/dataServerId', dataServerId);
  if (tagGroupId && !tagGroups.has(tagGroupId)) throw unknownReference('/tagGroupId', tagGroupId);
}
