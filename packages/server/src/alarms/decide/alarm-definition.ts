import type { AlarmAction, RaiseAlarm } from '@tocsin/contract';
import { defaultEventCondition } from '@tocsin/domain';
import { grantCommands } from '../../plant/command-grant.ts';
import type { OccasionDefinition, OccasionPrefix, TagDefinition } from './alarm-record.ts';
import { fileTexts, occasionPrefixes, occasionTexts, plainMembers } from './definition-members.ts';
import { cutFileName } from './file-name.ts';

const noActions: OccasionDefinition['actions'] = [];

const emptyOccasion: OccasionDefinition = {
  message: '',
  format: '',
  shortMessage: '',
  vocalMessageFile: '',
  attachedFile: '',
  actions: noActions,
};

/** The default definition of a tag at this place. */
export function newDefinition(place: {
  stationId: number;
  dataServerId: number;
  path: string;
}): TagDefinition {
  const { value, transitory, reactivatable, resettable } = defaultEventCondition;
  return {
    ...place,
    tagGroupId: null,
    name: place.path,
    localizedName: place.path,
    priority: 1,
    temporary: false,
    conditionValue: value,
    transitory,
    reactivatable,
    resettable,
    alarmDelay: 0,
    alarm: emptyOccasion,
    reset: emptyOccasion,
    ack: emptyOccasion,
  };
}

/**
 * The definition after a POST. Members that the body leaves out stay unchanged: a script that only sends
 * `raised: false` does not delete the actions. Each member is named here, so that a new one cannot be forgotten.
 */
export function redefine(
  before: TagDefinition,
  body: RaiseAlarm,
  commandGrantor: string | undefined,
): TagDefinition {
  const { eventCondition: condition = {} } = body;
  return {
    // The place and the names follow from the path of the first post.
    dataServerId: before.dataServerId,
    path: before.path,
    name: before.name,
    localizedName: before.localizedName,
    stationId: body.stationId || before.stationId,
    tagGroupId: body.tagGroupId || before.tagGroupId,
    priority: body.priority ?? before.priority,
    temporary: body.temporary ?? before.temporary,
    conditionValue: condition.value ?? before.conditionValue,
    transitory: condition.transitory ?? before.transitory,
    reactivatable: condition.reactivatable ?? before.reactivatable,
    resettable: condition.resettable ?? before.resettable,
    alarmDelay: body.alarmDelay ?? before.alarmDelay,
    alarm: redefineOccasion(before.alarm, body, 'alarm', commandGrantor),
    reset: redefineOccasion(before.reset, body, 'reset', commandGrantor),
    ack: redefineOccasion(before.ack, body, 'ack', commandGrantor),
  };
}

function redefineOccasion(
  before: OccasionDefinition,
  body: RaiseAlarm,
  prefix: OccasionPrefix,
  commandGrantor: string | undefined,
): OccasionDefinition {
  return {
    message: body[`${prefix}Message`] ?? before.message,
    format: body[`${prefix}Format`] ?? before.format,
    shortMessage: body[`${prefix}ShortMessage`] ?? before.shortMessage,
    vocalMessageFile: cutFileName(body[`${prefix}VocalMessageFile`]) ?? before.vocalMessageFile,
    attachedFile: cutFileName(body[`${prefix}AttachedFile`]) ?? before.attachedFile,
    actions: redefineActions(before.actions, body[`${prefix}Actions`], commandGrantor),
  };
}

function redefineActions(
  before: OccasionDefinition['actions'],
  sent: readonly AlarmAction[] | undefined,
  commandGrantor: string | undefined,
): OccasionDefinition['actions'] {
  if (sent === undefined) return before;
  return sent.length === 0 ? noActions : grantCommands(sent, before, commandGrantor);
}

export function isSameDefinition(one: TagDefinition, other: TagDefinition): boolean {
  return (
    plainMembers.every((member) => one[member] === other[member]) &&
    occasionPrefixes.every((prefix) => isSameOccasion(one[prefix], other[prefix]))
  );
}

function isSameOccasion(one: OccasionDefinition, other: OccasionDefinition): boolean {
  return (
    occasionTexts.every((text) => one[text] === other[text]) &&
    one.actions.length === other.actions.length &&
    (one.actions.length === 0 || JSON.stringify(one.actions) === JSON.stringify(other.actions))
  );
}

/** The media files that a definition names. */
export function filesOf(definition: TagDefinition): string[] {
  const named = occasionPrefixes.flatMap((prefix) => fileTexts.map((text) => definition[prefix][text]));
  return [...new Set(named.filter((name) => name !== ''))];
}
