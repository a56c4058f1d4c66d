import { Id, type Role, roles, Uint } from '@tocsin/contract';
import { Type } from 'typebox';
import { expect } from 'vitest';
import type { RouteEntry } from './server/route-table.ts';
import { type Effect, effectOf } from './testing/reference-effects.fixture.ts';
import { referenceMembers } from './testing/reference-members.fixture.ts';
import {
  isTenantWide,
  type Named,
  type Naming,
  namedAt,
  naming,
  namingsOf,
  nothing,
} from './testing/reference-requests.fixture.ts';
import { rowsOf, sampleRequest } from './testing/sample-requests.fixture.ts';
import {
  admin,
  type Caller,
  type Place,
  readRouteTable,
  type TwoPlants,
  test as withPlants,
} from './testing/two-plants.fixture.ts';

type Entry = { route: RouteEntry; to: Naming; name: string };

const nameOf = ({ method, path }: RouteEntry) => `${method} ${path.replace('/api/v1/', '')}`;
const routes = (await readRouteTable()).filter(({ permission }) => permission !== 'protocol');

/**
 * Routes without a token: the signature of a provider is checked instead, or the secret in the address of a calendar. The
 * sign-in page shows the issuers of a tenant to everybody.
 */
const signed = [
  'GET auth/oidc/:id/start',
  'GET users/:id/calendar.ics',
  'GET callgroups/:id/calendar.ics',
  'POST channels/:id/callback',
];
const matrix: Entry[] = routes
  .filter(({ permission }) => permission !== 'public')
  .flatMap((route) =>
    referenceMembers(route)
      .members.flatMap((member) => namingsOf(member, rowsOf(route.path)))
      .map((to) => ({ route, to, name: `${nameOf(route)} ${to.place} ${to.actionType ?? to.kind}` })),
  )
  // Lists come first, because later writes would appear in them.
  .toSorted((one, other) => Number(other.route.method === 'GET') - Number(one.route.method === 'GET'));

/** Rows that are visible to all stations of a tenant. */
const sharedRows = new Set(['mediafiles', 'callgroupgroupings']);

/** Calls for help are never refused for a reference: it is ignored and reported. A filter matches nothing. */
function isIgnored({ route, to: { part, kind } }: Entry): boolean {
  if (part === 'querystring' || kind === 'command') return true;
  if (nameOf(route) === 'POST alarms') return !['station', 'data-server', 'tag-group'].includes(kind);
  return nameOf(route) === 'POST call/users' || nameOf(route) === 'POST call/groups';
}

/** Objects of Valmont that name objects of Ardenne, written by a user who sees both. */
const test = withPlants.extend('linked', { scope: 'file' }, async ({ plants }): Promise<TwoPlants> => {
  const { send, valmont, ardenne } = plants;
  const { stationId, dataServerId } = valmont;
  const create = async (rows: string, body: object) => {
    const answer = await send(admin(1), { method: 'POST', url: `/api/v1/${rows}`, body });
    if (answer.statusCode !== 200) throw new Error(`${rows}: ${answer.body}`);
    return answer.json<number>();
  };
  const { tagGroupId, callGroupId, scenarioId, userId } = ardenne;
  const alarmActions = [
    { type: 'CallGroup', id: callGroupId },
    { type: 'Scenario', id: scenarioId },
  ];
  const alarmId = await create('alarms', {
    path: 'linked',
    stationId,
    dataServerId,
    tagGroupId,
    alarmActions,
  });
  const url = `/api/v1/alarms/${alarmId}/acknowledge`;
  await send({ role: 'operator', userId }, { method: 'POST', url, body: {} });
  await create('taggroups', { name: 'linked', stationId, parentId: tagGroupId });
  const linked = await create('callgroups', { name: 'linked', stationId, userIds: [userId] });
  await create('call/groups', { callGroupIds: [linked], msgText: 'linked' });
  return plants;
});

let tried = 0;

test('every number or file that a request may name something with is marked in the contract', () => {
  const unmarked = routes.flatMap((route) =>
    referenceMembers(route).unmarked.map((member) => `${nameOf(route)} ${member}`),
  );
  expect(unmarked).toEqual([]);
});

