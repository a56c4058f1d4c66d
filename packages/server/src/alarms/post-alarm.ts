import type { Action, RaiseAlarm } from '@tocsin/contract';
import { signalOf } from '@tocsin/domain';
import { callGroupIdsOf, scenarioIdsOf, userIdsOf } from '../plant/action.wire.ts';
import { ProblemError, unknownReference } from '../problem.ts';
import { type AlarmBatch, placeKey, record } from './alarm-batch.ts';
import { endExpiredMask, raiseAlarm, resetAlarm } from './alarm-change.ts';
import { type Actor, type PostCommand, serverItself } from './alarm-command.ts';
import { filesOf, keptLocation, newDefinition, redefine, sameDefinition } from './alarm-definition.ts';
import type { AlarmRecord, AlarmStanding } from './alarm-record.ts';
import type { References } from './alarm-references.store.ts';

/**
 * What a source sent: stores the definition of the tag, new or known, and raises or resets its alarm. Throws a
 * problem, before anything changed, when the body names what does not exist.
 */
export function postAlarm(batch: AlarmBatch, references: References, command: PostCommand): AlarmRecord {
  const { body, actor } = command;
  checkReferences(references, body);
  const known = findTag(batch, references, body);
  requireStations(actor, stationsOf(references, body, known));

  const before = known ? endExpiredMask(batch, known, serverItself) : newRecord(batch, references, command);
  const defined = define(references, before, command);
  const redefined = known === undefined || before.definition !== defined.definition;
  if (redefined) batch.redefined.add(defined.tagId);

  const signal = signalOf({ raised: body.raised, value: body.value, condition: conditionOf(defined) });
  const detail = redefined ? unknownFiles(references, defined) : '';
  const after = obey(batch, defined, { signal, actor, detail });
  if (after !== defined) return body.location ? after : forgetOldPlace(batch, defined, after);
  if (redefined || !sameStanding(before.standing, defined.standing)) {
    const changed = { ...defined, standing: { ...defined.standing, lastChange: batch.now } };
    record(batch, changed, { kind: 'defined', actor: actor.name, detail });
    return changed;
  }
  return defined;
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
  { signal, actor, detail }: { signal: 'raise' | 'reset' | 'define'; actor: Actor; detail: string },
): AlarmRecord {
  switch (signal) {
    case 'raise':
      return raiseAlarm(batch, defined, actor, detail);
    case 'reset':
      return resetAlarm(batch, defined, actor, detail);
    case 'define':
      return defined;
  }
}

function findTag(batch: AlarmBatch, references: References, body: RaiseAlarm): AlarmRecord | undefined {
  if (!body.path) return undefined;
  const dataServerId = body.dataServerId || references.firstDataServerId;
  const tagId = batch.tagIds.get(placeKey({ dataServerId, path: body.path }));
  return tagId === undefined ? undefined : batch.records.get(tagId);
}

/** A tag that did not exist. Without a path it gets one made from its number, and lives only as long as its alarm. */
function newRecord(batch: AlarmBatch, references: References, { body, pathTaken }: PostCommand): AlarmRecord {
  batch.heads.tagId += 1;
  const tagId = batch.heads.tagId;
  const dataServerId = body.dataServerId || references.firstDataServerId;
  const stationId = body.stationId || references.firstStationId;
  const path = body.path || `api/${tagId}${pathTaken ? '.1' : ''}`;
  batch.tagIds.set(placeKey({ dataServerId, path }), tagId);
  return {
    tagId,
    definition: newDefinition({ stationId, dataServerId, path }),
    standing: newStanding(batch.now),
    timeZone: 'UTC',
    dataServerName: references.dataServerNames.get(dataServerId) ?? '',
    autoAcknowledge: false,
    scenarioCallGroups: new Map(),
    groupCallGroupIds: [],
  };
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
  };
}

/** The record with what the body says of it, and what its (perhaps new) surroundings lend it. */
function define(references: References, before: AlarmRecord, { body, actor }: PostCommand): AlarmRecord {
  const asked = body.path ? body : { ...body, temporary: true };
  const said = redefine(before.definition, asked, actor.mayRunCommands ? actor.subject : undefined);
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

function conditionOf({ definition }: AlarmRecord) {
  const { conditionValue: value, transitory, reactivatable, resettable } = definition;
  return { value, transitory, reactivatable, resettable };
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

/** Where the tag is, and where it is said to be. */
function stationsOf(
  references: References,
  { stationId }: RaiseAlarm,
  known: AlarmRecord | undefined,
): number[] {
  const present = known?.definition.stationId;
  return [stationId || present || references.firstStationId, present ?? 0].filter((id) => id > 0);
}

function requireStations({ name, stationIds }: Actor, wanted: readonly number[]): void {
  if (stationIds === undefined) return;
  const outside = wanted.find((id) => !stationIds.includes(id));
  if (outside !== undefined)
    throw new ProblemError('not-allowed', `${name} may not act on station ${outside}`);
}

function checkReferences(references: References, body: RaiseAlarm): void {
  const { stationId, dataServerId, tagGroupId } = body;
  if (stationId && !references.timeZones.has(stationId)) throw unknownReference('/stationId', stationId);
  if (dataServerId && !references.dataServerNames.has(dataServerId)) {
    throw unknownReference('/dataServerId', dataServerId);
  }
  if (tagGroupId && !references.tagGroups.has(tagGroupId)) throw unknownReference('/tagGroupId', tagGroupId);
  for (const member of ['alarmActions', 'resetActions', 'ackActions'] as const) {
    const actions = body[member];
    if (!actions || actions.length === 0) continue;
    for (const [index, action] of actions.entries()) {
      const missing = missingReference(references, action);
      if (missing !== undefined) throw unknownReference(`/${member}/${index}/id`, missing);
    }
  }
}

/** What the action names and is not there. */
function missingReference(references: References, action: Action): number | undefined {
  return (
    callGroupIdsOf([action]).find((id) => !references.callGroupIds.has(id)) ??
    scenarioIdsOf([action]).find((id) => !references.scenarios.has(id)) ??
    userIdsOf([action]).find((id) => !references.userIds.has(id))
  );
}
