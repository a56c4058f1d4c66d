import { expect, test } from 'vitest';
import { readPlantFile } from './plant-file.ts';

const faultsOf = (text: string) => {
  const read = readPlantFile('plant.yaml', text);
  return Array.isArray(read) ? read.map(({ line, message }) => `${line}: ${message}`) : [];
};

test('a file with every section is read', () => {
  const text = `
stations:
  - { name: North, timeZone: Europe/Paris }
dataServers:
  - { name: SCADA, station: North }
channels:
  - { name: Mail, kind: email, settings: { host: mail.example, password: { secretFile: mail.password } } }
people:
  - { username: anna, role: operator, stations: [North], media: [{ kind: Sms, address: "+49 170 1234567" }] }
groupings:
  - { name: Operation }
callGroups:
  - name: Night
    teams: [{ name: A, people: [anna] }]
    roster: { slots: [{ team: A, day: 1, start: "00:00", end: "24:00" }] }
    grouping: Operation
scenarios:
  - { name: Flood, alarmActions: [{ type: CallGroup, callGroup: Night }] }
tagGroups:
  - { name: Pumps, scenario: Flood }
tags:
  - { path: North.P1.H, dataServer: SCADA, tagGroup: Pumps, priority: 1, delay: 5, message: Level high }
`;
  expect(faultsOf(text)).toEqual([]);
});

test('an empty file is a plant file without objects', () => {
  expect(faultsOf('')).toEqual([]);
});

test('a mistyped member is named with its line, and with the one that was meant', () => {
  const text = 'tags:\n  - path: A.1\n    message: High\n  - path: A.2\n    mesage: Low\n';
  expect(faultsOf(text)).toEqual([
    '5: tag "A.2": there is no "mesage". Did you mean "message"? Known are path, dataServer, station, tagGroup, priority, delay, scenario, message, resetMessage, ackMessage.',
  ]);
});

test('a mistyped section is named with the one that was meant', () => {
  expect(faultsOf('tag_groups: []\n')[0]).toMatch(
    /^1: there is no section "tag_groups"\. Did you mean "tagGroups"\?/,
  );
});

test.for([
  ['stations:\n  - timeZone: UTC\n', '2: station 1: name is missing: add it.'],
  ['stations: North\n', '1: stations must be a list: begin each station with "- ".'],
  ['stations:\n  - name: 7\n', '2: station 1: name must be a text: put it in quotes.'],
  [
    'people:\n  - username: anna\n    media:\n      - kind: Sms\n        address: +49170123\n',
    '5: person "anna": media.address must be a text: put it in quotes.',
  ],
  [
    'callGroups:\n  - name: Night\n    mode: Parallel\n',
    '3: call group "Night": mode must be one of Sequential, Broadcast, Turnover.',
  ],
  ['- stations\n', '1: a plant file consists of the sections '],
] as const)('the wrong line and its remedy are told: %j', ([text, fault]) => {
  expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
});

test('wrong YAML is told with its line', () => {
  expect(faultsOf('stations:\n  - name: "North\n')[0]).toMatch(/^\d: the YAML is wrong: .+ Check quotes/);
  expect(faultsOf('stations: []\nstations: []\n')[0]).toMatch(/^2: the YAML is wrong: /);
});

test('a device of a person is not part of a plant file', () => {
  const text = 'people:\n  - username: anna\n    media: [{ kind: Push, address: x }]\n';
  expect(faultsOf(text)).toEqual([
    '3: person "anna": media.kind must be one of Voice, Sms, Email, Webhook, Pager.',
  ]);
});
