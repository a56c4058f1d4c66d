import type { Role } from '@tocsin/contract';
import { describe, expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { test } from '../testing/app.fixture.ts';

type Kind = {
  path: string;
  role: Role;
  /** How many of them a tenant begins with. */
  already: number;
  body: (name: string) => Record<string, unknown>;
  /** What is answered besides the name when nothing but the name was sent. */
  defaults: Record<string, unknown>;
};

const named = (name: string) => ({ name });
const lastChange = '2026-03-01T06:00:00';

const kinds: Kind[] = [
  { path: 'stations', role: 'engineer', already: 1, body: named, defaults: { timeZone: 'UTC' } },
  { path: 'dataservers', role: 'engineer', already: 1, body: named, defaults: { stationId: 0 } },
  {
    path: 'taggroups',
    role: 'engineer',
    already: 0,
    body: named,
    defaults: { parentId: 0, stationId: 0, autoAcknowledge: false, scenarioId: 0 },
  },
  {
    path: 'scenarios',
    role: 'engineer',
    already: 0,
    body: named,
    defaults: { stationId: 0, alarmActions: [], resetActions: [], ackActions: [] },
  },
  {
    path: 'callgroups',
    role: 'engineer',
    already: 0,
    body: named,
    defaults: {
      stationId: 0,
      mode: 'Sequential',
      userIds: [],
      teams: [],
      roster: { slotMinutes: 60, slots: [], overrides: [] },
      ackTimeout: 120,
      attempts: 3,
      cycles: 3,
      reliefGroupId: 0,
      groupingId: 0,
    },
  },
  {
    path: 'callgroupgroupings',
    role: 'engineer',
    already: 0,
    body: named,
    defaults: { parentId: 0, callGroupIds: [] },
  },
];

const mediaFiles: Kind = {
  path: 'mediafiles',
  role: 'engineer',
  already: 0,
  body: (name) => ({ name, contentType: 'text/plain', content: 'aGVscA==' }),
  defaults: {},
};
const users: Kind = {
  path: 'users',
  role: 'admin',
  already: 0,
  body: (name) => ({ username: name, name }),
  defaults: {},
};
const allKinds = [...kinds, mediaFiles, users];

const namesOf = (answer: { json(): { items: { name: string }[] } }) =>
  answer.json().items.map(({ name }) => name);

describe('every kind of configured thing', () => {
  test.for(kinds)(
    'POST /$path needs only a name, answers the bare id and fills in the rest',
    async ({ path, already, defaults }, { client }) => {
      const engineer = client('engineer');
      const created = await engineer.post(`/${path}`, { name: 'North', somethingOld: 1 });
      expect(created.statusCode).toBe(200);
      expect(created.body).toBe(String(already + 1));

      const read = await engineer.get(`/${path}/${created.body}`);
      expect(read.headers['etag']).toBe('"1"');
      expect(read.json()).toEqual({
        id: already + 1,
        name: 'North',
        localizedName: 'North',
        lastChange,
        ...defaults,
      });
    },
  );

  test.for(allKinds)('/$path is listed by pages, sorted and searched', async (kind, { client }) => {
    const { path, role, already, body } = kind;
    const someone = client(role);
    for (const name of ['Pump one', 'Pump two', 'Öl pump', 'Valve'])
      expect((await someone.post(`/${path}`, body(name))).statusCode).toBe(200);

    const all = await someone.get(`/${path}?offset=${already}`);
    expect(namesOf(all)).toEqual(['Pump one', 'Pump two', 'Öl pump', 'Valve']);
    expect(all.json().paging).toEqual({ offset: already, limit: 10, total: already + 4 });
    expect(namesOf(await someone.get(`/${path}?sort=-id&limit=2`))).toEqual(['Valve', 'Öl pump']);
    expect(namesOf(await someone.get(`/${path}?sort=-id&offset=3&limit=1`))).toEqual(['Pump one']);
    expect((await someone.get(`/${path}?limit=0`)).json()).toEqual({
      items: [],
      paging: { offset: 0, limit: 0, total: already + 4 },
    });
    expect(namesOf(await someone.get(`/${path}?search=PUM%20t`))).toEqual(['Pump two']);
    expect(namesOf(await someone.get(`/${path}?search=ol`))).toEqual(['Öl pump']);
    expect(namesOf(await someone.get(`/${path}?search=%25`))).toEqual([]);
    expect((await someone.get(`/${path}?limit=many`)).statusCode).toBe(400);
  });

  test.for(allKinds)(
    'one of /$path is replaced and deleted only by who saw its last version',
    async (kind, { client, clock }) => {
      const { path, role, body } = kind;
      const someone = client(role);
      const { body: id } = await someone.post(`/${path}`, body('Before'));
      clock.advance(60);

      const replaced = await someone.put(`/${path}/${id}`, body('After'), { 'if-match': '"1"' });
      expect(replaced.statusCode).toBe(200);
      expect(replaced.headers['etag']).toBe('"2"');
      expect(replaced.json()).toMatchObject({
        id: Number(id),
        name: 'After',
        lastChange: '2026-03-01T06:01:00',
      });
      expect((await someone.get(`/${path}/${id}`)).json()).toEqual(replaced.json());
      expect(namesOf(await someone.get(`/${path}?search=before`))).toEqual([]);

      const stale = await someone.put(`/${path}/${id}`, body('Third'), { 'if-match': '"1"' });
      expect(stale.statusCode).toBe(412);
      expect((await someone.delete(`/${path}/${id}`, { 'if-match': '"1"' })).statusCode).toBe(412);
      const deleted = await someone.delete(`/${path}/${id}`, { 'if-match': '"2"' });
      expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
      expect((await someone.get(`/${path}/${id}`)).statusCode).toBe(404);
      expect((await someone.put(`/${path}/${id}`, body('Late'))).statusCode).toBe(404);
      expect((await someone.delete(`/${path}/${id}`)).statusCode).toBe(404);
    },
  );

  test.for(allKinds)(
    'another tenant sees nothing of /$path and cannot touch it',
    async (kind, { client, runtime }) => {
      const { path, role, already, body } = kind;
      const tenantId = await createTenant(runtime, { name: 'Other plant' });
      const ours = client(role);
      const theirs = client(role, { tenantId });
      await ours.post(`/${path}`, body('Filler'));
      const { body: id } = await ours.post(`/${path}`, body('Ours'));

      expect((await theirs.get(`/${path}`)).json().paging.total).toBe(already);
      expect((await theirs.get(`/${path}/${id}`)).statusCode).toBe(404);
      expect((await theirs.put(`/${path}/${id}`, body('Theirs'))).statusCode).toBe(404);
      expect((await theirs.delete(`/${path}/${id}`)).statusCode).toBe(404);
      expect((await theirs.post(`/${path}`, body('Own'))).body).toBe(String(already + 1));
      expect((await ours.get(`/${path}/${id}`)).json()).toMatchObject({ name: 'Ours' });
    },
  );

  test.for(allKinds)('/$path is not written by a viewer', async (kind, { client }) => {
    const { path, role, body } = kind;
    const { body: id } = await client(role).post(`/${path}`, body('Kept'));
    const onlooker = client('auditor');
    expect((await onlooker.get(`/${path}/${id}`)).statusCode).toBe(200);
    expect((await onlooker.post(`/${path}`, body('New'))).statusCode).toBe(403);
    expect((await onlooker.put(`/${path}/${id}`, body('New'))).statusCode).toBe(403);
    expect((await onlooker.delete(`/${path}/${id}`)).statusCode).toBe(403);
    expect((await client('machine').get(`/${path}`)).statusCode).toBe(403);
  });

  test.for(allKinds)('a POST to /$path that is sent twice creates one object', async (kind, { client }) => {
    const { path, role, already, body } = kind;
    const someone = client(role);
    const key = { 'idempotency-key': 'retry-1' };
    const first = await someone.post(`/${path}`, body('Once'), key);
    const second = await someone.post(`/${path}`, body('Once'), key);
    expect([first.body, second.body]).toEqual([String(already + 1), String(already + 1)]);
    expect((await someone.get(`/${path}`)).json().paging.total).toBe(already + 1);
  });
});

describe('one who is bound to a station', () => {
  test.for(['dataservers', 'taggroups', 'scenarios', 'callgroups'])(
    'sees of /%s what is of that station or of all, and changes only what is of that station',
    async (path, { client }) => {
      const engineer = client('engineer');
      await engineer.post('/stations', { name: 'South' });
      const make = async (name: string, stationId: number) =>
        (await engineer.post(`/${path}`, { name, stationId })).body;
      const ofFirst = await make('Of first', 1);
      const ofSecond = await make('Of second', 2);
      const ofAll = await make('Of all', 0);

      const bound = client('engineer', { stationIds: [2] });
      expect(namesOf(await bound.get(`/${path}`))).toEqual(['Of second', 'Of all']);
      expect((await bound.get(`/${path}`)).json().paging.total).toBe(2);
      expect((await bound.get(`/${path}/${ofFirst}`)).statusCode).toBe(404);
      expect((await bound.get(`/${path}/${ofAll}`)).statusCode).toBe(200);

      const body = { name: 'Renamed', stationId: 2 };
      expect((await bound.put(`/${path}/${ofSecond}`, body)).statusCode).toBe(200);
      expect((await bound.put(`/${path}/${ofSecond}`, { ...body, stationId: 1 })).statusCode).toBe(403);
      expect((await bound.put(`/${path}/${ofSecond}`, { ...body, stationId: 0 })).statusCode).toBe(403);
      expect((await bound.put(`/${path}/${ofAll}`, body)).statusCode).toBe(403);
      expect((await bound.put(`/${path}/${ofFirst}`, body)).statusCode).toBe(404);
      expect((await bound.post(`/${path}`, body)).statusCode).toBe(200);
      expect((await bound.post(`/${path}`, { name: 'New', stationId: 1 })).statusCode).toBe(403);
      expect((await bound.post(`/${path}`, { name: 'New' })).statusCode).toBe(403);
      expect((await bound.delete(`/${path}/${ofAll}`)).statusCode).toBe(403);
      expect((await bound.delete(`/${path}/${ofFirst}`)).statusCode).toBe(404);
      expect((await bound.delete(`/${path}/${ofSecond}`)).statusCode).toBe(204);
    },
  );

  test.for(['dataservers', 'taggroups', 'scenarios', 'callgroups'])(
    'asks /%s for one station, or with 0 for all there is',
    async (path, { client }) => {
      const engineer = client('engineer');
      await engineer.post('/stations', { name: 'South' });
      await engineer.post(`/${path}`, { name: 'Of second', stationId: 2 });
      await engineer.post(`/${path}`, { name: 'Of all' });
      expect(namesOf(await engineer.get(`/${path}?stationId=2`))).toEqual(['Of second']);
      expect(namesOf(await engineer.get(`/${path}?stationId=0`))).toEqual(
        namesOf(await engineer.get(`/${path}`)),
      );
      const bound = client('engineer', { stationIds: [1] });
      expect(namesOf(await bound.get(`/${path}?stationId=2`))).toEqual([]);
    },
  );

  test.for(['dataservers', 'taggroups', 'scenarios', 'callgroups'])(
    'is not joined by all others when a change of /%s leaves the station out',
    async (path, { client }) => {
      const engineer = client('engineer');
      const { body: id } = await engineer.post(`/${path}`, { name: 'Of first', stationId: 1 });
      const renamed = await engineer.put(`/${path}/${id}`, { name: 'Renamed' });
      expect(renamed.json()).toMatchObject({ name: 'Renamed', stationId: 1 });
      const opened = await engineer.put(`/${path}/${id}`, { name: 'Of all', stationId: 0 });
      expect(opened.json()).toMatchObject({ stationId: 0 });
    },
  );

  test.for([
    { kind: users, path: users.path },
    { kind: mediaFiles, path: mediaFiles.path },
    { kind: kinds[5], path: 'callgroupgroupings' },
  ])(
    'reads /$path but changes nothing in it, for it belongs to the whole tenant',
    async (row, { client }) => {
      const { kind, path } = row;
      if (!kind) throw new Error('no such kind');
      const { body: id } = await client(kind.role).post(`/${path}`, kind.body('Common'));
      const bound = client(kind.role, { stationIds: [1] });
      expect(namesOf(await bound.get(`/${path}`))).toEqual(['Common']);
      expect((await bound.post(`/${path}`, kind.body('New'))).statusCode).toBe(403);
      expect((await bound.put(`/${path}/${id}`, kind.body('New'))).statusCode).toBe(403);
      expect((await bound.delete(`/${path}/${id}`)).statusCode).toBe(403);
    },
  );
});
