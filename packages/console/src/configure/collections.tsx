import {
  type CallGroupBody,
  type CallGroupGroupingBody,
  callModes,
  type DataServerBody,
  roles,
  type ScenarioBody,
  type StationBody,
  type TagGroupBody,
  type User,
  type UserBody,
} from '@tocsin/contract';
import { type Collection, defineCollection } from './core/collection.ts';
import { GroupMore } from './groups/group-more.tsx';
import { PersonMore } from './people/person-more.tsx';
import { ReachTest } from './people/reach-test.tsx';
import { PeopleSummary, ReachedCell } from './people/reached-cell.tsx';
import { ScenarioMore } from './scenarios/scenario-more.tsx';
import { issuers } from './security/issuer-collection.tsx';
import { StationPlans } from './stations/station-plans.tsx';

const named = {
  name: { kind: 'text', isRequired: true },
  localizedName: { kind: 'text' },
} as const;
const station = { kind: 'reference', of: 'stations', none: 'allStations' } as const;
const plantRights = { read: 'plant:read', write: 'plant:write' };
const groupRights = { read: 'callgroups:read', write: 'callgroups:write' };

const stations = defineCollection<StationBody>({
  path: 'stations',
  page: 'stations',
  icon: 'building-2',
  ...plantRights,
  fields: { ...named, timeZone: { kind: 'zone' } },
  columns: ['timeZone'],
  help: 'interface',
  more: (item) => <StationPlans stationId={item.id} />,
});

const dataServers = defineCollection<DataServerBody>({
  path: 'dataservers',
  page: 'dataservers',
  icon: 'server',
  ...plantRights,
  fields: { ...named, stationId: station },
  columns: ['stationId'],
  help: 'interface',
});

const tagGroups = defineCollection<TagGroupBody>({
  path: 'taggroups',
  page: 'taggroups',
  icon: 'list-tree',
  ...plantRights,
  fields: {
    ...named,
    parentId: { kind: 'reference', of: 'taggroups', none: 'top' },
    stationId: station,
    scenarioId: { kind: 'reference', of: 'scenarios', none: 'none' },
    autoAcknowledge: { kind: 'toggle', initial: false },
  },
  columns: ['parentId', 'stationId', 'scenarioId'],
  help: 'interface',
});

const scenarios = defineCollection<ScenarioBody>({
  path: 'scenarios',
  page: 'scenarios',
  icon: 'workflow',
  ...plantRights,
  fields: {
    ...named,
    stationId: station,
    alarmActions: { kind: 'actions' },
    ackActions: { kind: 'actions' },
    resetActions: { kind: 'actions' },
  },
  columns: ['stationId', 'alarmActions'],
  help: 'dispatch',
  isWide: true,
  more: (item, changes) => <ScenarioMore item={item} changes={changes} />,
});

const users = defineCollection<UserBody>({
  path: 'users',
  page: 'people',
  icon: 'users',
  read: 'people:read',
  write: 'people:write',
  fields: {
    name: { kind: 'text' },
    username: { kind: 'text', isRequired: true, maxLength: 128 },
    role: { kind: 'choice', choices: roles, initial: 'operator' },
    stationIds: { kind: 'references', of: 'stations', none: 'allStations', sentIfEmpty: [0] },
    enabled: { kind: 'toggle', initial: true },
    language: { kind: 'choice', choices: ['', 'en', 'fr', 'de', 'es'], initial: '' },
    media: { kind: 'media' },
    password: { kind: 'secret', minLength: 12 },
    identities: { kind: 'identities' },
    breakGlass: { kind: 'toggle', initial: false },
  },
  columns: ['role', 'stationIds'],
  moreColumns: [{ label: 'reached', cell: (item) => <ReachedCell userId={item.id} /> }],
  help: 'reachability',
  hasInitials: true,
  summary: () => <PeopleSummary />,
  first: (item) => <ReachTest user={item as unknown as User} />,
  more: (item, changes) => <PersonMore item={item} changes={changes} />,
});

const callGroups = defineCollection<CallGroupBody>({
  path: 'callgroups',
  page: 'callgroups',
  icon: 'phone-call',
  ...groupRights,
  fields: {
    ...named,
    stationId: station,
    mode: { kind: 'choice', choices: callModes, initial: 'Sequential' },
    userIds: { kind: 'references', of: 'users', none: 'nobody', isOrdered: true },
    ackTimeout: { kind: 'number', min: 5, max: 86_400 },
    attempts: { kind: 'number', min: 1, max: 100 },
    cycles: { kind: 'number', min: 1, max: 100 },
    reliefGroupId: { kind: 'reference', of: 'callgroups', none: 'none' },
    groupingId: { kind: 'reference', of: 'callgroupgroupings', none: 'none' },
    // Teams and roster have a page of their own.
    teams: { kind: 'kept' },
    roster: { kind: 'kept' },
  },
  columns: ['mode', 'userIds', 'stationId'],
  help: 'dispatch',
  more: (item, changes) => <GroupMore item={item} isChanged={changes.isChanged} />,
});

const groupings = defineCollection<CallGroupGroupingBody>({
  path: 'callgroupgroupings',
  page: 'groupings',
  icon: 'folder',
  ...groupRights,
  fields: {
    ...named,
    parentId: { kind: 'reference', of: 'callgroupgroupings', none: 'top' },
    callGroupIds: { kind: 'references', of: 'callgroups', none: 'none' },
  },
  columns: ['parentId', 'callGroupIds'],
  help: 'glossary',
});

/** All kinds of configured objects that the settings show. */
export const collections: readonly Collection[] = [
  stations,
  dataServers,
  tagGroups,
  scenarios,
  users,
  callGroups,
  groupings,
  issuers,
];
