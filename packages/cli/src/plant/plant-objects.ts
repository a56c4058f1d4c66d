import { type DataServer, type Station, StationBody, type TagGroup, TagGroupBody } from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import { defineKind, idFor, nameFor, present, referenceTo } from './kind.ts';

const { name, localizedName, timeZone } = StationBody.properties;
const named = { name, localizedName };
const reference = Type.Optional(Type.String());
const closed = { additionalProperties: false };

const StationEntry = Type.Object({ ...named, timeZone }, closed);

export const stationKind = defineKind<Station, Static<typeof StationEntry>>({
  section: 'stations',
  path: '/stations',
  uses: [],
  schema: StationEntry,
  keyOf: (entry) => entry.name,
  references: () => [],
  toEntry: ({ name, localizedName, timeZone }) => ({ name, localizedName, timeZone }),
  normalize: present,
  toBody: (entry) => entry,
});

const DataServerEntry = Type.Object({ ...named, station: reference }, closed);

export const dataServerKind = defineKind<DataServer, Static<typeof DataServerEntry>>({
  section: 'dataServers',
  path: '/dataservers',
  uses: ['stations'],
  schema: DataServerEntry,
  keyOf: (entry) => entry.name,
  references: ({ station }) => referenceTo('stations', station, 'station'),
  toEntry: ({ name, localizedName, stationId }, names) => ({
    name,
    localizedName,
    station: nameFor(names, 'stations', stationId),
  }),
  normalize: present,
  toBody: ({ station, ...entry }, { names }) =>
    present({ ...entry, stationId: idFor(names, 'stations', station) }),
});

const TagGroupEntry = Type.Object(
  {
    ...named,
    parent: reference,
    station: reference,
    autoAcknowledge: TagGroupBody.properties.autoAcknowledge,
    scenario: reference,
  },
  closed,
);

export const tagGroupKind = defineKind<TagGroup, Static<typeof TagGroupEntry>>({
  section: 'tagGroups',
  path: '/taggroups',
  uses: ['stations', 'scenarios'],
  schema: TagGroupEntry,
  keyOf: (entry) => entry.name,
  references: ({ parent, station, scenario }) => [
    ...referenceTo('tagGroups', parent, 'parent'),
    ...referenceTo('stations', station, 'station'),
    ...referenceTo('scenarios', scenario, 'scenario'),
  ],
  toEntry: ({ name, localizedName, parentId, stationId, autoAcknowledge, scenarioId }, names) => ({
    name,
    localizedName,
    parent: nameFor(names, 'tagGroups', parentId),
    station: nameFor(names, 'stations', stationId),
    autoAcknowledge,
    scenario: nameFor(names, 'scenarios', scenarioId),
  }),
  normalize: present,
  toBody: ({ parent, station, scenario, ...entry }, { names }) =>
    present({
      ...entry,
      parentId: idFor(names, 'tagGroups', parent),
      stationId: idFor(names, 'stations', station),
      scenarioId: idFor(names, 'scenarios', scenario),
    }),
});
