import { expect, test } from 'vitest';
import { createDirectory, type PlantItems } from '../plant/directory.ts';
import { readPlantFile } from '../plant/plant-file.ts';
import { exportPlant, plantText } from './export-plant.ts';
import { planApply } from './plan-apply.ts';
import { planText } from './report-plan.ts';

const kept = { localizedName: '', lastChange: '2026-01-01T00:00:00' };
const email = {
  kind: 'email',
  title: 'E-mail',
  description: '',
  media: ['Email' as const],
  settings: { properties: { host: {}, port: {}, password: { writeOnly: true } } },
};

/** A plant with two stations, two people, a call group and a tag. */
const items = {
  stations: [
    { id: 1, name: 'North', timeZone: 'UTC', ...kept, localizedName: 'North' },
    { id: 2, name: 'South', timeZone: 'UTC', ...kept, localizedName: 'South' },
  ],
  dataServers: [{ id: 4, name: 'SCADA', stationId: 1, ...kept }],
  channels: [
    {
      id: 6,
      name: 'Mail',
      kind: 'email',
      medium: 'Email',
      priority: 1,
      enabled: true,
      settings: { host: 'a', port: 25 },
      secretsSet: ['password'],
    },
  ],
  people: [
    {
      id: 7,
      username: 'Anna',
      name: 'Anna',
      role: 'operator',
      stationIds: [1],
      enabled: true,
      language: '',
      media: [
        { kind: 'Push', address: 'x' },
        { kind: 'Sms', address: '+49170', enabled: true },
      ],
    },
    {
      id: 8,
      username: 'ben',
      name: 'ben',
      role: 'operator',
      stationIds: [],
      enabled: true,
      language: '',
      media: [],
    },
  ],
  groupings: [],
  callGroups: [
    {
      id: 9,
      name: 'Night',
      ...kept,
      stationId: 0,
      mode: 'Sequential',
      userIds: [7, 8],
      ackTimeout: 60,
      attempts: 3,
      cycles: 3,
      reliefGroupId: 0,
      groupingId: 0,
      teams: [
        { id: 3, name: 'B', userIds: [8] },
        { id: 5, name: 'A', userIds: [7] },
      ],
      roster: {
        slotMinutes: 60,
        overrides: [],
        slots: [
          { teamId: 5, day: 2, start: '00:00', end: '24:00' },
          { teamId: 3, day: 1, start: '00:00', end: '24:00' },
        ],
      },
    },
  ],
  scenarios: [],
  tagGroups: [],
  tags: [
    {
      id: 20,
      path: 'P1',
      dataServerId: 4,
      stationId: 1,
      tagGroupId: 0,
      scenarioId: 0,
      priority: 2,
      alarmDelay: 0,
      alarmMessage: 'High',
      resetMessage: '',
      ackMessage: '',
    },
  ],
};

function plan(text: string, renewSecrets = false, known: PlantItems = items) {
  const file = readPlantFile('plant.yaml', text);
  if (Array.isArray(file)) throw new Error(file.map(({ message }) => message).join('\n'));
  return planApply(
    file,
    { items: known, directory: createDirectory(known), channelKinds: [email] },
    { renewSecrets },
  );
}

/** What would be created and changed, or what is wrong. */
function outcome(text: string, renewSecrets = false): string[] {
  const planned = plan(text, renewSecrets);
  if (Array.isArray(planned)) return planned.map(({ line, message }) => `${line}: ${message}`);
  return planned.steps.map(({ name, item, changes }) =>
    item ? `${name}: ${changes.map(({ field }) => field).join(', ')}` : `new ${name}`,
  );
}

test('an export of a plant has no difference to it', () => {
  const text = plantText(
    exportPlant(items, ['stations', 'dataServers', 'channels', 'people', 'callGroups', 'tags']),
  );
  expect(outcome(text)).toEqual([]);
  expect(text).toContain(
    '  - { path: P1, dataServer: SCADA, station: North, priority: 2, delay: 0, message: High }\n',
  );
  expect(text).not.toContain('Push');
});

test('other spellings of the same are no difference', () => {
  expect(outcome('people: [{ username: ANNA, media: [{ kind: Sms, address: "+49 (170)" }] }]')).toEqual([]);
  expect(outcome('callGroups: [{ name: Night, people: [anna, BEN] }]')).toEqual([]);
  const slots =
    '{ team: B, day: 1, start: "00:00", end: "24:00" }, { team: A, day: 2, start: "00:00", end: "24:00" }';
  const rotation = 'rotation: { weeks: 1, start: "2026-01-05" }';
  expect(outcome(`callGroups: [{ name: Night, roster: { slots: [${slots}], ${rotation} } }]`)).toEqual([]);
  expect(outcome('tags: [{ path: P1, message: High }]'), 'the first data server').toEqual([]);
});

