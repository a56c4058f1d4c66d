import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runTocsin } from '../harness/cli/tocsin.ts';
import { granted, openPlant, type Page, type Plant, raise, read } from '../harness/plant.ts';
import { firstAdmin } from '../harness/server.ts';

let plant: Plant;
let folder: string;

beforeAll(async () => {
  plant = await openPlant('');
  folder = await mkdtemp(join(tmpdir(), 'tocsin-prune-'));
  const places = 'stations: [{ name: North }]\ndataServers: [{ name: SCADA, station: North }]\n';
  const first = plantText({ people: [anna, ben], groups: [day, night], tags: [hall, pump] });
  expect(await apply(`${places}${first}`)).toMatchObject({ code: 0, stderr: '' });
});
afterAll(() => plant?.close());

const anna = '{ username: anna, media: [{ kind: Voice, address: "+33100000001" }] }';
const ben = '{ username: ben, media: [{ kind: Voice, address: "+33100000002" }] }';
const day = '{ name: Day, people: [anna] }';
const night = '{ name: Night, people: [anna, ben] }';
const hall = '{ path: H1, dataServer: SCADA, station: North, scenario: Fire }';
const pump = '{ path: P1, dataServer: SCADA, station: North, scenario: Flood }';

type Parts = { people: string[]; groups: string[]; tags: string[] };

/** A plant with one scenario for each call group. */
function plantText({ people, groups, tags }: Parts): string {
  const hasNight = groups.includes(night);
  const scenarios = [
    '{ name: Fire, alarmActions: [{ type: CallGroup, callGroup: Day }] }',
    ...(hasNight ? ['{ name: Flood, alarmActions: [{ type: CallGroup, callGroup: Night }] }'] : []),
  ];
  return [
    `people: [{ username: ${firstAdmin.username} }, ${people.join(', ')}]`,
    `callGroups: [${groups.join(', ')}]`,
    `scenarios: [${scenarios.join(', ')}]`,
    `tags: [${tags.join(', ')}]`,
    '',
  ].join('\n');
}

async function apply(text: string, ...options: string[]): Promise<Ended> {
  await writeFile(join(folder, 'plant.yaml'), text);
  const environment = { TOCSIN_URL: plant.baseUrl, TOCSIN_TOKEN: plant.client.token ?? '' };
  return runTocsin(['apply', '-f', 'plant.yaml', ...options], { environment, folder });
}

const namesOf = async (path: string) =>
  (await read<Page<{ name: string }>>(plant.client, `${path}?limit=1000`)).items
    .map(({ name }) => name)
    .toSorted();
const tagPaths = async () =>
  (await read<Page<{ path: string }>>(plant.client, 'tags')).items.map(({ path }) => path).toSorted();

const smaller = plantText({ people: [anna], groups: [day], tags: [hall] });

test('without the option nothing is removed', async () => {
  const { code, stdout } = await apply(plantText({ people: [anna], groups: [day, night], tags: [hall] }));
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('removed') });
  expect(await tagPaths()).toEqual(['H1', 'P1']);
  expect(await namesOf('callgroups')).toEqual(['Day', 'Night']);
});

test('the file must not name what would be removed', async () => {
  const { code, stderr } = await apply(
    plantText({ people: [anna], groups: [day, night], tags: [hall] }),
    '--prune',
  );
  expect(code).toBe(2);
  expect(stderr).toContain(
    'plant.yaml:2: call group "Night": it names the person "ben", which --prune would remove: add it to people, or name another one.',
  );
  expect(stderr).toContain('Nothing was changed.');
});

test('the last administrator is not removed', async () => {
  const text = smaller.replace(`{ username: ${firstAdmin.username} }, `, '');
  const { code, stderr } = await apply(text, '--prune');
  expect(code).toBe(1);
  expect(stderr).toContain(`person "${firstAdmin.username}" is the last administrator`);
});

test('what an open alarm uses is not removed until the alarm has ended', async () => {
  const servers = await read<Page<{ id: number; name: string }>>(plant.client, 'dataservers');
  const dataServerId = servers.items.find(({ name }) => name === 'SCADA')?.id;
  const alarmId = await raise(plant.client, { dataServerId, path: 'P1', raised: true });
  const { code, stderr } = await apply(smaller, '--prune');
  expect(code).toBe(1);
  expect(stderr).toContain('tag "SCADA\\P1" is used by 1 open alarm: acknowledge and reset it');
  expect(stderr).toContain('call group "Night" is used by 1 open alarm');
  expect(stderr).toContain('person "ben" is used by 1 open alarm');
  expect(stderr).toContain('Nothing was changed.');
  expect(await tagPaths()).toEqual(['H1', 'P1']);
  for (const verb of ['acknowledge', 'reset'])
    granted(await plant.client.post(`/api/v1/alarms/${alarmId}/${verb}`, {}));
});

test('a dry run shows what would go and who would not be called, and a second run finds nothing', async () => {
  const dry = await apply(smaller, '--prune', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout.split('\n')).toEqual([
    '- person ben',
    '    is disabled, and named in histories',
    '    is no longer called by call group Night',
    '- call group Night',
    '    no longer calls anna, ben',
    '- scenario Flood',
    '    no longer calls Night',
    '- tag SCADA\\P1',
    '    is retired: its history stays, and an alarm that is still sent for it calls nobody by itself',
    '0 created, 0 changed, 4 removed, 5 unchanged. Dry run: nothing was written.',
    '',
  ]);
  expect(await tagPaths()).toEqual(['H1', 'P1']);

  const first = await apply(smaller, '--prune');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(await tagPaths()).toEqual(['H1']);
  expect(await namesOf('callgroups')).toEqual(['Day']);
  expect(await namesOf('scenarios')).toEqual(['Fire']);
  const again = await apply(smaller, '--prune');
  expect(again).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(' 0 removed, ') });
});

test('an object that comes back to the file is there again', async () => {
  const text = plantText({
    people: [anna, `${ben.slice(0, -2)}, enabled: true }`],
    groups: [day, night],
    tags: [hall, pump],
  });
  expect(await apply(text)).toMatchObject({ code: 0, stderr: '' });
  expect(await tagPaths()).toEqual(['H1', 'P1']);
  const { items } = await read<Page<{ username: string; enabled: boolean }>>(
    plant.client,
    'users?search=ben',
  );
  expect(items).toMatchObject([{ username: 'ben', enabled: true }]);
});
