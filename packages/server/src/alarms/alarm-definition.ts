import type { Action, Location, RaiseAlarm } from '@tocsin/contract';
import { defaultEventCondition } from '@tocsin/domain';
import { keptActions } from '../plant/action.wire.ts';
import type { TagDefinition, Turn } from './alarm-record.ts';

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
export function redefine(before: TagDefinition, body: RaiseAlarm): TagDefinition {
  const { eventCondition: condition = {} } = body;
  return {
    ...before,
    stationId: body.stationId || before.stationId,
    tagGroupId: body.tagGroupId === undefined ? before.tagGroupId : body.tagGroupId || null,
    priority: body.priority ?? before.priority,
    temporary: body.temporary ?? before.temporary,
    conditionValue: condition.value ?? before.conditionValue,
    transitory: condition.transitory ?? before.transitory,
    reactivatable: condition.reactivatable ?? before.reactivatable,
    resettable: condition.resettable ?? before.resettable,
    alarmDelay: body.alarmDelay ?? before.alarmDelay,
    alarm: turnAfter(before.alarm, body, 'alarm'),
    reset: turnAfter(before.reset, body, 'reset'),
    ack: turnAfter(before.ack, body, 'ack'),
  };
}

function turnAfter(before: Turn, body: RaiseAlarm, prefix: 'alarm' | 'reset' | 'ack'): Turn {
  const actions: readonly Action[] | undefined = body[`${prefix}Actions`];
  return {
    message: body[`${prefix}Message`] ?? before.message,
    format: body[`${prefix}Format`] ?? before.format,
    shortMessage: body[`${prefix}ShortMessage`] ?? before.shortMessage,
    vocalMessageFile: body[`${prefix}VocalMessageFile`] ?? before.vocalMessageFile,
    attachedFile: body[`${prefix}AttachedFile`] ?? before.attachedFile,
    actions: actions === undefined ? before.actions : keptActions(actions),
  };
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
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Given<Members>;
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
