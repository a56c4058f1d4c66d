import { type Static, Type } from 'typebox';
import { Action } from './alarms.ts';
import { PagingQuery, pageOf } from './paging.ts';
import { filterBy, Id, Name, optionalIdOf, ShortText, Uint, UtcDateTime } from './primitives.ts';

/** The members that all configured objects share. `localizedName` defaults to the name. */
const named = { name: Name, localizedName: Type.Optional(ShortText) };
const kept = { id: Id, name: Type.String(), localizedName: Type.String(), lastChange: UtcDateTime };

const StationId = optionalIdOf('station', 'Station, or 0 for all stations.');

export const StationBody = Type.Object(
  {
    ...named,
    timeZone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA name; UTC by default.' })),
  },
  { title: 'StationBody' },
);
export type StationBody = Static<typeof StationBody>;
export const Station = Type.Object({ ...kept, timeZone: Type.String() }, { title: 'Station' });
export type Station = Static<typeof Station>;
export const StationPage = pageOf(Station, 'StationPage');

export const DataServerBody = Type.Object(
  { ...named, stationId: Type.Optional(StationId) },
  { title: 'DataServerBody' },
);
export type DataServerBody = Static<typeof DataServerBody>;
export const DataServer = Type.Object({ ...kept, stationId: Uint }, { title: 'DataServer' });
export type DataServer = Static<typeof DataServer>;
export const DataServerPage = pageOf(DataServer, 'DataServerPage');

export const TagGroupBody = Type.Object(
  {
    ...named,
    parentId: Type.Optional(optionalIdOf('tag-group', 'Group above, or 0 at the top.')),
    stationId: Type.Optional(StationId),
    autoAcknowledge: Type.Optional(
      Type.Boolean({ description: 'Acknowledge automatically when the alarm resets.' }),
    ),
    scenarioId: Type.Optional(
      optionalIdOf('scenario', 'What alarms without actions of their own follow; 0 for none.'),
    ),
  },
  { title: 'TagGroupBody' },
);
export type TagGroupBody = Static<typeof TagGroupBody>;
export const TagGroup = Type.Object(
  { ...kept, parentId: Uint, stationId: Uint, autoAcknowledge: Type.Boolean(), scenarioId: Uint },
  { title: 'TagGroup' },
);
export type TagGroup = Static<typeof TagGroup>;
export const TagGroupPage = pageOf(TagGroup, 'TagGroupPage');

const ScenarioActions = Type.Array(Action, { maxItems: 64 });
export const ScenarioBody = Type.Object(
  {
    ...named,
    stationId: Type.Optional(StationId),
    alarmActions: Type.Optional(ScenarioActions),
    resetActions: Type.Optional(ScenarioActions),
    ackActions: Type.Optional(ScenarioActions),
  },
  { title: 'ScenarioBody' },
);
export type ScenarioBody = Static<typeof ScenarioBody>;
export const Scenario = Type.Object(
  {
    ...kept,
    stationId: Uint,
    alarmActions: ScenarioActions,
    resetActions: ScenarioActions,
    ackActions: ScenarioActions,
  },
  { title: 'Scenario' },
);
export type Scenario = Static<typeof Scenario>;
export const ScenarioPage = pageOf(Scenario, 'ScenarioPage');

/** Lists of configured objects: paging, search in the name, and a filter by station if they have one. */
export const ListStations = Type.Object({ ...PagingQuery }, { title: 'ListStations' });
export type ListStations = Static<typeof ListStations>;
export const ListByStation = Type.Object(
  { stationId: filterBy('station'), ...PagingQuery },
  { title: 'ListByStation' },
);
export type ListByStation = Static<typeof ListByStation>;
export const ListTagGroups = Type.Object(
  { stationId: filterBy('station'), parentId: filterBy('tag-group'), ...PagingQuery },
  { title: 'ListTagGroups' },
);
export type ListTagGroups = Static<typeof ListTagGroups>;

export const MediaFileBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 128 }),
    contentType: Type.String({ minLength: 3, maxLength: 128 }),
    content: Type.String({ description: 'The file in base64.' }),
  },
  { title: 'MediaFileBody' },
);
export type MediaFileBody = Static<typeof MediaFileBody>;
export const MediaFile = Type.Object(
  {
    id: Id,
    name: Type.String(),
    contentType: Type.String(),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
    sha256: Type.String(),
    lastChange: UtcDateTime,
  },
  { title: 'MediaFile' },
);
export type MediaFile = Static<typeof MediaFile>;
export const MediaFilePage = pageOf(MediaFile, 'MediaFilePage');
export const ListMediaFiles = Type.Object({ ...PagingQuery }, { title: 'ListMediaFiles' });
export type ListMediaFiles = Static<typeof ListMediaFiles>;
