/** The configuration rows that a batch of commands names. */
export type ReferencedIds = {
  stationIds: ReadonlySet<number>;
  dataServerIds: ReadonlySet<number>;
  tagGroupIds: ReadonlySet<number>;
  callGroupIds: ReadonlySet<number>;
  scenarioIds: ReadonlySet<number>;
  userIds: ReadonlySet<number>;
  files: ReadonlySet<string>;
};

/** Those of the rows that exist, with the members that alarms need. */
export type References = {
  firstStationId: number;
  firstDataServerId: number;
  maximumMaskSeconds: number;
  timeZones: ReadonlyMap<number, string>;
  stationNames: ReadonlyMap<number, string>;
  dataServerNames: ReadonlyMap<number, string>;
  /** Data server to its station, if it has one. */
  dataServerStations: ReadonlyMap<number, number>;
  tagGroups: ReadonlyMap<number, TagGroupReference>;
  /** Call group to its station; null means all stations. */
  callGroups: ReadonlyMap<number, number | null>;
  /** Scenario to the call groups it names. */
  scenarios: ReadonlyMap<number, readonly number[]>;
  /** Scenario to its station; null means all stations. */
  scenarioStations: ReadonlyMap<number, number | null>;
  /** User to their stations; an empty list means all stations. */
  users: ReadonlyMap<number, readonly number[]>;
  files: ReadonlySet<string>;
  /** The version of the tenant's configuration that the rows were read at. */
  configurationVersion: number;
};

export type TagGroupReference = {
  autoAcknowledge: boolean;
  callGroupIds: readonly number[];
  /** Null means all stations. */
  stationId: number | null;
};

export const referenceKinds = Object.keys({
  stationIds: true,
  dataServerIds: true,
  tagGroupIds: true,
  callGroupIds: true,
  scenarioIds: true,
  userIds: true,
  files: true,
} satisfies Record<keyof ReferencedIds, true>) as (keyof ReferencedIds)[];

export function mergeIds(one: ReferencedIds, other: ReferencedIds): ReferencedIds {
  return {
    stationIds: union(one.stationIds, other.stationIds),
    dataServerIds: union(one.dataServerIds, other.dataServerIds),
    tagGroupIds: union(one.tagGroupIds, other.tagGroupIds),
    callGroupIds: union(one.callGroupIds, other.callGroupIds),
    scenarioIds: union(one.scenarioIds, other.scenarioIds),
    userIds: union(one.userIds, other.userIds),
    files: union(one.files, other.files),
  };
}

/** The rows of two reads of the same version. */
export function mergeReferences(one: References, other: References): References {
  return {
    firstStationId: other.firstStationId,
    firstDataServerId: other.firstDataServerId,
    maximumMaskSeconds: other.maximumMaskSeconds,
    timeZones: new Map([...one.timeZones, ...other.timeZones]),
    stationNames: new Map([...one.stationNames, ...other.stationNames]),
    dataServerNames: new Map([...one.dataServerNames, ...other.dataServerNames]),
    dataServerStations: new Map([...one.dataServerStations, ...other.dataServerStations]),
    tagGroups: new Map([...one.tagGroups, ...other.tagGroups]),
    callGroups: new Map([...one.callGroups, ...other.callGroups]),
    scenarios: new Map([...one.scenarios, ...other.scenarios]),
    scenarioStations: new Map([...one.scenarioStations, ...other.scenarioStations]),
    users: new Map([...one.users, ...other.users]),
    files: union(one.files, other.files),
    configurationVersion: other.configurationVersion,
  };
}

function union<Name>(one: ReadonlySet<Name>, other: ReadonlySet<Name>): ReadonlySet<Name> {
  return new Set([...one, ...other]);
}
