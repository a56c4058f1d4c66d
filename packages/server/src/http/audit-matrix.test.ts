import { type AuditEntry, type Role, roles } from '@tocsin/contract';
import { pino } from 'pino';
import { Type } from 'typebox';
import { expect } from 'vitest';
import { openDatabase } from '../postgres/database.ts';
import { testBox } from '../testing/test-box.ts';
import { permissionsOf } from './permissions.ts';
import type { RouteEntry } from './server/route-table.ts';
import { rowsOf, sampleRequest } from './testing/sample-requests.fixture.ts';
import { admin, buildMatrixApp, readRouteTable, type TwoPlants, test } from './testing/two-plants.fixture.ts';

/** The expected record of each route, written independently of the server's own table. */
const wanted: Record<string, string> = {
  nothing: 'POST call/preview, POST auth/passkey-options, POST users/:id/passkeys/options',
  journal: 'POST alarms, POST alarms/:id/acknowledge, POST alarms/:id/reset, POST alarms/:id/comment',
  calls:
    'GET /answer/:token, POST /answer/:token, POST channels/:id/callback, POST call/users, POST call/groups, POST calls/:id/acknowledge, POST calls/attempts/:id/acknowledge, POST calls/attempts/:id/refuse',
  'alarm.mask': 'POST alarms/:id/mask',
  'alarm.unmask': 'POST alarms/:id/unmask',
  'call.cancel': 'POST calls/:id/cancel',
  'session.open': 'POST auth/login',
  'session.close': 'POST auth/logout, DELETE auth/desk',
  'desk.open': 'POST auth/desk',
  'desk.switch': 'POST auth/desk/switch',
  'desk.leave': 'POST auth/desk/leave',
  'approval.decide': 'POST approvals/:id/decision',
  'session.end': 'DELETE users/:id/sessions/:session',
  'tenant.create': 'POST setup',
  'api-key.create': 'POST apikeys',
  'api-key.revoke': 'DELETE apikeys/:id',
  'api-key.adopt': 'POST apikeys/:id/adopt',
  'channel.test': 'POST channels/:id/test',
  'dispatch-settings.change': 'PUT dispatch/settings',
  'console-sounds.change': 'PUT console/sounds',
  'console-settings.change': 'PUT me/console-settings',
  'desk.silence': 'POST console/silences',
  ...collection('saved-view', 'me/views'),
  'message-template.change': 'PUT message-templates/:medium/:language',
  'message-template.delete': 'DELETE message-templates/:medium/:language',
  'guidance.change': 'PUT stations/:id/guidance, PUT taggroups/:id/guidance, PUT tags/:id/guidance',
  'guidance.delete': 'DELETE stations/:id/guidance, DELETE taggroups/:id/guidance, DELETE tags/:id/guidance',
  'tag.change': 'POST tags/changes',
  'tag.import': 'POST tags/import',
  ...collection('site-plan', 'plans'),
  'site-plan.create': 'POST stations/:id/plans',
  ...collection('shift-note', 'shifts/notes'),
  'shift-note.sign': 'POST shifts/notes/:id/signatures',
  'audit.export': 'GET audit/export',
  ...collection('station', 'stations'),
  ...collection('data-server', 'dataservers'),
  ...collection('tag-group', 'taggroups'),
  ...collection('scenario', 'scenarios'),
  ...collection('media-file', 'mediafiles'),
  ...collection('user', 'users'),
  'security-settings.change': 'PUT security-settings',
  'session.confirm': 'POST auth/confirmation',
  'totp.begin': 'POST users/:id/totp',
  'totp.confirm': 'POST users/:id/totp/confirmation',
  'totp.delete': 'DELETE users/:id/totp',
  'recovery-codes.create': 'POST users/:id/recovery-codes',
  'passkey.create': 'POST users/:id/passkeys',
  'passkey.delete': 'DELETE users/:id/passkeys/:passkey',
  'second-factors.reset': 'DELETE users/:id/second-factors',
  'user-pin.change': 'PUT users/:id/pin',
  'user-pin.delete': 'DELETE users/:id/pin',
  'user-password.change': 'PUT users/:id/password',
  'user-password.allow-reset': 'POST users/:id/password-reset',
  'user-password.reset': 'POST auth/password-reset',
  'user-badge.change': 'PUT users/:id/badge',
  'user-badge.delete': 'DELETE users/:id/badge',
  'media-rules.change': 'PUT users/:id/media-rules',
  'user-media.change': 'PUT users/:id/media',
  'user-media.send-code': 'POST users/:id/media/code',
  'user-media.confirm': 'POST users/:id/media/confirmation',
  'reachability.test': 'POST users/:id/reachability-test',
  ...collection('channel', 'channels'),
  ...collection('call-group', 'callgroups'),
  'call-group.change': 'PUT callgroups/:id, POST callgroups/:id/overrides',
  ...collection('leave', 'leaves'),
  'calendar.create': 'POST calendars',
  'calendar.revoke': 'DELETE calendars/:id',
  ...collection('call-group-grouping', 'callgroupgroupings'),
  ...collection('issuer', 'issuers'),
  'directory.change': 'PUT directory',
  'directory.delete': 'DELETE directory',
  'directory.test': 'POST directory/test',
};

