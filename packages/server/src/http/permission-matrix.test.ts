import { type Role, roles } from '@tocsin/contract';
import { pino } from 'pino';
import { expect } from 'vitest';
import { openDatabase } from '../postgres/database.ts';
import { testBox } from '../testing/test-box.ts';
import type { RouteEntry } from './server/route-table.ts';
import { rowsOf, sampleRequest } from './testing/sample-requests.fixture.ts';
import {
  admin,
  buildMatrixApp,
  type Caller,
  type Place,
  readRouteTable,
  type TwoPlants,
  test,
} from './testing/two-plants.fixture.ts';

/** The expected permissions of roles, written independently of the server's own table. */
const granted: Record<Role, string> = {
  viewer: 'alarms:read history:read calls:read plant:read callgroups:read meta:read',
  operator:
    'alarms:read history:read calls:read plant:read callgroups:read meta:read alarms:raise alarms:act alarms:mask calls:start people:read',
  engineer:
    'alarms:read history:read calls:read plant:read callgroups:read meta:read alarms:raise alarms:act alarms:mask calls:start people:read plant:write callgroups:write channels:read channels:write commands:read commands:run alarms:define',
  admin:
    'alarms:read history:read calls:read plant:read callgroups:read meta:read alarms:raise alarms:act alarms:mask calls:start people:read plant:write callgroups:write channels:read channels:write commands:read commands:run people:write keys:read keys:write alarms:define audit:read',
  machine: 'alarms:read alarms:raise meta:read',
  auditor:
    'alarms:read history:read calls:read plant:read callgroups:read meta:read people:read channels:read commands:read keys:read audit:read',
};

