import type { AlarmAction } from '@tocsin/contract';
import { callGroupIdsOf, scenarioIdsOf, userIdsOf } from '../plant/action.wire.ts';
import type { WantedTags } from './alarm-batch.store.ts';
import type { AlarmCommand } from './alarm-command.ts';
import type { AlarmRecord } from './alarm-record.ts';
import type { WantedReferences } from './alarm-references.store.ts';
import type { KnownRecords } from './known-records.ts';

/** The tags that commands speak of: those remembered, and those that must be read. */
export function sortTags(
  commands: readonly AlarmCommand[],
  known: KnownRecords | undefined,
): { remembered: AlarmRecord[]; unknown: WantedTags } {
  const remembered = new Map<number, AlarmRecord>();
  const unknown: WantedTags = { tagIds: [], places: [] };
  for (const command of commands) {
    if (command.kind === 'post') {
      const { path, dataServerId = 0 } = command.body;
      if (!path) continue;
      const found = known?.findAt({ dataServerId: dataServerId || known.firstDataServerId, path });
      if (found) remembered.set(found.tagId, found);
      else unknown.places.push({ dataServerId, path });
    } else {
      const found = known?.find(command.tagId);
      if (found) remembered.set(found.tagId, found);
      else unknown.tagIds.push(command.tagId);
    }
  }
  return { remembered: [...remembered.values()], unknown };
}

/** The tags whose current text a comment may change. */
export function commentedTags(commands: readonly AlarmCommand[]): number[] {
  return commands.flatMap((command) =>
    'comment' in command && command.comment !== undefined ? command.tagId : [],
  );
}

/** What commands name, and what surrounds the tags that are remembered: that may have changed meanwhile. */
export function wantedReferences(
  commands: readonly AlarmCommand[],
  remembered: readonly AlarmRecord[],
): WantedReferences {
  const wanted = {
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
    addPlace(wanted, body);
    for (const actions of [body.alarmActions, body.resetActions, body.ackActions])
      addActions(wanted, actions);
    for (const member of fileMembers) add(wanted.files, body[member]);
  }
  for (const { definition } of remembered) {
    addPlace(wanted, definition);
    for (const { actions } of [definition.alarm, definition.reset, definition.ack])
      addActions(wanted, actions);
  }
  return wanted;
}

const fileMembers = [
  'alarmVocalMessageFile',
  'alarmAttachedFile',
  'resetVocalMessageFile',
  'resetAttachedFile',
  'ackVocalMessageFile',
  'ackAttachedFile',
] as const;

type Wanted = Record<
  'stationIds' | 'dataServerIds' | 'tagGroupIds' | 'callGroupIds' | 'scenarioIds' | 'userIds',
  Set<number>
>;

function addPlace(
  wanted: Wanted,
  place: {
    stationId?: number | undefined;
    dataServerId?: number | undefined;
    tagGroupId?: number | null | undefined;
  },
): void {
  add(wanted.stationIds, place.stationId);
  add(wanted.dataServerIds, place.dataServerId);
  add(wanted.tagGroupIds, place.tagGroupId);
}

function addActions(wanted: Wanted, actions: readonly AlarmAction[] = []): void {
  if (actions.length === 0) return;
  for (const id of callGroupIdsOf(actions)) wanted.callGroupIds.add(id);
  for (const id of scenarioIdsOf(actions)) wanted.scenarioIds.add(id);
  for (const id of userIdsOf(actions)) wanted.userIds.add(id);
}

/** 0 and the empty text name nothing. */
function add<Name>(names: Set<Name>, name: Name | null | undefined): void {
  if (name) names.add(name);
}