/** The objects that are not named by an identifier. */
const ownIds: Record<string, string> = {
  'security-settings': '',
  'dispatch/settings': '',
  'audit/export': '',
  'tags/changes': '',
  'tags/import': '',
  'console/sounds': '',
  'console/silences': 'desk 1',
  directory: '',
  'directory/test': '',
};

function collection(object: string, path: string): Record<string, string> {
  return {
    [`${object}.create`]: `POST ${path}`,
    [`${object}.change`]: `PUT ${path}/:id`,
    [`${object}.delete`]: `DELETE ${path}/:id`,
  };
}

const routes = await readRouteTable();
const nameOf = ({ method, path }: RouteEntry) => `${method} ${path.replace('/api/v1/', '')}`;
const ruleOf = ({ config: { audit } }: RouteEntry) => (typeof audit === 'object' ? audit.action : audit);
const audited = routes.filter((route) => route.method !== 'GET' || route.config.audit !== undefined);
const guarded = routes.filter(({ permission }) => permission !== 'public' && permission !== 'self');
const named = (some: readonly RouteEntry[]) => some.map((route) => ({ route, name: nameOf(route) }));

async function trail(plants: TwoPlants, after: number): Promise<AuditEntry[]> {
  const answer = await plants.send(admin(1), { method: 'GET', url: '/api/v1/audit?limit=50' });
  return answer
    .json<{ items: AuditEntry[] }>()
    .items.filter(({ id }) => id > after)
    .toReversed();
}

/** The number of the newest entry. */
async function end(plants: TwoPlants): Promise<number> {
  const answer = await plants.send(admin(1), { method: 'GET', url: '/api/v1/audit?limit=1' });
  return answer.json<{ items: AuditEntry[] }>().items[0]?.id ?? 0;
}

test('each route that changes something has the expected audit rule', () => {
  const table: Record<string, string[]> = {};
  for (const route of audited) (table[ruleOf(route) ?? 'none'] ??= []).push(nameOf(route));
  for (const names of Object.values(table)) names.sort((a, b) => (a < b ? -1 : 1));
  const expected = Object.entries(wanted).map(([rule, names]) => [rule, names.split(', ').toSorted()]);
  expect(table).toEqual(Object.fromEntries(expected));
});

test('the server does not start with a route that changes something and has no audit rule', async () => {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 1 });
  const app = buildMatrixApp({ database, log: pino({ level: 'silent' }), box: testBox });
  const schema = { body: Type.Object({}), response: { 200: Type.String() } };
  app.post('/api/v1/backdoor', { config: { permission: 'public' }, schema }, async () => 'welcome');
  await expect(app.ready()).rejects.toThrow('POST /api/v1/backdoor has no audit rule');
  await database.close();
});

