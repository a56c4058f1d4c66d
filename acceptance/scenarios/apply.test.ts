import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { plantFile } from '../harness/cli/plant-file.ts';
import { type Ended, runTocsin } from '../harness/cli/tocsin.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { logInAs, openPlant, type Page, type Plant, read } from '../harness/plant.ts';

const tagCount = 2_000;

let plant: Plant;
let folder: string;

beforeAll(async () => {
  plant = await openPlant('/alertws');
  folder = await mkdtemp(join(tmpdir(), 'tocsin-apply-'));
  await writeFile(join(folder, 'mail.password'), 'a secret of the mail server\n');
  await writeFile(join(folder, 'anna.password'), 'a long enough password\n');
  await save('plant.yaml', plantFile(tagCount));
  await save('part.yaml', plantFile(100));
});
afterAll(() => plant?.close());

const save = (name: string, text: string) => writeFile(join(folder, name), text);
const saved = (name: string) => readFile(join(folder, name), 'utf8');

const tocsin = ({ client, baseUrl }: Plant, args: readonly string[], input = ''): Promise<Ended> => {
  const environment = { TOCSIN_URL: baseUrl, TOCSIN_TOKEN: client.token ?? '' };
  return runTocsin(args, { environment, folder, input });
};

type Report = {
  dryRun: boolean;
  created: { kind: string; name: string }[];
  changed: { kind: string; name: string; changes: { field: string; before: unknown; after: unknown }[] }[];
  unchanged: number;
};

/** Applies a saved file and returns the report. */
async function apply(name: string, ...options: string[]): Promise<Report> {
  const begin = performance.now();
  const { code, stdout, stderr } = await tocsin(plant, ['apply', '-f', name, '--json', ...options]);
  const seconds = (performance.now() - begin) / 1_000;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const report = JSON.parse(stdout) as Report;
  const { created, changed, unchanged } = report;
  console.info(
    `apply ${[name, ...options].join(' ')}: ${created.length} created, ${changed.length} changed, ${unchanged} unchanged in ${seconds.toFixed(1)} s`,
  );
  expect(seconds, 'seconds').toBeLessThan(allowedMs(30_000) / 1_000);
  return report;
}

const objectCount = tagCount + 14;
const tagsOnServer = async () => (await read<Page<object>>(plant.client, 'tags')).paging.total;

test('a plant of 2,000 tags is created by one file, and the same file again changes nothing', async () => {
  const before = await tagsOnServer();
  const dry = await apply('plant.yaml', '--dry-run');
  expect(dry).toMatchObject({ dryRun: true, changed: [], unchanged: 0 });
  expect(dry.created).toHaveLength(objectCount);
  expect(await tagsOnServer(), 'tags after the dry run').toBe(before);

  const first = await apply('plant.yaml');
  expect(first.created).toEqual(dry.created);
  expect(await tagsOnServer()).toBe(before + tagCount);
  const { items } = await read<Page<object>>(plant.client, 'tags?search=T1240.H');
  expect(items).toMatchObject([
    {
      fullPath: 'SCADA\\Area40.T1240.H',
      station: 'North',
      tagGroup: 'Filters',
      priority: 2,
      alarmDelay: 40,
      alarmMessage: 'Level 1240 high; act, please',
      resetMessage: '=Level 1240 normal',
    },
  ]);

  const nothing = { dryRun: false, created: [], changed: [], unchanged: objectCount };
  expect(await apply('plant.yaml')).toEqual(nothing);
});

test('one changed line changes one thing', async () => {
  const text = await saved('plant.yaml');
  await save('plant.yaml', text.replace('Level 1234 high; act, please', 'Level 1234 very high'));
  const changed = [
    {
      kind: 'tag',
      name: 'SCADA\\Area34.T1234.H',
      changes: [{ field: 'message', before: 'Level 1234 high; act, please', after: 'Level 1234 very high' }],
    },
  ];
  const { stdout } = await tocsin(plant, ['apply', '-f', 'plant.yaml', '--dry-run']);
  expect(stdout).toBe(
    [
      '~ tag SCADA\\Area34.T1234.H',
      '    message: "Level 1234 high; act, please" → "Level 1234 very high"',
      `0 created, 1 changed, ${objectCount - 1} unchanged. Dry run: nothing was written.`,
      '',
    ].join('\n'),
  );
  expect(await apply('plant.yaml')).toEqual({
    dryRun: false,
    created: [],
    changed,
    unchanged: objectCount - 1,
  });
  expect((await apply('plant.yaml')).changed).toEqual([]);
});

test.for([
  ['a longer time to acknowledge', 'ackTimeout: 90', 'ackTimeout: 120', 'ackTimeout'],
  ['another address of a person', '0170 7654321', '0170 7654322', 'media'],
  ['another person of a team', 'Weekdays, people: [Anna]', 'Weekdays, people: [ben]', 'teams'],
  ['a later slot', '"08:30"', '"09:00"', 'roster.slots'],
  ['a group at the top', 'High lift, parent: Intake', 'High lift, parent: ""', 'parent'],
  ['another mail server', 'host: 127.0.0.1', 'host: 127.0.0.2', 'settings.host'],
  ['another action', 'person: anna, parameter: now', 'person: ben', 'alarmActions'],
  ['a message that is emptied', '"Level 77 high; act, please"', '""', 'message'],
  [
    'a tag without its scenario',
    'scenario: Flood, message: "Level 20 ',
    'scenario: "", message: "Level 20 ',
    'scenario',
  ],
] as const)('%s is one change', async ([, before, after, field]) => {
  const text = await saved('part.yaml');
  expect(text.split(before), 'places in the file').toHaveLength(2);
  await save('part.yaml', text.replace(before, after));
  // Also shows that the change before it is no change any more.
  const { created, changed } = await apply('part.yaml');
  expect(created).toEqual([]);
  expect(changed.map(({ changes }) => changes.map((change) => change.field))).toEqual([[field]]);
});

