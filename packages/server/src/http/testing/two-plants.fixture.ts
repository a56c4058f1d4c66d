import type { Role } from '@tocsin/contract';
import type { LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { test as base } from 'vitest';
import { buildApp } from '../../app.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { openDatabase } from '../../postgres/database.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { cloneDatabase } from '../../testing/plant.fixture.ts';
import { testBox } from '../../testing/test-box.ts';
import { tinyImage } from '../../testing/tiny-image.ts';
import { notAuthenticated } from '../authorization.ts';
import type { HttpApp } from '../http-app.ts';
import { permissionsOf } from '../permissions.ts';
import type { Principal } from '../principal.ts';
import { type RouteEntry, routeTable } from '../server/route-table.ts';

/** A station of a tenant. All names of its objects begin with its `word`, so that a leak is noticed. */
export type Place = {
  word: string;
  tenantId: number;
  stationId: number;
  dataServerId: number;
  /** A user of this station only, who can be called, and a call group of the station with that user. */
  userId: number;
  callGroupId: number;
  alarmId: number;
  tagGroupId: number;
  scenarioId: number;
  groupingId: number;
  apiKeyId: number;
  /** A file of the tenant's media library, and an image. */
  mediaName: string;
  imageName: string;
};

export type Caller = {
  role: Role;
  tenantId?: number;
  stationIds?: readonly number[] | undefined;
  userId?: number;
};

export type TwoPlants = {
  app: HttpApp;
  runtime: Runtime;
  /** Two stations of tenant 1, and one of tenant 2, whose identifiers tenant 1 does not have. */
  valmont: Place;
  ardenne: Place;
  brenner: Place;
  /** Sends with the token of a client, with an unknown token, or without one. */
  send: (caller: Caller | string | undefined, request: Sent) => Promise<LightMyRequestResponse>;
};

export type Sent = { method: Method; url: string; body?: object | undefined };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const tokens = new Map<string, Principal>();
const authenticate = async (token: string) => {
  const principal = tokens.get(token);
  if (!principal) throw notAuthenticated('unknown token');
  return principal;
};

function tokenOf(caller: Caller | string): string {
  if (typeof caller === 'string') return caller;
  const { role, tenantId = 1, stationIds, userId } = caller;
  const token = `${tenantId}.${role}.${stationIds?.join('-') ?? 'all'}.${userId ?? 0}`;
  tokens.set(token, {
    tenantId,
    subject: `user:${token}`,
    userId,
    name: 'Somebody',
    role,
    permissions: new Set(permissionsOf[role]),
    stationIds,
    sessionId: undefined,
  });
  return token;
}

/** The server on this runtime, which accepts the tokens of these tests. */
export function buildMatrixApp(runtime: Runtime): HttpApp {
  const rateLimits = { perSecond: 1_000_000, intakePerSecond: 1_000_000 };
  return buildApp(runtime, authenticate, { basePath: '', reference: false, rateLimits });
}

/** The routes of the whole server, without a database. */
export async function readRouteTable(): Promise<readonly RouteEntry[]> {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 1 });
  const app = buildMatrixApp({ database, log: pino({ level: 'silent' }), box: testBox });
  await app.ready();
  const table = routeTable(app);
  await app.close();
  await database.close();
  return table;
}

export const admin = (tenantId: number): Caller => ({ role: 'admin', tenantId });

/** `test` with two plants shared by all tests of a file: each test creates the rows that it changes. */
export const test = base
  .extend('clone', { scope: 'file' }, () => cloneDatabase())
  .extend(
    'plants',
    { scope: 'file' },
    async ({ clone: { url, drop } }, { onCleanup }): Promise<TwoPlants> => {
      const database = openDatabase({ url, connections: 8 });
      const runtime = { database, log: pino({ level: 'silent' }), box: testBox };
      const app = buildMatrixApp(runtime);
      onCleanup(async () => {
        await app.close();
        await database.close();
        await drop();
      });
      const send: TwoPlants['send'] = (caller, { method, url: path, body }) =>
        app.inject({
          method,
          url: path,
          headers: caller === undefined ? {} : { authorization: `Bearer ${tokenOf(caller)}` },
          ...(body && { payload: body }),
        });

      await createTenant(runtime, { name: 'Valmont Water', station: 'Valmont', dataServer: 'Valmont PLC' });
      await createTenant(runtime, { name: 'Brenner Gas', station: 'Brenner', dataServer: 'Brenner PLC' });
      // An identifier in an answer must not be confused with another number.
      await leapIdentifiers(runtime, 1, 500_000);
      await leapIdentifiers(runtime, 2, 1_000_000);
      const valmont = await makePlace(send, { word: 'Valmont', tenantId: 1, stationId: 1 });
      const ardenne = await makePlace(send, { word: 'Ardenne', tenantId: 1 });
      const brenner = await makePlace(send, { word: 'Brenner', tenantId: 2 });
      return { app, runtime, valmont, ardenne, brenner, send };
    },
  );

