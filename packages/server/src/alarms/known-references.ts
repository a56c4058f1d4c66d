import { createRecentlyUsed } from '../recently-used.ts';
import type { References, WantedReferences } from './alarm-references.store.ts';

export type KnownReferences = {
  /** What was read before, if that tells all that is wanted. It is right as long as the directory is of its version. */
  recall(tenantId: number, wanted: WantedReferences): References | undefined;
  keep(tenantId: number, wanted: WantedReferences, read: References): void;
};

type Kept = { asked: WantedReferences; references: References };

const mostTenants = 500;
/** Of one tenant. Clients choose the names of files, and may choose any number of them. */
const mostNames = 2_000;

/** What surrounds alarms changes seldom and is needed with each of them: it stays in memory until its version moves. */
export function createKnownReferences(): KnownReferences {
  const tenants = createRecentlyUsed<number, Kept>(mostTenants);
  return {
    recall: (tenantId, wanted) => {
      const kept = tenants.get(tenantId);
      return kept && kinds.every((kind) => isWithin(wanted[kind], kept.asked[kind]))
        ? kept.references
        : undefined;
    },
    keep: (tenantId, wanted, read) => {
      const before = tenants.get(tenantId);
      const isSame = before?.references.directoryVersion === read.directoryVersion;
      const kept = before && isSame && sizeOf(before.asked) < mostNames ? before : undefined;
      const all = {
        asked: kept ? bothAsked(kept.asked, wanted) : wanted,
        references: kept ? bothRead(kept.references, read) : read,
      };
      tenants.set(tenantId, all);
    },
  };
}

const kinds = [
  'stationIds',
  'dataServerIds',
  'tagGroupIds',
  'callGroupIds',
  'scenarioIds',
  'userIds',
  'files',
] as const satisfies readonly (keyof WantedReferences)[];

function isWithin(part: ReadonlySet<number | string>, whole: ReadonlySet<number | string>): boolean {
  for (const name of part) if (!whole.has(name)) return false;
  return true;
}

function sizeOf(asked: WantedReferences): number {
  return kinds.reduce((sum, kind) => sum + asked[kind].size, 0);
}

function both<Name>(one: ReadonlySet<Name>, other: ReadonlySet<Name>): ReadonlySet<Name> {
  return new Set([...one, ...other]);
}

function bothAsked(one: WantedReferences, other: WantedReferences): WantedReferences {
  return {
    stationIds: both(one.stationIds, other.stationIds),
    dataServerIds: both(one.dataServerIds, other.dataServerIds),
    tagGroupIds: both(one.tagGroupIds, other.tagGroupIds),
    callGroupIds: both(one.callGroupIds, other.callGroupIds),
    scenarioIds: both(one.scenarioIds, other.scenarioIds),
    userIds: both(one.userIds, other.userIds),
    files: both(one.files, other.files),
  };
}

function bothRead(one: References, other: References): References {
  return {
    ...other,
    timeZones: new Map([...one.timeZones, ...other.timeZones]),
    dataServerNames: new Map([...one.dataServerNames, ...other.dataServerNames]),
    dataServerStations: new Map([...one.dataServerStations, ...other.dataServerStations]),
    tagGroups: new Map([...one.tagGroups, ...other.tagGroups]),
    callGroups: new Map([...one.callGroups, ...other.callGroups]),
    scenarios: new Map([...one.scenarios, ...other.scenarios]),
    scenarioStations: new Map([...one.scenarioStations, ...other.scenarioStations]),
    users: new Map([...one.users, ...other.users]),
    files: both(one.files, other.files),
  };
}