test('what belongs to the day stays: stand-ins of a roster, and the devices of a person', async () => {
  const groups = await read<Page<{ id: number; name: string }>>(plant.client, 'callgroups?limit=1000');
  const standby = groups.items.find(({ name }) => name === 'Standby');
  const group = await read<{ roster: object }>(plant.client, `callgroups/${standby?.id}`);
  const overrides = [{ teamId: 2, from: '2027-01-01T08:00:00+01:00', to: '2027-01-02T08:00:00+01:00' }];
  const body = { ...group, roster: { ...group.roster, overrides } };
  expect((await plant.client.send('PUT', `/api/v1/callgroups/${standby?.id}`, { body })).status).toBe(200);
  const users = await read<Page<{ id: number; media: object[] }>>(plant.client, 'users?search=Anna');
  const [anna] = users.items;
  const media = [{ kind: 'Push', address: 'device-1' }, ...(anna?.media ?? [])];
  expect(
    (await plant.client.send('PUT', `/api/v1/users/${anna?.id}`, { body: { username: 'Anna', media } }))
      .status,
  ).toBe(200);

  const text = await saved('part.yaml');
  const changed = text.replace('ackTimeout: 120', 'ackTimeout: 60').replace('language: de', 'language: fr');
  await save('part.yaml', changed);
  expect((await apply('part.yaml')).changed.map(({ name }) => name)).toEqual(['Anna', 'Standby']);
  expect(await read(plant.client, `callgroups/${standby?.id}`)).toMatchObject({
    ackTimeout: 60,
    roster: { overrides: [{ teamId: 2, from: '2027-01-01T08:00:00+01:00' }] },
  });
  expect(await read(plant.client, `users/${anna?.id}`)).toMatchObject({
    language: 'fr',
    media: [{ kind: 'Push', address: 'device-1' }, { kind: 'Voice' }, { kind: 'Email' }],
  });
});

test('an export changes nothing where it comes from, and makes another server the same', async () => {
  const exported = await tocsin(plant, ['export']);
  expect({ code: exported.code, stderr: exported.stderr }).toEqual({ code: 0, stderr: '' });
  expect(exported.stdout).not.toContain('a secret of the mail server');
  const again = await tocsin(plant, ['apply', '-f', '-'], exported.stdout);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toMatch(/^0 created, 0 changed, \d+ unchanged\.\n$/);

  const other = await openPlant('');
  onTestFinished(() => other.close());
  const copied = exported.stdout;
  expect(await tocsin(other, ['apply', '-f', '-'], copied)).toMatchObject({ code: 0, stderr: '' });
  expect((await tocsin(other, ['export'])).stdout).toBe(copied);
});

test('a wrong line is named with its remedy, and nothing is changed', async () => {
  const text = await saved('plant.yaml');
  const lineOf = (words: string) => text.slice(0, text.indexOf(words)).split('\n').length;
  const wrong = text
    .replace('message: "Level 500 ', 'mesage: "Level 500 ')
    .replace('  - name: South', '  - name: 7');
  await writeFile(join(folder, 'wrong.yaml'), wrong);
  const mistyped = await tocsin(plant, ['apply', '-f', 'wrong.yaml']);
  expect(mistyped.code).toBe(2);
  expect(mistyped.stderr).toContain(
    `wrong.yaml:${lineOf('  - name: South')}: station 2: name must be a text: put it in quotes.`,
  );
  expect(mistyped.stderr).toContain(
    `wrong.yaml:${lineOf('"Level 500 ')}: tag "Area0.T500.H": there is no "mesage". Did you mean "message"?`,
  );
  expect(mistyped.stderr).toContain('Nothing was changed. Correct these lines, then apply the file again.');

  const tag = 'path: Area1.T1501.H, dataServer: SCADA, station: North, tagGroup: ';
  const line = lineOf(tag);
  await writeFile(
    join(folder, 'wrong.yaml'),
    text.replace(`${tag}Filters`, `${tag}Fliters`).replace('Mail', 'Post'),
  );
  const unknown = await tocsin(plant, ['apply', '-f', 'wrong.yaml']);
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toBe(
    [
      `wrong.yaml:${line}: tag "SCADA\\Area1.T1501.H": it names the tag group "Fliters", which is neither in the file nor on the server. Did you mean "Filters"?`,
      'Nothing was changed. Correct this line, then apply the file again.',
      '',
    ].join('\n'),
  );
  expect(await read<Page<object>>(plant.client, 'channels')).toMatchObject({ items: [{ name: 'Mail' }] });
});

test('an object that the server refuses is named with its line', async () => {
  const wrong = 'stations:\n  - name: East\n  - name: West\n    timeZone: Europe/Atlantis\n';
  await writeFile(join(folder, 'wrong.yaml'), wrong);
  const refused = await tocsin(plant, ['apply', '-f', 'wrong.yaml']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^wrong\.yaml:3: station "West": .*\n {2}\/timeZone Europe\/Atlantis is not an IANA time zone/,
  );
  expect(refused.stderr).toContain('1 object before it was written.');
});

test('somebody who may only read is told so', async () => {
  const viewer = await logInAs(plant, { username: 'vera', role: 'viewer' });
  await writeFile(join(folder, 'one.yaml'), 'stations:\n  - name: Vera\n');
  const environment = { TOCSIN_URL: plant.baseUrl, TOCSIN_TOKEN: viewer.client.token ?? '' };
  const refused = await runTocsin(['apply', '-f', 'one.yaml'], { environment, folder });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('The token does not permit this');
});