/** The expected permission of each route, written independently as well. Paths are below `/api/v1/`. */
const needed: Record<string, string> = {
  public:
    'GET /livez, GET /readyz, GET /dispatchz, GET /.well-known/security.txt, GET /openapi.json, GET /answer/:token, POST /answer/:token, POST auth/login, POST auth/password-reset, POST auth/passkey-options, POST channels/:id/callback, GET setup, POST setup, GET users/:id/calendar.ics, GET callgroups/:id/calendar.ics, GET auth/ways, GET auth/oidc/:id/start, GET auth/oidc/callback',
  self: 'POST auth/desk, DELETE auth/desk, GET auth/desk/people, POST auth/desk/switch, POST auth/desk/leave, GET approvals, GET approvals/:id, POST approvals/:id/decision, POST auth/logout, POST auth/confirmation, GET users/:id/second-factors, POST users/:id/totp, POST users/:id/totp/confirmation, DELETE users/:id/totp, POST users/:id/recovery-codes, POST users/:id/passkeys/options, POST users/:id/passkeys, DELETE users/:id/passkeys/:passkey, POST calls/attempts/:id/acknowledge, POST calls/attempts/:id/refuse, GET me/push-key, PUT users/:id/pin, DELETE users/:id/pin, PUT users/:id/password, GET users/:id/sessions, DELETE users/:id/sessions/:session, GET users/:id/media, PUT users/:id/media, POST users/:id/media/code, POST users/:id/media/confirmation, GET users/:id/media-rules, PUT users/:id/media-rules, POST users/:id/reachability-test, GET users/:id/reachability, GET me/views, GET me/views/:id, POST me/views, PUT me/views/:id, DELETE me/views/:id, GET me/console-settings, PUT me/console-settings, POST callgroups/:id/overrides, POST leaves, PUT leaves/:id, DELETE leaves/:id, GET calendars, POST calendars, DELETE calendars/:id',
  'meta:read': 'GET meta',
  'alarms:read': [
    'GET alarms, GET alarms/:id, GET alarms/:id/timeline, GET alarms/:id/guidance, GET tags/:id, GET tags, GET tags/export',
    ...['stations', 'taggroups', 'tags'].flatMap((rows) => [
      `GET ${rows}/:id/guidance`,
      `GET ${rows}/:id/guidance/versions`,
    ]),
    'GET shifts/notes, GET shifts/notes/:id',
    'GET areas, GET alarms/contexts, GET console/sounds, GET console/health',
  ].join(', '),
  'alarms:raise': 'POST alarms',
  'alarms:define': 'POST tags/changes, POST tags/import',
  'alarms:act': [
    'POST alarms/:id/acknowledge, POST alarms/:id/reset, POST alarms/:id/comment, POST calls/:id/acknowledge, POST calls/:id/cancel',
    ...writesOf('shifts/notes'),
    'POST shifts/notes/:id/signatures, POST console/silences',
  ].join(', '),
  'alarms:mask': 'POST alarms/:id/mask, POST alarms/:id/unmask',
  'history:read':
    'GET alarms/histories, GET alarms/statistics, GET alarms/interventions, GET alarms/kpis, GET shifts/summary',
  'calls:read': 'GET call/histories, GET calls, GET calls/:id, POST call/preview, GET alarms/:id/spoken',
  'calls:start': 'POST call/users, POST call/groups',
  'plant:read':
    'GET stations, GET stations/:id, GET dataservers, GET dataservers/:id, GET taggroups, GET taggroups/:id, GET scenarios, GET scenarios/:id, GET mediafiles, GET mediafiles/:id, GET mediafiles/:id/content, GET stations/:id/plans, GET plans/:id, GET alarms/:id/place',
  'plant:write': [
    ...writesOf('stations'),
    ...writesOf('dataservers'),
    ...writesOf('taggroups'),
    ...writesOf('scenarios'),
    ...writesOf('mediafiles'),
    'PUT console/sounds',
    ...['stations', 'taggroups', 'tags'].flatMap((rows) => [
      `PUT ${rows}/:id/guidance`,
      `DELETE ${rows}/:id/guidance`,
    ]),
    'POST stations/:id/plans, PUT plans/:id, DELETE plans/:id',
    ...['stations', 'dataservers', 'taggroups', 'scenarios'].map((rows) => `GET ${rows}/:id/uses`),
  ].join(', '),
  'people:read':
    'GET users, GET users/:id, GET reachability, GET security-settings, GET issuers, GET issuers/:id, GET directory',
  'people:write': [
    ...writesOf('users'),
    'GET users/:id/uses',
    'PUT security-settings',
    'DELETE users/:id/second-factors',
    'POST users/:id/password-reset, PUT users/:id/badge, DELETE users/:id/badge',
    ...writesOf('issuers'),
    'PUT directory, DELETE directory, POST directory/test',
  ].join(', '),
  'callgroups:read':
    'GET callgroups, GET callgroups/:id, GET callgroups/gaps, GET callgroups/:id/duties, GET leaves, GET leaves/:id, GET callgroupgroupings, GET callgroupgroupings/:id, GET dispatch/settings',
  'callgroups:write': [
    ...writesOf('callgroups'),
    ...writesOf('callgroupgroupings'),
    'PUT dispatch/settings',
    'GET callgroups/:id/uses, GET callgroupgroupings/:id/uses',
  ].join(', '),
  'channels:read':
    'GET channels, GET channels/:id, GET channels/kinds, GET channels/health, GET message-templates',
  'channels:write': [
    ...writesOf('channels'),
    'POST channels/:id/test',
    'PUT message-templates/:medium/:language',
    'DELETE message-templates/:medium/:language',
  ].join(', '),
  'commands:read': 'GET commands/runs',
  'keys:read': 'GET apikeys, GET apikeys/:id',
  'audit:read': 'GET audit, GET audit/verification, GET audit/export',
  'keys:write': 'POST apikeys, DELETE apikeys/:id, POST apikeys/:id/adopt',
};

function writesOf(rows: string): string[] {
  return [`POST ${rows}`, `PUT ${rows}/:id`, `DELETE ${rows}/:id`];
}

/** Rows of the whole tenant: users limited to stations read them (of users, those of their stations), and change none. */
const tenantWide = new Set([
  'mediafiles',
  'users',
  'callgroupgroupings',
  'dispatch/settings',
  'console/sounds',
  'security-settings',
]);
/** Rows of the whole tenant that users limited to stations may not even read, such as keys and channels. */
const tenantOnly = new Set([
  'apikeys',
  'channels',
  'channels/health',
  'message-templates',
  'audit',
  'audit/verification',
  'audit/export',
  'issuers',
  'directory',
  'directory/test',
]);
/** The same for all callers: the server itself, and settings of the whole tenant. */
const ofTheServer = new Set([
  'GET meta',
  'GET channels/kinds',
  'GET channels/health',
  'GET dispatch/settings',
  'GET console/sounds',
  'GET message-templates',
  'GET security-settings',
  'GET directory',
  'GET audit/verification',
]);

