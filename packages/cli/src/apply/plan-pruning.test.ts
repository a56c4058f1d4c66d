import { expect, test } from 'vitest';
import { createDirectory, type PlantItems } from '../plant/directory.ts';
import { readPlantFile } from '../plant/plant-file.ts';
import { planPruning } from './plan-pruning.ts';
import { findCandidates } from './prune-candidates.ts';
import type { PruneFacts } from './read-prune-facts.ts';

const kept = { localizedName: '', lastChange: '2026-01-01T00:00:00' };
const person = (id: number, username: string, more: object = {}) => ({
  id,
  username,
  name: username,
  role: 'operator',
  stationIds: [],
  enabled: true,
  language: '',
  media: [],
  ...more,
});
const group = (id: number, name: string, userIds: number[]) => ({
  id,
  name,
  ...kept,
  stationId: 0,
  mode: 'Sequential',
  userIds,
  ackTimeout: 60,
  attempts: 3,
  cycles: 3,
  reliefGroupId: 0,
  groupingId: 0,
  teams: [],
  roster: { slotMinutes: 60, overrides: [], slots: [] },
});
const scenario = (id: number, name: string, groupId: number) => ({
  id,
  name,
  ...kept,
  stationId: 0,
  alarmActions: [{ type: 'CallGroup', id: groupId }],
  resetActions: [],
  ackActions: [],
});
const tagGroup = (id: number, name: string, scenarioId: number) => ({
  id,
  name,
  ...kept,
  parentId: 0,
  stationId: 0,
  autoAcknowledge: false,
  scenarioId,
});
const tag = (id: number, path: string, tagGroupId: number) => ({
  id,
  path,
  dataServerId: 4,
  stationId: 1,
  tagGroupId,
  scenarioId: 0,
  priority: 2,
  alarmDelay: 0,
  alarmMessage: '',
  resetMessage: '',
  ackMessage: '',
  version: 'v',
});

/** Two call groups with a scenario each, and tags that follow them. */
const items = {
  stations: [{ id: 1, name: 'North', timeZone: 'UTC', ...kept }],
  dataServers: [{ id: 4, name: 'SCADA', stationId: 1, ...kept }],
  channels: [
    {
      id: 6,
      name: 'Old',
      kind: 'smpp',
      medium: 'Sms',
      priority: 1,
      enabled: true,
      settings: {},
      secretsSet: [],
    },
    {
      id: 7,
      name: 'Line',
      kind: 'sip',
      medium: 'Voice',
      priority: 1,
      enabled: true,
      settings: {},
      secretsSet: [],
    },
  ],
  people: [
    person(1, 'root', { role: 'admin' }),
    person(7, 'anna'),
    person(8, 'ben'),
    person(9, 'gone', { enabled: false }),
  ],
  groupings: [],
  callGroups: [group(10, 'Night', [7, 8]), group(11, 'Day', [7])],
  scenarios: [scenario(20, 'Flood', 10), scenario(21, 'Fire', 11)],
  tagGroups: [tagGroup(30, 'Pumps', 20), tagGroup(31, 'Halls', 21)],
  tags: [tag(40, 'P1', 30), tag(41, 'H1', 31)],
} as unknown as PlantItems;

/** The facts by section and name. */
type Facts = Readonly<Record<string, Partial<PruneFacts>>>;

function prune(text: string, facts: Facts = {}) {
  const file = readPlantFile('plant.yaml', text);
  if (Array.isArray(file)) throw new Error(file.map(({ message }) => message).join('\n'));
  const known = { items, directory: createDirectory(items), channelKinds: [] };
  const candidates = findCandidates(file, known);
  const factsOf = ({ section, item }: { section: string; item: { id: number } }): PruneFacts => ({
    uses: [],
    openAlarms: 0,
    ...facts[`${section} ${item.id}`],
  });
  const planned = planPruning(file, known, candidates, factsOf);
  if (Array.isArray(planned)) return planned.map(({ line, message }) => `${line}: ${message}`);
  return {
    removed: planned.removals.map(({ section, name }) => `${section} ${name}`),
    told: planned.removals.flatMap(({ consequences }) => consequences),
    kept: planned.kept.map(({ name, reasons }) => `${name}: ${reasons.join('; ')}`),
    uncalled: planned.uncalled,
  };
}

const none = { removed: [], told: [], kept: [], uncalled: [] };

