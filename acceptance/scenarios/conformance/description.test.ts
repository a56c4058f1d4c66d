import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpClient } from '../../harness/http/http-client.ts';
import { basePaths, offsetDateTime, openPlant, type Plant, raise, read } from '../../harness/plant.ts';

type Operation = {
  parameters?: { name: string; in: string; schema: { type?: string; maximum?: number; enum?: string[] } }[];
  requestBody?: { content: Record<string, { schema: Reference }> };
  responses: Record<string, Described>;
};
type Described = { $ref?: string; content?: Record<string, { schema: Reference }> };
type Reference = { $ref?: string; type?: string };
type Schema = { type: string; properties: Record<string, Reference>; required?: string[] };
type Document = {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Described> };
};

const paged = ['offset', 'limit', 'sort', 'search'];
const ofThePast = [
  'stationId',
  'dataServerId',
  'tagGroupId',
  'callGroupId',
  'userId',
  'from',
  'to',
  ...paged,
];
const ofAlarms = [
  'stationId',
  'dataServerId',
  'tagGroupId',
  'scenarioId',
  'callGroupId',
  'alarmState',
  'inactiveMasked',
  ...paged,
];

const operations: [section: string, method: string, path: string, parameters: string[]][] = [
  ['§4.1', 'get', '/api/v1/alarms', ofAlarms],
  ['§4.2', 'post', '/api/v1/alarms', []],
  ['§4.3', 'get', '/api/v1/alarms/histories', ofThePast],
  ['§4.4', 'get', '/api/v1/alarms/statistics', ofThePast],
  ['§4.5', 'get', '/api/v1/alarms/interventions', ofThePast],
  ['§4.6', 'post', '/api/v1/call/users', []],
  ['§4.7', 'post', '/api/v1/call/groups', []],
  ['§4.8', 'get', '/api/v1/call/histories', ['userId', 'callGroupId', 'alarmId', 'from', 'to', ...paged]],
  ['§4.9', 'get', '/api/v1/callgroups', ['stationId', 'groupingId', ...paged]],
  ['§4.10', 'post', '/api/v1/callgroups', []],
  ['§4.11', 'get', '/api/v1/callgroupgroupings', paged],
  ['§4.12', 'post', '/api/v1/callgroupgroupings', []],
];
const texts = ['sort', 'search', 'from', 'to'];

const ofATurn = ['Message', 'Format', 'ShortMessage', 'VocalMessageFile', 'AttachedFile', 'Actions'];
const creation = [
  'stationId',
  'dataServerId',
  'path',
  'raised',
  'tagGroupId',
  'priority',
  'temporary',
  'eventCondition',
  'value',
  'location',
  'alarmDelay',
  ...ofATurn.flatMap((member) => [`alarm${member}`, `reset${member}`, `ack${member}`]),
];

