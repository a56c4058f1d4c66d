import type { AlarmAction } from '@tocsin/contract';
import type { ReferencedIds } from '../../escalations/references.ts';
import { callGroupIdsOf, scenarioIdsOf, userIdsOf } from '../../plant/action.wire.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import type { AlarmRecord } from '../decide/alarm-record.ts';
import { fileTexts, occasionPrefixes, textSuffixes } from '../decide/definition-members.ts';
import { cutFileName } from '../decide/file-name.ts';
import type { TagKeys } from '../store/alarm-batch.store.ts';
import type { CachedRecords } from './record-cache.ts';

/** The tags of commands: the cached records, and the keys of those that must be read. */
export function planTagReads(
  commands: readonly AlarmCommand[],
  cache: CachedRecords | undefined,
): { cached: AlarmRecord[]; missing: TagKeys } {
  const cached = new Map<number, AlarmRecord>();
  const missing: TagKeys = { tagIds: [], places: [] };
  for (const command of commands) {
    if (command.kind === 'post') {
      const { path, dataServerId = 0 } = command.body;
      if (!path) continue;
      const found = cache?.findAt({ dataServerId: dataServerId || cache.firstDataServerId, path });
      if (found) cached.set(found.tagId, found);
      else missing.places.push({ dataServerId, path });
    } else {
      const found = cache?.find(command.tagId);
      if (found) cached.set(found.tagId, found);
      else missing.tagIds.push(command.tagId);
    }
  }
  return { cached: [...cached.values()], missing };
}

/** The tags whose current text a comment may change. */
export function commentedTags(commands: readonly AlarmCommand[]): number[] {
  return commands.flatMap((command) =>
    'comment' in command && command.comment !== undefined ? command.tagId : [],
  );
}

/** The configuration rows that commands and cached records name: those of cached records may have changed since. */
export function planReferenceReads(
  commands: readonly AlarmCommand[],
  cached: readonly AlarmRecord[],
): ReferencedIds {
  const ids = {
    stationIds: new Set<number>(),
    dataServerIds: new Set<number>(),
    tagGroupIds: new Set<number>(),
    callGroupIds: new Set<number>(),
    scenarioIds: new Set<number>(),
    userIds: new Set<number>(),
    files: new Set<string>(),
  };
  for (const command of commands) {
    if (command.kind !== 'post') continue;
    const { body } = command;
    addPlace(ids, body);
    for (const prefix of occasionPrefixes) addActions(ids, body[`${prefix}Actions`]);
    for (const member of fileMembers) add(ids.files, cutFileName(body[member]));
  }
  for (const { definition } of cached) {
    addPlace(ids, definition);
    for (const prefix of occasionPrefixes) addActions(ids, definition[prefix].actions);
  }
  return ids;
}

const fileMembers = occasionPrefixes.flatMap((prefix) =>
  fileTexts.map((text) => `${prefix}${textSuffixes[text]}` as const),
);

type MutableIds = Record<Exclude<keyof ReferencedIds, 'files'>, Set<number>>;

function addPlace(
  ids: MutableIds,
  place: {
    stationId?: number | undefined;
    dataServerId?: number | undefined;
    tagGroupId?: number | null | undefined;
  },
): void {
  add(ids.stationIds, place.stationId);
  add(ids.dataServerIds, place.dataServerId);
  add(ids.tagGroupIds, place.tagGroupId);
}

function addActions(ids: MutableIds, actions: readonly AlarmAction[] = []): void {
  if (actions.length === 0) return;
  for (const id of callGroupIdsOf(actions)) ids.callGroupIds.add(id);
  for (const id of scenarioIdsOf(actions)) ids.scenarioIds.add(id);
  for (const id of userIdsOf(actions)) ids.userIds.add(id);
}

/** 0 and the empty text name nothing. */
function add<Name>(names: Set<Name>, name: Name | null | undefined): void {
  if (name) names.add(name);
}
