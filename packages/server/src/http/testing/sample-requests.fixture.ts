import { defaultConsoleSounds } from '@tocsin/contract';
import type { RouteEntry } from '../server/route-table.ts';
import { admin, type Place, type Sent, type TwoPlants } from './two-plants.fixture.ts';

let made = 0;

/** A name that no other row has. */
const fresh = ({ word }: Place, noun: string) => `${word} ${noun} ${++made}`;

const weekend = { from: '2026-03-07T00:00:00', to: '2026-03-09T00:00:00' };

/** The body that creates such an object at the place. */
const bodies: Record<string, (place: Place) => object> = {
  stations: (place) => ({ name: fresh(place, 'station') }),
  dataservers: (place) => ({ name: fresh(place, 'PLC'), stationId: place.stationId }),
  taggroups: (place) => ({ name: fresh(place, 'pumps'), stationId: place.stationId }),
  scenarios: (place) => ({ name: fresh(place, 'scenario'), stationId: place.stationId }),
  mediafiles: (place) => ({
    name: `${fresh(place, 'siren')}.txt`,
    contentType: 'text/plain',
    content: Buffer.from(place.word).toString('base64'),
  }),
  users: (place) => ({
    username: fresh(place, 'user'),
    stationIds: [place.stationId],
    media: [{ kind: 'Email', address: `guard@${place.word}.example` }],
  }),
  'users/:id/pin': () => ({ pin: '4711' }),
  'users/:id/password': () => ({ currentPassword: 'x', password: 'correct horse battery' }),
  'users/:id/password-reset': () => ({}),
  'users/:id/badge': (place) => ({ badge: fresh(place, 'badge') }),
  'users/:id/media-rules': (place) => ({
    rules: [{ name: fresh(place, 'rule'), priorities: [2], media: [{ kind: 'Voice' }] }],
  }),
  'users/:id/media': () => ({ media: [] }),
  'users/:id/media/code': () => ({ kind: 'Sms', address: '+33601' }),
  'users/:id/media/confirmation': () => ({ kind: 'Sms', address: '+33601', code: '482913' }),
  'users/:id/reachability-test': () => ({}),
  'security-settings': () => ({
    secondFactorRoles: [],
    confirmDangerous: false,
    confirmationMinutes: 10,
    deskMinutes: 15 + (++made % 600),
    twoPersonActions: [],
  }),
  apikeys: (place) => ({ name: fresh(place, 'key'), stationIds: [place.stationId] }),
  'apikeys/:id/adopt': () => ({}),
  channels: (place) => ({
    name: fresh(place, 'mail'),
    kind: 'email',
    settings: { host: '127.0.0.1', port: 1, from: `alarm@${place.word}.example` },
  }),
  'channels/:id/test': () => ({}),
  'message-templates/:medium/:language': (place) => ({ body: `${fresh(place, 'text')}: {message}` }),
  callgroups: (place) => ({
    name: fresh(place, 'guards'),
    stationId: place.stationId,
    teams: [{ id: 1, name: 'Day', userIds: [] }],
  }),
  'callgroups/:id/overrides': () => ({ teamId: 1, ...weekend }),
  calendars: (place) => ({ callGroupId: place.callGroupId }),
  leaves: (place) => ({ userId: place.userId, ...weekend }),
  callgroupgroupings: (place) => ({ name: fresh(place, 'grouping'), callGroupIds: [place.callGroupId] }),
  alarms: (place) => ({
    path: fresh(place, 'valve'),
    stationId: place.stationId,
    dataServerId: place.dataServerId,
  }),
  'call/users': (place) => ({ userIds: [place.userId], msgText: fresh(place, 'call') }),
  'call/groups': (place) => ({ callGroupIds: [place.callGroupId], msgText: fresh(place, 'call') }),
  'call/preview': (place) => ({ callGroupId: place.callGroupId }),
  'calls/:id/acknowledge': () => ({}),
  'calls/:id/cancel': () => ({ reason: 'a test of the siren' }),
  'calls/attempts/:id/acknowledge': () => ({}),
  'calls/attempts/:id/refuse': () => ({}),
  'dispatch/settings': (place) => ({ fallbackCallGroupId: place.callGroupId }),
  'console/silences': (place) => ({ alarmIds: [place.alarmId], desk: 'desk 1' }),
  'console/sounds': () => defaultConsoleSounds,
  'me/views': (place) => ({ name: fresh(place, 'view'), search: '?state=new', shared: true }),
  'me/console-settings': () => ({ theme: 'dark' }),
  'alarms/:id/acknowledge': () => ({}),
  'alarms/:id/reset': () => ({}),
  'alarms/:id/comment': (place) => ({ comment: fresh(place, 'comment') }),
  'alarms/:id/mask': (place) => ({ reason: fresh(place, 'work') }),
  'alarms/:id/unmask': () => ({}),
  'stations/:id/guidance': guidanceOf,
  'taggroups/:id/guidance': guidanceOf,
  'tags/:id/guidance': guidanceOf,
  'tags/changes': (place) => ({ tags: [{ id: place.alarmId }], change: { priority: ++made } }),
  'tags/import': (place) => ({ csv: `path,station\n${fresh(place, 'valve')},#${place.stationId}` }),
  'stations/:id/plans': planOf,
  plans: planOf,
  'shifts/notes': (place) => ({
    from: '2026-03-01T06:00:00',
    to: '2026-03-01T14:00:00',
    stationId: place.stationId,
    text: fresh(place, 'note'),
  }),
  'shifts/notes/:id/signatures': () => ({ shift: 'outgoing' }),
  'auth/logout': () => ({}),
  'auth/desk': () => ({ name: 'Control room' }),
  'auth/desk/switch': (place) => ({ userId: place.userId, pin: '4711' }),
  'auth/desk/leave': () => ({}),
  'approvals/:id/decision': () => ({ decision: 'Refuse' }),
  'auth/confirmation': () => ({ totp: '482913' }),
  'users/:id/totp': () => ({}),
  'users/:id/totp/confirmation': () => ({ code: '482913' }),
  'users/:id/recovery-codes': () => ({}),
  'users/:id/passkeys/options': () => ({}),
  'users/:id/passkeys': (place) => ({ name: fresh(place, 'telephone'), response: {} }),
  issuers: (place) => ({
    name: fresh(place, 'issuer'),
    issuer: `https://login.${place.word}.example`,
    clientId: 'tocsin',
    enabled: false,
    groupRoles: [],
    createUsers: false,
  }),
  directory: directoryOf,
  'directory/test': () => ({ username: 'anna' }),
};

