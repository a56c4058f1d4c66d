import { TagChange, type TagColumn, type TagItem } from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import { defineKind, type Names, nameFor, present, referenceTo } from './kind.ts';

const { priority, alarmDelay, alarmMessage } = TagChange.properties;
const reference = Type.Optional(Type.String());

const TagEntry = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 1_024 }),
    dataServer: reference,
    station: reference,
    tagGroup: reference,
    priority,
    delay: alarmDelay,
    scenario: reference,
    message: alarmMessage,
    resetMessage: alarmMessage,
    ackMessage: alarmMessage,
  },
  { additionalProperties: false },
);
export type TagEntry = Static<typeof TagEntry>;

export const tagKind = defineKind<TagItem, TagEntry>({
  section: 'tags',
  path: '/tags',
  uses: ['stations', 'dataServers', 'scenarios', 'tagGroups'],
  schema: TagEntry,
  // One backslash, as in the full path of an alarm.
  keyOf: ({ dataServer = '', path }) => `${dataServer}\\${path}`,
  references: ({ dataServer, station, tagGroup, scenario }) => [
    ...referenceTo('dataServers', dataServer, 'dataServer'),
    ...referenceTo('stations', station, 'station'),
    ...referenceTo('tagGroups', tagGroup, 'tagGroup'),
    ...referenceTo('scenarios', scenario, 'scenario'),
  ],
  faults: ({ station }) =>
    station === '' ? [{ place: ['station'], message: 'a tag always has a station: name it' }] : [],
  toEntry: (tag, names) => ({
    path: tag.path,
    dataServer: nameFor(names, 'dataServers', tag.dataServerId),
    station: nameFor(names, 'stations', tag.stationId),
    tagGroup: nameFor(names, 'tagGroups', tag.tagGroupId),
    priority: tag.priority,
    delay: tag.alarmDelay,
    scenario: nameFor(names, 'scenarios', tag.scenarioId),
    message: tag.alarmMessage,
    resetMessage: tag.resetMessage,
    ackMessage: tag.ackMessage,
  }),
  normalize: present,
  toBody: tagCells,
});

/** The cells of a tag in a tag file, with numbers as `#7` instead of names. Empty cells leave a value as it is. */
function tagCells(entry: TagEntry, { names }: { names: Names }): Record<TagColumn, string> {
  const { path, priority, delay, message = '', resetMessage = '', ackMessage = '' } = entry;
  const numbered = (section: 'stations' | 'dataServers' | 'tagGroups' | 'scenarios', name = '') =>
    name === '' ? '' : `#${names.idOf(section, name)}`;
  return {
    dataServer: numbered('dataServers', entry.dataServer),
    path,
    station: numbered('stations', entry.station),
    tagGroup: numbered('tagGroups', entry.tagGroup),
    priority: priority === undefined ? '' : String(priority),
    delay: delay === undefined ? '' : String(delay),
    scenario: numbered('scenarios', entry.scenario),
    message,
    resetMessage,
    ackMessage,
  };
}