test('only sections that the file has are pruned, and a section without objects is pruned as a whole', () => {
  expect(prune('stations: [{ name: North }]')).toEqual(none);
  expect(prune('channels: []')).toMatchObject({ removed: ['channels Old', 'channels Line'] });
  expect(prune('people: [{ username: ROOT }, { username: anna }, { username: ben }]')).toEqual(none);
});

test('a call group that goes is shown with the people whom it no longer calls', () => {
  const text =
    'callGroups: [{ name: Day }]\nscenarios: [{ name: Fire }]\ntagGroups: [{ name: Halls }]\ntags: [{ path: H1 }]';
  const followed = {
    uses: [{ kind: 'tag', id: 40, name: 'P1', relation: 'follows', blocks: true }],
  } as const;
  const keepsTag = {
    uses: [{ kind: 'tag', id: 40, name: 'P1', relation: 'belongs', blocks: true }],
  } as const;
  expect(prune(text, { 'scenarios 20': followed })).toMatchObject({
    removed: ['callGroups Night', 'scenarios Flood', 'tagGroups Pumps', 'tags SCADA\\P1'],
    told: expect.arrayContaining(['no longer calls anna, ben', 'no longer calls Night']),
    uncalled: ['ben'],
  });
  expect(prune(text, { 'tagGroups 30': keepsTag })).toEqual({
    removed: ['tags SCADA\\P1'],
    told: [expect.stringContaining('is retired: its history stays')],
    kept: [
      'Pumps: 1 retired tag with a history still uses it',
      'Flood: tag group Pumps names it, and is not removed',
      'Night: scenario Flood names it, and is not removed',
    ],
    uncalled: [],
  });
});

test('a person who goes is disabled, and whoever still names them is a fault of its line', () => {
  const people = 'people: [{ username: root }, { username: anna }]';
  expect(prune(people)).toEqual({ ...none, kept: ['ben: call group Night names it, and is not removed'] });
  expect(prune(`${people}\ncallGroups:\n  - name: Day\n  - name: Night\n    people: [anna]\n`)).toMatchObject(
    {
      removed: ['people ben'],
      told: ['is disabled, and named in histories', 'is no longer called by call group Night'],
    },
  );
  expect(prune(`${people}\ncallGroups:\n  - name: Day\n  - name: Night\n`)).toEqual([
    '4: call group "Night": it names the person "ben", which --prune would remove: add it to people, or name another one.',
  ]);
});

test('the last channel of a medium is shown as such', () => {
  expect(prune('channels: [{ name: Line, kind: sip }]')).toMatchObject({
    removed: ['channels Old'],
    told: ['nobody is reached by Sms any more'],
  });
});

test('an object that no plant file has keeps what it uses', () => {
  const uses = [
    { kind: 'dispatch-settings', id: 0, name: '', relation: 'last-resort', blocks: true },
    { kind: 'tag', id: 41, name: 'H1', relation: 'calls', blocks: true },
  ] as const;
  const text = 'callGroups: [{ name: Day }]\nscenarios: [{ name: Fire }, { name: Flood, alarmActions: [] }]';
  expect(prune(text, { 'callGroups 10': { uses } })).toEqual({
    ...none,
    kept: [
      'Night: it is the call group of last resort: choose another one in the console; tag H1 uses it: change or delete that in the console',
    ],
  });
});

test('what open alarms use is not removed, and neither is anything else', () => {
  const tags = 'tags: [{ path: H1 }]';
  expect(() => prune(tags, { 'tags 40': { openAlarms: 1 } })).toThrow(
    'tag "SCADA\\P1" is used by 1 open alarm: acknowledge and reset it, then apply the file again.\nNothing was changed.',
  );
  const text =
    'people: [{ username: root }, { username: anna }]\ncallGroups: [{ name: Day }, { name: Night, people: [anna] }]';
  expect(() => prune(text, { 'callGroups 10': { openAlarms: 2 } })).toThrow(
    'person "ben" is used by 2 open alarms',
  );
});

test('the last administrator is not removed, unless the file brings another one', () => {
  const others = '{ username: anna }, { username: ben }';
  expect(() => prune(`people: [${others}]`)).toThrow('person "root" is the last administrator');
  expect(prune(`people: [${others}, { username: chef, role: admin }]`)).toMatchObject({
    removed: ['people root'],
  });
});