const routes = await readRouteTable();
const guarded = routes.filter(({ permission }) => permission !== 'public' && permission !== 'self');
const nameOf = ({ method, path }: RouteEntry) => `${method} ${path.replace('/api/v1/', '')}`;

const may = (role: Role, { permission }: RouteEntry) => granted[role].split(' ').includes(permission);
const isRead = ({ method }: RouteEntry) => method === 'GET';
const isNamed = ({ path }: RouteEntry) => path.includes('/:id');

const cases = (wanted: readonly RouteEntry[]) =>
  roles.flatMap((role) => wanted.map((route) => ({ role, route, name: nameOf(route) })));

/** The row of a request as its administrator sees it, to show that a refused request changed nothing. */
async function look(plants: TwoPlants, place: Place, row: string | undefined): Promise<string> {
  if (row === undefined) return '';
  const { statusCode, body } = await plants.send(admin(place.tenantId), { method: 'GET', url: row });
  return `${statusCode} ${body}`;
}

type Attempt = { status: number; text: string; before: string; after: string };

async function attempt(
  plants: TwoPlants,
  caller: Caller,
  { route, place }: { route: RouteEntry; place: Place },
): Promise<Attempt> {
  // Users limited to stations could not see a new station, so they may not create one.
  const fixedRow = caller.stationIds && rowsOf(route.path) === 'stations' ? place.stationId : undefined;
  const request = await sampleRequest(route, place, { send: plants.send, fixedRow });
  const before = await look(plants, place, request.row);
  const { statusCode, body, headers } = await plants.send(caller, request);
  const after = await look(plants, place, request.row);
  return { status: statusCode, text: `${body} ${JSON.stringify(headers)}`, before, after };
}

/** The answer to a request that is granted. */
const done = ({ method }: RouteEntry) => (method === 'DELETE' ? 204 : 200);

test('the matrix covers all routes of the server', () => {
  expect(cases(guarded).length).toBeGreaterThan(300);
});

test('each route needs the permission of its kind of row and verb', () => {
  const table: Record<string, string[]> = {};
  for (const route of routes) (table[route.permission] ??= []).push(nameOf(route));
  for (const names of Object.values(table)) names.sort((a, b) => (a < b ? -1 : 1));
  const wanted = Object.entries(needed).map(([need, names]) => [need, names.split(', ').toSorted()]);
  expect(table).toEqual(Object.fromEntries(wanted));
});

test.for([
  { fault: 'names no permission', options: { schema: { response: { 200: {} } } } },
  { fault: 'has no response schema', options: { config: { permission: 'public' as const } } },
])('the server does not start with a route that $fault', async ({ fault, options }) => {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 1 });
  const app = buildMatrixApp({ database, log: pino({ level: 'silent' }), box: testBox });
  app.get('/api/v1/backdoor', options, async () => 'welcome');
  await expect(app.ready()).rejects.toThrow(`GET /api/v1/backdoor ${fault}`);
  await database.close();
});

test.for(
  routes.filter(({ permission }) => permission !== 'public').map((route) => ({ route, name: nameOf(route) })),
)('without a token: $name', async ({ route }, { plants }) => {
  const request = await sampleRequest(route, plants.valmont, plants);
  for (const nobody of [undefined, 'a-token-that-nobody-has']) {
    const answer = await plants.send(nobody, request);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(answer.json()).toMatchObject({ code: 'not-authenticated' });
  }
});

test.for(cases(guarded))('$role in the own tenant: $name', async ({ role, route }, { plants }) => {
  const { status, text, before, after } = await attempt(plants, { role }, { route, place: plants.valmont });
  const allowed = may(role, route);
  expect({ status, text }).toMatchObject({ status: allowed ? done(route) : 403 });
  expect(allowed || after === before).toBe(true);
  expect(text).not.toContain('Brenner');
});

test.for(cases(guarded))('$role of the own station: $name', async ({ role, route }, { plants }) => {
  const { valmont } = plants;
  const caller = { role, stationIds: [valmont.stationId] };
  const { status, text, before, after } = await attempt(plants, caller, { route, place: valmont });
  const rows = rowsOf(route.path);
  const isStation = /\/stations(\/:id)?$/.test(route.path);
  const wholeTenant = tenantOnly.has(rows) || (!isRead(route) && (isStation || tenantWide.has(rows)));
  const allowed = may(role, route) && !wholeTenant;
  expect({ status, text }).toMatchObject({ status: allowed ? done(route) : 403 });
  expect(allowed || after === before).toBe(true);
});