test('the order of calling is a difference, and so is an emptied value', () => {
  expect(outcome('callGroups: [{ name: Night, people: [ben, anna] }]')).toEqual(['Night: people']);
  expect(outcome('tags: [{ path: P1, message: "" }]')).toEqual(['SCADA\\P1: message']);
  expect(outcome('people: [{ username: anna, stations: [all] }]')).toEqual(['anna: stations']);
});

test('an object is written after those that it names, whatever the order of the file', () => {
  const text =
    'tagGroups: [{ name: A, parent: B }, { name: B, parent: C }, { name: C, scenario: S }]\nscenarios: [{ name: S }]';
  expect(outcome(text)).toEqual(['new S', 'new C', 'new B', 'new A']);
});

test('a name that nobody has is a fault of its line', () => {
  expect(outcome('callGroups:\n  - name: Day\n    people:\n      - anna\n      - bne\n')).toEqual([
    '5: call group "Day": it names the person "bne", which is neither in the file nor on the server. Did you mean "ben"?',
  ]);
  const slots = 'roster: { slots: [{ team: C, day: 1, start: "00:00", end: "24:00" }] }';
  expect(
    outcome(`callGroups:\n  - name: Day\n    teams: [{ name: A, people: [] }]\n    ${slots}\n`)[0],
  ).toContain('4: call group "Day": the call group has no team "C".');
});

test('an object that the file has twice is a fault', () => {
  expect(outcome('people:\n  - username: carl\n  - username: Carl\n')).toEqual([
    '3: person "Carl": line 2 has it already: remove one of them.',
  ]);
});

test('a name that two objects of the server have cannot be used', () => {
  const doubled = { ...items, stations: [...items.stations, { id: 3, name: 'North' } as never] };
  const planned = plan('dataServers: [{ name: PLC, station: North }]', false, doubled);
  expect(planned).toMatchObject([{ message: expect.stringContaining('(numbers 1, 3): rename all but one') }]);
  expect(() => exportPlant(doubled, ['stations'])).toThrow('rename all but one');
});

test('a secret is sent if the server lacks it, and never stands in the file', () => {
  const mail = (settings: string) => `channels: [{ name: Mail, kind: email, settings: { ${settings} } }]`;
  expect(outcome(mail('password: { secretFile: p }'))).toEqual([]);
  expect(outcome(mail('password: { secretFile: p }'), true)).toEqual(['Mail: settings.password']);
  expect(outcome(mail('host: b'))).toEqual(['Mail: settings.host']);
  expect(outcome(mail('password: hunter2'))[0]).toContain('password is a secret: put it into a file');
  expect(outcome(mail('hots: b'))[0]).toContain('there is no setting "hots". Did you mean "host"?');
  expect(outcome('channels: [{ name: New, kind: emial }]')[0]).toContain('Did you mean "email"?');
});

test('a tag cannot leave its group', () => {
  const grouped = {
    ...items,
    tagGroups: [
      {
        id: 30,
        name: 'Pumps',
        ...kept,
        parentId: 0,
        stationId: 0,
        autoAcknowledge: false,
        scenarioId: 0,
      } as never,
    ],
    tags: items.tags.map((tag) => Object.assign({}, tag, { tagGroupId: 30 })),
  };
  expect(plan('tags:\n  - path: P1\n    tagGroup: ""\n', false, grouped)).toMatchObject([{ line: 3 }]);
});

test('the report is short for many new objects and complete for changes', () => {
  const tags = Array.from({ length: 2_000 }, (_, index) => `  - path: N${index}\n`).join('');
  const planned = plan(`tags:\n${tags}  - { path: P1, message: Low }\n`);
  if (Array.isArray(planned)) throw new Error('the file has faults');
  const lines = planText({ ...planned, pruning: undefined }, { dryRun: true }).split('\n');
  expect(lines.slice(20)).toEqual([
    '+ … and 1,980 more tags',
    '~ tag SCADA\\P1',
    '    message: "High" → "Low"',
    '2000 created, 1 changed, 0 unchanged. Dry run: nothing was written.',
    '',
  ]);
});
