import type { Action, AlarmAction, Location, RaiseAlarm } from '@tocsin/contract';
import { defaultEventCondition } from '@tocsin/domain';
import { grantCommands } from '../plant/command-grant.ts';
import type { TagDefinition, Turn } from './alarm-record.ts';

const none: readonly Action[] = [];

const quietTurn: Turn = {
  message: '',
  format: '',
  shortMessage: '',
  vocalMessageFile: '',
  attachedFile: '',
  actions: [],
};

/** A tag of which nothing was said yet but where it is. */
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
    alarm: quietTurn,
    reset: quietTurn,
    ack: quietTurn,
  };
}

/**
 * The definition after a POST. What the body leaves out stays as the tag has it: a script that only sends
 * `raised: false` does not wipe out whom to call.
 */
export function redefine(
  before: TagDefinition,
  body: RaiseAlarm,
  commandGrantor: string | undefined,
): TagDefinition {
  const { eventCondition: condition = {} } = body;
  return {
    ...before,
    stationId: body.stationId || before.stationId,
    tagGroupId: body.tagGroupId || before.tagGroupId,
    priority: body.priority ?? before.priority,
    temporary: body.temporary ?? before.temporary,
    conditionValue: condition.value ?? before.conditionValue,
    transitory: condition.transitory ?? before.transitory,
    reactivatable: condition.reactivatable ?? before.reactivatable,
    resettable: condition.resettable ?? before.resettable,
    alarmDelay: body.alarmDelay ?? before.alarmDelay,
    alarm: turnAfter(before.alarm, body, 'alarm', commandGrantor),
    reset: turnAfter(before.reset, body, 'reset', commandGrantor),
    ack: turnAfter(before.ack, body, 'ack', commandGrantor),
  };
}

/** Whether both say the same of the tag. */
export function sameDefinition(one: TagDefinition, other: TagDefinition): boolean {
  return (
    plainMembers.every((name) => one[name] === other[name]) &&
    sameTurn(one.alarm, other.alarm) &&
    sameTurn(one.reset, other.reset) &&
    sameTurn(one.ack, other.ack)
  );
}

type PlainMember = Exclude<keyof TagDefinition, 'alarm' | 'reset' | 'ack'>;

// As an object, so that the compiler misses what is not compared.
const plainMembers = Object.keys({
  stationId: true,
  dataServerId: true,
  tagGroupId: true,
  path: true,
  name: true,
  localizedName: true,
  priority: true,
  temporary: true,
  conditionValue: true,
  transitory: true,
  reactivatable: true,
  resettable: true,
  alarmDelay: true,
} satisfies Record<PlainMember, true>) as PlainMember[];

function sameTurn(one: Turn, other: Turn): boolean {
  return (
    one.message === other.message &&
    one.format === other.format &&
    one.shortMessage === other.shortMessage &&
    one.vocalMessageFile === other.vocalMessageFile &&
    one.attachedFile === other.attachedFile &&
    one.actions.length === other.actions.length &&
    (one.actions.length === 0 || JSON.stringify(one.actions) === JSON.stringify(other.actions))
  );
}

function turnAfter(
  before: Turn,
  body: RaiseAlarm,
  prefix: 'alarm' | 'reset' | 'ack',
  commandGrantor: string | undefined,
): Turn {
  const actions: readonly AlarmAction[] | undefined = body[`${prefix}Actions`];
  return {
    message: body[`${prefix}Message`] ?? before.message,
    format: body[`${prefix}Format`] ?? before.format,
    shortMessage: body[`${prefix}ShortMessage`] ?? before.shortMessage,
    vocalMessageFile: body[`${prefix}VocalMessageFile`] ?? before.vocalMessageFile,
    attachedFile: body[`${prefix}AttachedFile`] ?? before.attachedFile,
    actions: actions === undefined ? before.actions : definedActions(actions, before.actions, commandGrantor),
  };
}

function definedActions(
  asked: readonly AlarmAction[],
  before: Turn['actions'],
  commandGrantor: string | undefined,
): Turn['actions'] {
  return asked.length === 0 ? none : grantCommands(asked, before, commandGrantor);
}

/** Files a definition names, by the members that name them. */
export function filesOf({ alarm, reset, ack }: TagDefinition): string[] {
  const named = [alarm, reset, ack].flatMap(({ vocalMessageFile, attachedFile }) => [
    vocalMessageFile,
    attachedFile,
  ]);
  return [...new Set(named.filter((name) => name !== ''))];
}

const beaconTypes = ['Undefined', 'Nfc'];

/** The place as it is kept: only known members, and a beacon of an unknown type is a beacon all the same. */
export function keptLocation(location: Location): Location {
  const { latitude, longitude, horizontalAccuracy, altitude, verticalAccuracy, date, beaconList, zone } =
    location;
  const beacons = beaconList?.map(({ id, name, type = 'Undefined', accuracy, date: seenAt }) =>
    given({ id, name, type: beaconTypes.includes(type) ? type : 'Undefined', accuracy, date: seenAt }),
  );
  return given({
    latitude,
    longitude,
    horizontalAccuracy,
    altitude,
    verticalAccuracy,
    date,
    beaconList: beacons,
    zone,
  });
}

/** Only the members that are there. */
function given<Members extends object>(members: Members): Given<Members> {
  const present: Partial<Members> = {};
  for (const name in members) {
    if (members[name] !== undefined) present[name] = members[name];
  }
  return present as Given<Members>;
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