function directoryOf(place: Place): object {
  return {
    enabled: false,
    // Nothing answers there.
    url: 'ldaps://127.0.0.1:1',
    bindDn: '',
    baseDn: `dc=${place.word}`,
    userFilter: '(uid={name})',
    idAttribute: 'entryUUID',
    nameAttribute: 'cn',
    groupAttribute: 'memberOf',
    groupRoles: [],
    createUsers: false,
  };
}

function guidanceOf(place: Place): object {
  return { steps: [fresh(place, 'step')] };
}

function planOf(place: Place): object {
  return { name: fresh(place, 'plan'), image: place.imageName };
}

/** Exceptions to the sample bodies: a grouping with call groups could not be deleted. */
const rowBodies: typeof bodies = {
  ...bodies,
  callgroupgroupings: (place) => ({ name: fresh(place, 'grouping') }),
};

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const prefix = '/api/v1/';

/** The collection of a path with an identifier: `alarms` for `/api/v1/alarms/:id/mask`. Templates have a medium instead. */
export const rowsOf = (path: string) => path.slice(prefix.length).split(/\/:(?:id|medium)/, 1)[0] ?? '';

/** A path that lists all rows. For the audit trail only those of stations: on a slow machine refusals fill a page. */
const query = (path: string) => `?limit=1000${furtherQueries[rowsOf(path)] ?? ''}`;

const hour = 3_600_000;
const timeFromNow = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
const furtherQueries: Record<string, string> = {
  audit: '&action=station',
  // A fixed end: answers are compared that were given at different times.
  'shifts/summary': `&from=${timeFromNow(-12)}&to=${timeFromNow(12)}`,
};

/** A valid request to the route, for any sender. Creates the row that it names. */
export async function sampleRequest(
  { method: verb, path }: Pick<RouteEntry, 'method' | 'path'>,
  place: Place,
  { send, fixedRow }: { send: TwoPlants['send']; fixedRow?: number | undefined },
): Promise<Sent & { row: string | undefined; key?: string }> {
  const method = methods.find((known) => known === verb);
  if (!method) throw new Error(`${verb} ${path}: no sample for such a verb`);
  if (path.includes(templatePath)) return sampleTemplateRequest(method, path, { place, send });
  const named = path.includes('/:id');
  const row = named ? `${prefix}${rowsOf(path)}/${fixedRow ?? (await rowFor(path, place, send))}` : undefined;
  const url = row === undefined ? path : path.replace(`${prefix}${rowsOf(path)}/:id`, row);
  await writeBefore(url, place, send);
  if (!takesBody(method)) return { method, url: named ? url : `${url}${query(path)}`, row };
  const body = bodies[path.slice(prefix.length)] ?? (method === 'PUT' ? bodies[rowsOf(path)] : undefined);
  if (!body) throw new Error(`${method} ${path} has no sample: add one to bodies`);
  return { method, url, body: body(place), row };
}

