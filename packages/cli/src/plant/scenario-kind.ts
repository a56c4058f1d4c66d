import { Action, type Scenario, ScenarioBody } from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import {
  defineKind,
  idFor,
  type Names,
  nameFor,
  type Place,
  personKey,
  present,
  type Reference,
  referenceTo,
} from './kind.ts';

const { name, localizedName } = ScenarioBody.properties;
const { type, scriptId, parameter, flags } = Action.properties;
const closed = { additionalProperties: false };

const ActionEntry = Type.Object(
  {
    type,
    callGroup: Type.Optional(Type.String()),
    person: Type.Optional(Type.String()),
    command: scriptId,
    parameter,
    flags,
  },
  closed,
);
type ActionEntry = Static<typeof ActionEntry>;
const Actions = Type.Optional(Type.Array(ActionEntry, { maxItems: 64 }));

const ScenarioEntry = Type.Object(
  {
    name,
    localizedName,
    station: Type.Optional(Type.String()),
    alarmActions: Actions,
    resetActions: Actions,
    ackActions: Actions,
  },
  closed,
);
type ScenarioEntry = Static<typeof ScenarioEntry>;

const lists = ['alarmActions', 'resetActions', 'ackActions'] as const;
type StoredAction = Scenario['alarmActions'][number];

export const scenarioKind = defineKind<Scenario, ScenarioEntry>({
  section: 'scenarios',
  path: '/scenarios',
  uses: ['stations', 'people', 'callGroups'],
  schema: ScenarioEntry,
  keyOf: (entry) => entry.name,
  references: (entry) => [
    ...referenceTo('stations', entry.station, 'station'),
    ...lists.flatMap((list) =>
      (entry[list] ?? []).flatMap((action, index) => referencesOf(action, [list, index])),
    ),
  ],
  faults: (entry) =>
    lists.flatMap((list) =>
      (entry[list] ?? []).flatMap((action, index) => targetFault(action, [list, index])),
    ),
  toEntry: ({ name, localizedName, stationId, alarmActions, resetActions, ackActions }, names) => ({
    name,
    localizedName,
    station: nameFor(names, 'stations', stationId),
    alarmActions: alarmActions.map((action) => actionEntry(action, names)),
    resetActions: resetActions.map((action) => actionEntry(action, names)),
    ackActions: ackActions.map((action) => actionEntry(action, names)),
  }),
  normalize: (entry) =>
    present({
      ...entry,
      ...Object.fromEntries(
        lists.flatMap((list) => (entry[list] ? [[list, entry[list].map(normalAction)]] : [])),
      ),
    }),
  toBody: ({ station, ...entry }, { names }) =>
    present({
      ...entry,
      stationId: idFor(names, 'stations', station),
      ...Object.fromEntries(
        lists.flatMap((list) => {
          const actions = entry[list];
          return actions ? [[list, actions.map((action) => actionBody(action, names))]] : [];
        }),
      ),
    }),
});

function referencesOf({ callGroup, person }: ActionEntry, place: Place): Reference[] {
  return [
    ...referenceTo('callGroups', callGroup, ...place, 'callGroup'),
    ...referenceTo('people', person, ...place, 'person'),
  ];
}

const normalAction = ({ person, ...action }: ActionEntry) =>
  present({ ...action, person: person === undefined ? undefined : personKey(person) });

/** An action that calls must name its target. */
function targetFault({ type, callGroup, person }: ActionEntry, place: Place) {
  if (type === 'CallGroup' && !callGroup)
    return [{ place, message: 'an action CallGroup must name its callGroup' }];
  if (type === 'CallUser' && !person) return [{ place, message: 'an action CallUser must name its person' }];
  if (type === 'Scenario')
    return [{ place, message: 'a scenario must not name another one: repeat its actions' }];
  return [];
}

function actionEntry({ id = 0, type, scriptId, parameter, flags }: StoredAction, names: Names): ActionEntry {
  return present({
    type,
    callGroup: type === 'CallGroup' ? nameFor(names, 'callGroups', id) : undefined,
    person: type === 'CallUser' ? nameFor(names, 'people', id) : undefined,
    command: scriptId,
    parameter,
    flags,
  }) as ActionEntry;
}

function actionBody({ type, callGroup, person, command, parameter, flags }: ActionEntry, names: Names) {
  const id = idFor(names, 'callGroups', callGroup) ?? idFor(names, 'people', person);
  return present({ type, id, scriptId: command, parameter, flags });
}