test.for(named(audited.filter((route) => guarded.includes(route))))(
  'it leaves exactly what its rule says: $name',
  async ({ route }, { plants }) => {
    const request = await sampleRequest(route, plants.valmont, plants);
    const before = await end(plants);
    const answer = await plants.send(admin(1), request);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    const rule = route.config.audit;
    const rows = rowsOf(route.path);
    const created = () => {
      const made = answer.json<number | { id: number }>();
      return String(typeof made === 'number' ? made : made.id);
    };
    const row = route.path.endsWith('/plans') ? undefined : request.row;
    const idOf = () => row?.split('/').at(-1) ?? request.key ?? ownIds[rows] ?? created();
    const entry = (object: string, action: string) => ({
      action,
      object: { kind: object, id: idOf() },
      actor: { kind: 'user', id: '1.admin.all.0', name: 'Somebody' },
      address: '127.0.0.1',
      requestId: expect.stringMatching(/./),
    });
    expect(await trail(plants, before)).toEqual(
      typeof rule === 'object' ? [expect.objectContaining(entry(rule.object, rule.action))] : [],
    );
  },
);

const failing = guarded.filter(({ method, config }) => method !== 'GET' && typeof config.audit === 'object');

test.for(named(failing))('a failed request leaves no entry: $name', async ({ route }, { plants }) => {
  const request = await sampleRequest(route, plants.valmont, plants);
  // The only directory of the tenant can be deleted once.
  if (nameOf(route) === 'DELETE directory') await plants.send(admin(1), request);
  const before = await end(plants);
  const asked =
    request.row === undefined
      ? { ...request, url: request.url.replace(/fr$/, 'xx'), body: { name: 7, fallbackCallGroupId: 'x' } }
      : { ...request, url: request.url.replace(request.row, `${request.row.replace(/\d+$/, '')}4294967295`) };
  const answer = await plants.send(admin(1), asked);
  expect([400, 404]).toContain(answer.statusCode);
  expect(await trail(plants, before)).toEqual([]);
});

/** A user without the permission: a new one each time. */
let strangers = 0;
function refusedRole({ permission }: RouteEntry): Role | undefined {
  return roles.find((role) => !permissionsOf[role].some((granted) => granted === permission));
}

test.for(named(guarded.filter((route) => refusedRole(route) !== undefined)))(
  'a refusal is recorded, once a minute: $name',
  async ({ route }, { plants }) => {
    const request = await sampleRequest(route, plants.valmont, plants);
    const userId = 1_000_000 + ++strangers;
    const role = refusedRole(route) ?? 'viewer';
    const before = await end(plants);
    for (let n = 0; n < 3; n++) {
      const { statusCode } = await plants.send({ role, userId }, request);
      expect(statusCode).toBe(403);
    }
    const entry = {
      action: 'request.refuse',
      object: { kind: 'request', id: `${route.method} ${route.path}` },
      actor: { kind: 'user', id: `1.${role}.all.${userId}`, name: 'Somebody' },
      address: '127.0.0.1',
      reason: expect.stringContaining(`lacks ${route.permission}`),
    };
    expect(await trail(plants, before)).toEqual([expect.objectContaining(entry)]);
  },
);

test('a request that is refused after the permission check is recorded too', async ({ plants }) => {
  const before = await end(plants);
  const caller = { role: 'admin' as const, stationIds: [plants.valmont.stationId], userId: 77 };
  const body = { username: 'intruder' };
  const { statusCode } = await plants.send(caller, { method: 'POST', url: '/api/v1/users', body });
  expect(statusCode).toBe(403);
  const entries = await trail(plants, before);
  expect(entries.map(({ action, object }) => `${action} ${object.id}`)).toEqual([
    'request.refuse POST /api/v1/users',
  ]);
});