/** What belongs to a station is tried at the station of the place, where its tags are. */
async function rowFor(path: string, place: Place, send: TwoPlants['send']): Promise<number> {
  return path.includes('stations/:id/') ? place.stationId : makeRow(rowsOf(path), place, send);
}

const takesBody = (method: string) => method === 'POST' || method === 'PUT';

/** Only guidance that was written can be deleted. */
async function writeGuidance(url: string, place: Place, send: TwoPlants['send']): Promise<void> {
  await send(admin(place.tenantId), { method: 'PUT', url, body: guidanceOf(place) });
}

const directoryPath = '/api/v1/directory';

async function writeBefore(url: string, place: Place, send: TwoPlants['send']): Promise<void> {
  if (url.endsWith('/guidance')) await writeGuidance(url, place, send);
  if (url.startsWith(directoryPath)) await writeDirectory(place, send);
}

/** Only a directory that was written can be read, tried and deleted. */
async function writeDirectory(place: Place, send: TwoPlants['send']): Promise<void> {
  await send(admin(place.tenantId), { method: 'PUT', url: directoryPath, body: directoryOf(place) });
}

const templatePath = 'message-templates/:medium/:language';

/** Templates are named by medium and language: every tenant has the same names. Creates the one that is deleted. */
async function sampleTemplateRequest(
  method: (typeof methods)[number],
  path: string,
  { place, send }: { place: Place; send: TwoPlants['send'] },
): Promise<Sent & { row: undefined; key: string }> {
  const key = 'Voice/fr';
  const url = path.replace(':medium/:language', key);
  const body = bodies[templatePath]?.(place);
  await send(admin(place.tenantId), { method: 'PUT', url, body });
  return { method, url, row: undefined, key, ...(method === 'PUT' && { body }) };
}

/** Rows that are not created directly: calling a user creates a call and an attempt. */
const rowsOfCalls: Record<string, string> = { calls: 'calls', 'calls/attempts': 'call/histories' };

/** A mask that waits for a second person. */
async function makeApproval(place: Place, send: TwoPlants['send']): Promise<number> {
  const url = `${prefix}security-settings`;
  const chief = { ...admin(place.tenantId), userId: place.userId };
  const settings = (await send(chief, { method: 'GET', url })).json<object>();
  await send(chief, { method: 'PUT', url, body: { ...settings, twoPersonActions: ['masks'] } });
  const alarm = { ...bodies['alarms']?.(place), priority: 1 };
  const alarmId = (await send(chief, { method: 'POST', url: `${prefix}alarms`, body: alarm })).json<number>();
  const mask = { method: 'POST' as const, url: `${prefix}alarms/${alarmId}/mask`, body: { reason: 'work' } };
  const answer = await send(chief, mask);
  await send(chief, { method: 'PUT', url, body: { ...settings, twoPersonActions: [] } });
  if (answer.statusCode !== 202) throw new Error(`approvals: ${answer.body}`);
  return answer.json<{ id: number }>().id;
}

async function makeRow(rows: string, place: Place, send: TwoPlants['send']): Promise<number> {
  const list = rowsOfCalls[rows];
  if (list !== undefined) {
    await makeRow('call/groups', place, send);
    const newest = await send(admin(place.tenantId), { method: 'GET', url: `${prefix}${list}?limit=1` });
    return newest.json<{ items: { id: number }[] }>().items[0]?.id ?? 0;
  }
  if (rows === 'approvals') return makeApproval(place, send);
  // A tag is made by its first alarm, a plan under its station.
  if (rows === 'tags') return makeRow('alarms', place, send);
  const url = rows === 'plans' ? `${prefix}stations/${place.stationId}/plans` : `${prefix}${rows}`;
  const body = rowBodies[rows];
  if (!body) throw new Error(`nobody knows how to make one of ${rows}: add it to bodies`);
  // Views and calendars belong to a user, and the administrator of the tests is none.
  const creator =
    rows.startsWith('me/') || rows === 'calendars'
      ? { ...admin(place.tenantId), userId: place.userId }
      : admin(place.tenantId);
  const answer = await send(creator, {
    method: 'POST',
    url,
    body: body(place),
  });
  if (answer.statusCode !== 200) throw new Error(`${rows}: ${answer.body}`);
  const created = answer.json<number | { id: number }>();
  return typeof created === 'number' ? created : created.id;
}
