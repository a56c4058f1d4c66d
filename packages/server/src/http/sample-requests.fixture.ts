import type { RouteEntry } from './route-table.ts';
import { admin, type Place, type Sent, type TwoPlants } from './two-plants.fixture.ts';

let made = 0;

/** A name that no other row has. */
const fresh = ({ word }: Place, noun: string) => `${word} ${noun} ${++made}`;

/** What a client would send to make such a thing at the place. */
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
  users: (place) => ({ username: fresh(place, 'user'), stationIds: [place.stationId] }),
  apikeys: (place) => ({ name: fresh(place, 'key'), stationIds: [place.stationId] }),
  'apikeys/:id/adopt': () => ({}),
  channels: (place) => ({
    name: fresh(place, 'mail'),
    kind: 'email',
    settings: { host: '127.0.0.1', port: 1, from: `alarm@${place.word}.example` },
  }),
  'channels/:id/test': () => ({}),
  callgroups: (place) => ({ name: fresh(place, 'guards'), stationId: place.stationId }),
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
  'dispatch/settings': (place) => ({ fallbackCallGroupId: place.callGroupId }),
  'alarms/:id/acknowledge': () => ({}),
  'alarms/:id/reset': () => ({}),
  'alarms/:id/comment': (place) => ({ comment: fresh(place, 'comment') }),
  'alarms/:id/mask': (place) => ({ reason: fresh(place, 'work') }),
  'alarms/:id/unmask': () => ({}),
  'auth/logout': () => ({}),
};

/** Where the row to be had is not what such a body makes: a grouping that holds call groups cannot be deleted. */
const rowBodies: typeof bodies = {
  ...bodies,
  callgroupgroupings: (place) => ({ name: fresh(place, 'grouping') }),
};

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const prefix = '/api/v1/';

/** The folder of rows that a path with an identifier speaks of: `alarms` of `/api/v1/alarms/:id/mask`. */
export const rowsOf = (path: string) => path.slice(prefix.length).split('/:id', 1)[0] ?? '';

/** All rows. Of the audit trail those of stations: on a slow machine refusals alone fill a page. */
const query = (path: string) => `?limit=1000${rowsOf(path) === 'audit' ? '&action=station' : ''}`;

/** A request to the route that is right in all but, perhaps, who sends it. Makes the row it speaks of. */
export async function sampleRequest(
  { method: verb, path }: Pick<RouteEntry, 'method' | 'path'>,
  place: Place,
  { send, fixedRow }: { send: TwoPlants['send']; fixedRow?: number | undefined },
): Promise<Sent & { row: string | undefined }> {
  const method = methods.find((known) => known === verb);
  if (!method) throw new Error(`${verb} ${path}: no sample for such a verb`);
  const named = path.includes('/:id');
  const row = named
    ? `${prefix}${rowsOf(path)}/${fixedRow ?? (await makeRow(rowsOf(path), place, send))}`
    : undefined;
  const url = row === undefined ? path : path.replace(`${prefix}${rowsOf(path)}/:id`, row);
  if (method === 'GET' || method === 'DELETE')
    return { method, url: named ? url : `${url}${query(path)}`, row };
  const body = bodies[method === 'PUT' ? rowsOf(path) : path.slice(prefix.length)];
  if (!body) throw new Error(`${method} ${path} has no sample: add one to bodies`);
  return { method, url, body: body(place), row };
}

/** Rows that nobody makes by name: calling somebody brings about a call and an attempt. */
const rowsOfCalls: Record<string, string> = { calls: 'calls', 'calls/attempts': 'call/histories' };

async function makeRow(rows: string, place: Place, send: TwoPlants['send']): Promise<number> {
  const list = rowsOfCalls[rows];
  if (list !== undefined) {
    await makeRow('call/groups', place, send);
    const newest = await send(admin(place.tenantId), { method: 'GET', url: `${prefix}${list}?limit=1` });
    return newest.json<{ items: { id: number }[] }>().items[0]?.id ?? 0;
  }
  const body = rowBodies[rows];
  if (!body) throw new Error(`nobody knows how to make one of ${rows}: add it to bodies`);
  const answer = await send(admin(place.tenantId), {
    method: 'POST',
    url: `${prefix}${rows}`,
    body: body(place),
  });
  if (answer.statusCode !== 200) throw new Error(`${rows}: ${answer.body}`);
  const created = answer.json<number | { id: number }>();
  return typeof created === 'number' ? created : created.id;
}