test('a new number or file that is not marked is found, and one without a body around it cannot be tried', () => {
  const teams = Type.Array(Type.Object({ shiftIds: Type.Array(Id), day: Type.Integer({ maximum: 7 }) }));
  const body = Type.Object({ pumpId: Type.Optional(Uint), teams, tuneFile: Type.String(), limit: Uint });
  expect(referenceMembers({ schema: { body } })).toEqual({
    members: [],
    unmarked: ['body pumpId', 'body teams.*.shiftIds.*', 'body tuneFile'],
  });
  const to = { part: 'body', place: 'shifts.*.userId', kind: 'user' } as const;
  expect(() => naming({ method: 'POST', url: '/api/v1/shifts' }, to, 1)).toThrow('add it to shapes');
});

test('what a request names is judged for somebody with a token, but for call-backs and calendars', () => {
  const open = routes.filter(
    (route) => route.permission === 'public' && referenceMembers(route).members.length > 0,
  );
  expect(open.map(nameOf)).toEqual(signed);
});

test.for(matrix)('$name', async (entry, { linked: plants }) => {
  const { valmont, ardenne, brenner } = plants;
  const { route, to } = entry;
  const rowAt = await rowsFor(plants, entry);
  const nameAt = (place: Place): Named => (to.kind === 'row' ? (rowAt(place) ?? 0) : namedAt(place, to.kind));
  const attempt = async (caller: Caller, at: Place | undefined): Promise<Effect> => {
    const named = at === undefined ? nothing(to.kind) : nameAt(at);
    const fixedRow = to.kind === 'row' ? Number(named) : rowAt(valmont);
    const request = await sampleRequest(route, valmont, { send: plants.send, fixedRow });
    return effectOf(plants, caller, { request: naming(request, to, named), to, named });
  };
  const isShared = to.kind === 'row' ? sharedRows.has(rowsOf(route.path)) : isTenantWide(to.kind);
  const unseen = (isBound: boolean) => (isBound && !isShared ? [ardenne, brenner] : [brenner]);

  for (const { role, isBound } of callers) {
    const caller = isBound ? { role, stationIds: [valmont.stationId] } : { role };
    const missing = await attempt(caller, undefined);
    expect(isIgnored(entry) ? [200, 403] : [400, 403, 404]).toContain(missing.status);
    for (const place of unseen(isBound)) {
      const who = `${role} ${isBound ? 'of one station' : 'of all stations'} naming what is of ${place.word}`;
      expect({ who, ...(await attempt(caller, place)) }).toEqual({ who, ...missing });
      tried += 1;
    }
  }
  if (!hasOwnEffect(entry)) return;
  const own = await attempt({ role: 'admin' }, valmont);
  expect(own).toMatchObject({ status: 200 });
  expect(own).not.toEqual(await attempt({ role: 'admin' }, undefined));
});

test('the matrix is of all routes, roles, tenants and stations, and large', () => {
  process.stdout.write(
    `reference matrix: ${matrix.length} members of requests, ${tried} cases without effect\n`,
  );
  expect(tried).toBeGreaterThan(1_500);
});

const callers: { role: Role; isBound: boolean }[] = roles.flatMap((role) =>
  [true, false].map((isBound) => ({ role, isBound })),
);

/** The rows that the path of the route names, created once: no attempt may change them. */
async function rowsFor(
  plants: TwoPlants,
  { route, to }: Entry,
): Promise<(place: Place) => number | undefined> {
  if (!route.path.includes('/:id')) return () => undefined;
  const rows = new Map<string, number>();
  const { valmont, ardenne, brenner, send } = plants;
  for (const place of to.kind === 'row' ? [ardenne, brenner] : [valmont]) {
    const { row } = await sampleRequest(route, place, { send });
    rows.set(place.word, Number(row?.split('/').at(-1)));
  }
  return ({ word }) => rows.get(word);
}

/** Whether a visible reference has an effect at once. */
function hasOwnEffect({ route, to: { part, kind } }: Entry): boolean {
  // Only users have calendars, and the administrator of the tests is none. Only desks switch people.
  const others = ['POST calendars', 'POST auth/desk/switch'];
  if (part !== 'body' || others.includes(nameOf(route))) return false;
  return kind !== 'media-file' || nameOf(route) === 'POST alarms';
}