describe.each(basePaths)('how the server describes itself at "%s"', (basePath) => {
  let plant: Plant;
  let document: Document;

  beforeAll(async () => {
    plant = await openPlant(basePath);
    document = (await plant.someone().get('/openapi.json')).json<Document>();
  });
  afterAll(() => plant.close());

  const operation = (method: string, path: string): Operation => {
    const found = document.paths[path]?.[method] ?? document.paths[`${basePath}${path}`]?.[method];
    if (!found) throw new Error(`${method} ${path} is not described`);
    return found;
  };
  const schema = ({ $ref = '' }: Reference): Schema => {
    const found = document.components.schemas[$ref.replace('#/components/schemas/', '')];
    if (!found) throw new Error(`${$ref} is not described`);
    return found;
  };
  const answered = (method: string, path: string) =>
    operation(method, path).responses['200']?.content?.['application/json']?.schema ?? {};
  const sent = (path: string) =>
    schema(operation('post', path).requestBody?.content['application/json']?.schema ?? {});

  test('§9 /openapi.json is an OpenAPI 3.1 document in JSON, for everybody', async () => {
    const answer = await plant.someone().get('/openapi.json', { token: null });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  });

  test('§9 the server has a version of its own, in three numbers', () => {
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('§9 the described server and path together lead to the operation', async () => {
    const [{ url } = { url: 'none' }] = document.servers;
    const path = Object.keys(document.paths).find((known) => known.endsWith('/api/v1/alarms')) ?? '';
    const origin = new HttpClient(new URL(plant.baseUrl).origin, plant.client.token);
    const answer = await origin.get(`${url.replace(/\/$/, '')}${path}`);
    expect(answer.status).toBe(200);
    origin.close();
  });

  test.each(operations)('%s %s %s is described with its parameters', (_section, method, path, parameters) => {
    const { parameters: described = [] } = operation(method, path);
    const query = described.filter((parameter) => parameter.in === 'query');
    expect(query.map(({ name }) => name).toSorted()).toEqual(parameters.toSorted());
    for (const { name, schema } of query.filter((parameter) => !texts.includes(parameter.name))) {
      expect(schema, name).toMatchObject({ type: 'integer', minimum: 0, maximum: 4_294_967_295 });
    }
  });

  test.each(operations)('%s %s %s is described with the problems it may answer', (_section, method, path) => {
    const { responses } = operation(method, path);
    for (const status of ['400', '401', '403', '429']) {
      const named = responses[status]?.$ref?.replace('#/components/responses/', '') ?? '';
      const { content } = document.components.responses?.[named] ?? responses[status] ?? {};
      expect(Object.keys(content ?? {}), status).toEqual(['application/problem+json']);
    }
  });

  test('§2.2 the described Alarm has its 20 members, all required', () => {
    const { properties, required } = document.components.schemas['Alarm'] ?? {};
    expect(Object.keys(properties ?? {})).toHaveLength(20);
    expect(required?.toSorted()).toEqual(Object.keys(properties ?? {}).toSorted());
  });

  test('§2.3 the described AlarmHistory requires what is never left out', () => {
    const { properties, required } = document.components.schemas['AlarmHistory'] ?? {};
    expect(Object.keys(properties ?? {})).toHaveLength(12);
    expect(required?.toSorted()).toEqual([
      'alarmTime',
      'comment',
      'id',
      'message',
      'priority',
      'tagId',
      'tagName',
    ]);
  });

  test('§2.6 the described creation body has every field of the table and requires none', () => {
    const { properties, required = [] } = sent('/api/v1/alarms');
    expect(Object.keys(properties).toSorted()).toEqual(creation.toSorted());
    expect(required).toEqual([]);
  });

  test.each([
    ['§4.2', '/api/v1/alarms'],
    ['§4.10', '/api/v1/callgroups'],
    ['§4.12', '/api/v1/callgroupgroupings'],
  ])('%s POST %s is described as answering a bare integer', (_section, path) => {
    const described = answered('post', path);
    expect((described.$ref === undefined ? described : schema(described)).type).toBe('integer');
  });

  test.each([
    ['§4.6', '/api/v1/call/users', ['msgAudio', 'msgFile', 'msgNum', 'msgText', 'userIds']],
    ['§4.7', '/api/v1/call/groups', ['callGroupIds', 'msgAudio', 'msgFile', 'msgNum', 'msgText']],
  ])('%s POST %s is described with its body, and answers a bare boolean', (_section, path, members) => {
    expect(Object.keys(sent(path).properties).toSorted()).toEqual(members);
    const described = answered('post', path);
    expect((described.$ref === undefined ? described : schema(described)).type).toBe('boolean');
  });

  test('§9 the path prefix carries the version: /api/v1/ answers', async () => {
    expect((await plant.client.get('/api/v1/alarms')).status).toBe(200);
  });

  test.each(['/api/alarms', '/api/v2/alarms', '/api/v4/alarms', '/v1/alarms', '/alarms'])(
    '§9 another version or none is 404: %s',
    async (path) => {
      expect((await plant.client.get(path)).status).toBe(404);
    },
  );

  test('§1 the interface answers under its prefix and nowhere else', async () => {
    const origin = new HttpClient(new URL(plant.baseUrl).origin, plant.client.token);
    const other = basePath === '' ? '/alertws' : '';
    expect((await origin.get(`${basePath}/api/v1/alarms`)).status).toBe(200);
    expect((await origin.get(`${other}/api/v1/alarms`)).status).toBe(404);
    origin.close();
  });

  test.each(['/livez', '/readyz'])(
    '§6 %s answers without a token, under the prefix and at the root',
    async (path) => {
      const origin = new HttpClient(new URL(plant.baseUrl).origin);
      expect((await plant.someone().get(path)).status).toBe(200);
      expect((await origin.get(path)).status).toBe(200);
      origin.close();
    },
  );

  type Meta = {
    version: string;
    time: string;
    tenant: { id: number };
    user: { id: number; name: string; role: string; permissions: string[] };
    priorities: { code: number; label: string; order: number }[];
    states: { bit: number; value: number }[];
    actionTypes: string[];
    beaconTypes: string[];
    callStatuses: string[];
    limits: Record<string, number>;
  };
  const meta = () => read<Meta>(plant.client, 'meta');

  test('§2 meta tells the priorities: code 1 is the most urgent', async () => {
    const { priorities } = await meta();
    expect(priorities[0]).toMatchObject({ code: 1, order: 1 });
    expect(priorities.map(({ order }) => order)).toEqual(priorities.map((_, index) => index + 1));
    for (const { label } of priorities) expect(label).toMatch(/./);
  });

  test('§3 meta tells the bits of the state', async () => {
    const { states } = await meta();
    expect(states.map(({ bit, value }) => [bit, value])).toEqual([
      [0, 1],
      [1, 2],
      [2, 4],
      [5, 32],
      [6, 64],
      [7, 128],
    ]);
  });

  test('§2.6 meta tells the action types and beacon types that occur', async () => {
    const { actionTypes, beaconTypes } = await meta();
    expect(actionTypes).toEqual(
      expect.arrayContaining(['CallGroup', 'ExecuteCommand', 'StopCommand', 'PlaySound', 'CallUser']),
    );
    expect(beaconTypes).toEqual(['Undefined', 'Nfc']);
  });

  test('§5 meta tells the call statuses', async () => {
    expect((await meta()).callStatuses).toEqual([
      'Queued',
      'Calling',
      'Delivered',
      'Acknowledged',
      'NoAnswer',
      'Busy',
      'Rejected',
      'Failed',
      'Cancelled',
    ]);
  });

  test('§8 meta tells the limits', async () => {
    expect((await meta()).limits).toMatchObject({
      defaultLimit: 10,
      largestLimit: 1_000,
      bodyBytes: 1_048_576,
    });
  });

  test('§6 meta tells who asks, for which tenant, and what time it is', async () => {
    const { user, tenant, time, version } = await meta();
    expect(user).toMatchObject({ id: 1, name: 'admin', role: 'admin' });
    expect(user.permissions).toContain('alarms:raise');
    expect(tenant.id).toBe(1);
    expect(time).toMatch(offsetDateTime);
    expect(version).toBe(document.info.version);
  });

  test('§2.6 every action type that meta tells is accepted', async () => {
    const { actionTypes } = await meta();
    for (const type of actionTypes) {
      expect(await raise(plant.client, { path: `Told ${type}`, alarmActions: [{ type }] })).toBeGreaterThan(
        0,
      );
    }
  });
});