/** Makes the tenant's next identifiers larger than this, so that no other tenant has them. */
async function leapIdentifiers({ database }: Runtime, tenantId: number, last: number): Promise<void> {
  const kinds = [
    'station',
    'data-server',
    'tag-group',
    'scenario',
    'media-file',
    'user',
    'api-key',
    'channel',
    'site-plan',
    'shift-note',
    'leave',
    'calendar',
    'approval',
    'issuer',
  ];
  const callKinds = ['call-group', 'call-group-grouping', 'call', 'call-attempt'];
  await inTenant(database, tenantId, async ({ client }) => {
    await client.query('update tenant_counters set tag_id = $1, occurrence_id = $1', [last]);
    await client.query(
      `insert into id_counters (tenant_id, kind, last) select $1, kind, $3 from unnest($2::text[]) as kind
       on conflict (tenant_id, kind) do update set last = $3`,
      [tenantId, [...kinds, ...callKinds], last],
    );
  });
}

async function makePlace(
  send: TwoPlants['send'],
  { word, tenantId, stationId: given }: { word: string; tenantId: number; stationId?: number },
): Promise<Place> {
  const createAs = async <Created>(path: string, body: object) => {
    const answer = await send(admin(tenantId), { method: 'POST', url: `/api/v1/${path}`, body });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`);
    return answer.json<Created>();
  };
  const create = createAs<number>;
  const stationId = given ?? (await create('stations', { name: word }));
  const dataServerId = await create('dataservers', { name: `${word} PLC`, stationId });
  const media = [{ kind: 'Email', address: `guard@${word}.example` }];
  const user = { username: `${word}.guard`, name: `${word} guard`, stationIds: [stationId], media };
  const userId = await create('users', user);
  const callGroupId = await create('callgroups', { name: `${word} guards`, stationId, userIds: [userId] });
  const alarmActions = [{ type: 'ExecuteCommand', scriptId: 1, parameter: `${word} siren` }];
  const pump = { path: `${word}/pump`, alarmMessage: `${word} pump fails`, alarmActions };
  const alarm = { ...pump, stationId, dataServerId };
  const alarmId = await create('alarms', alarm);
  const guard = { role: 'operator' as const, tenantId, userId };
  const body = { comment: `${word} pump seen` };
  await send(guard, { method: 'POST', url: `/api/v1/alarms/${alarmId}/acknowledge`, body });
  const tagGroupId = await create('taggroups', { name: `${word} taggroups`, stationId });
  const scenarioId = await create('scenarios', { name: `${word} scenarios`, stationId });
  const groupingId = await create('callgroupgroupings', { name: `${word} groupings` });
  const { id: apiKeyId } = await createAs<{ id: number }>('apikeys', { name: `${word} key` });
  const settings = { host: '127.0.0.1', port: 1, from: `alarm@${word}.example` };
  await create('channels', { name: `${word} mail`, kind: 'email', settings });
  const login = { issuer: `https://login.${word}.example`, clientId: 'tocsin', enabled: false };
  await create('issuers', { name: `${word} login`, ...login, groupRoles: [], createUsers: false });
  const content = Buffer.from(word).toString('base64');
  const mediaName = `${word}.txt`;
  await create('mediafiles', { name: mediaName, contentType: 'text/plain', content });
  const imageName = `${word}.png`;
  await create('mediafiles', { name: imageName, contentType: 'image/png', content: tinyImage });
  const shift = { from: '2026-03-01T06:00:00', to: '2026-03-01T14:00:00' };
  await create('shifts/notes', { ...shift, stationId, text: `${word} is quiet` });
  await create('leaves', { userId, from: '2026-03-07T00:00:00', to: '2026-03-09T00:00:00' });
  await create('call/groups', { callGroupIds: [callGroupId], msgText: `${word} wants you` });
  const rows = { dataServerId, userId, callGroupId, alarmId, tagGroupId, scenarioId, groupingId, apiKeyId };
  return { word, tenantId, stationId, ...rows, mediaName, imageName };
}