test.for(cases(guarded.filter(isNamed)))(
  "$role asking for another tenant's row: $name",
  async ({ role, route }, { plants }) => {
    const { status, text, before, after } = await attempt(plants, { role }, { route, place: plants.brenner });
    expect(status).toBe(may(role, route) ? 404 : 403);
    expect(before).toContain('200 ');
    expect(after).toBe(before);
    expect(text).not.toContain('Brenner');
  },
);

const naming = new Set([
  'dataservers',
  'taggroups',
  'scenarios',
  'users',
  'apikeys',
  'callgroups',
  'callgroupgroupings',
  'alarms',
  'shifts/notes',
]);

test.for(
  cases(guarded.filter(({ method, path }) => method === 'POST' && naming.has(path.replace('/api/v1/', '')))),
)('$role naming what another tenant has: $name', async ({ role, route }, { plants }) => {
  const { status, text } = await attempt(plants, { role }, { route, place: plants.brenner });
  expect(status).toBe(may(role, route) ? 400 : 403);
  expect(text).toContain(`"code":"${may(role, route) ? 'unknown-reference' : 'not-allowed'}"`);
});

const calling = guarded.filter(({ permission }) => permission === 'calls:start');

test.for(cases(calling))(
  '$role calling people of another tenant or station: $name',
  async ({ role, route }, { plants }) => {
    const { ardenne, brenner, valmont } = plants;
    const own = { role, stationIds: [valmont.stationId] };
    for (const [caller, place] of [
      [{ role }, brenner],
      [own, ardenne],
    ] as const) {
      const { status, text } = await attempt(plants, caller, { route, place });
      expect(status).toBe(may(role, route) ? 200 : 403);
      expect(text.startsWith('false ')).toBe(may(role, route));
    }
  },
);

const lists = guarded.filter((route) => isRead(route) && !isNamed(route) && !ofTheServer.has(nameOf(route)));

test.for(lists.map((route) => ({ route, name: nameOf(route) })))(
  'a user without a limit to stations finds both stations in the list: $name',
  async ({ route }, { plants }) => {
    for (const { word } of [plants.valmont, plants.ardenne]) {
      const { text } = await attempt(plants, { role: 'admin' }, { route, place: plants.valmont });
      expect(text).toContain(word);
    }
  },
);

/** Answers for each line of a file by itself; `tags.test.ts` shows that lines of other stations are left out. */
const byLine = 'POST tags/import';
const bound = (route: RouteEntry) =>
  !tenantWide.has(rowsOf(route.path)) && !calling.includes(route) && nameOf(route) !== byLine;

test.for(cases(guarded.filter(bound)))(
  '$role outside the own stations: $name',
  async ({ role, route }, { plants }) => {
    const { ardenne, valmont } = plants;
    const caller = { role, stationIds: [valmont.stationId] };
    const { status, text, before, after } = await attempt(plants, caller, { route, place: ardenne });
    const listed = isRead(route) && !isNamed(route) && !tenantOnly.has(rowsOf(route.path));
    const refused = may(role, route) ? [403, 404] : [403];
    expect(listed && may(role, route) ? [200] : refused).toContain(status);
    expect(before).toMatch(isNamed(route) ? /^200 / : /^$/);
    expect(after).toBe(before);
    expect(text).not.toContain('Ardenne');
  },
);

test('a grouping does not show call groups of other stations to a user limited to one', async ({
  plants: { send, ardenne, valmont },
}) => {
  const callGroupIds = [ardenne.callGroupId, valmont.callGroupId];
  const body = { name: 'all guards', callGroupIds };
  const id = (
    await send(admin(1), { method: 'POST', url: '/api/v1/callgroupgroupings', body })
  ).json<number>();
  const read = async (caller: Caller) =>
    (await send(caller, { method: 'GET', url: `/api/v1/callgroupgroupings/${id}` })).json<object>();
  expect(await read({ role: 'viewer' })).toMatchObject({
    callGroupIds: callGroupIds.toSorted((a, b) => a - b),
  });
  expect(await read({ role: 'viewer', stationIds: [valmont.stationId] })).toMatchObject({
    callGroupIds: [valmont.callGroupId],
  });
});
