import type { CallGroup, CallGroupGrouping } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bareDateTime,
  basePaths,
  create,
  idsOf,
  jsonTypeOf,
  openPlant,
  type Page,
  type Plant,
  read,
} from '../../harness/plant.ts';

/** The two collections with the same methods. */
const collections = [
  { section: '§4.9', kind: 'callgroups' },
  { section: '§4.11', kind: 'callgroupgroupings' },
];

describe.each(basePaths)('call groups and their groupings at "%s"', (basePath) => {
  let plant: Plant;
  let userIds: number[];
  let stations: { paris: number; oslo: number };
  let number = 0;
  const newName = () => {
    number += 1;
    return `Group ${number}`;
  };

  beforeAll(async () => {
    plant = await openPlant(basePath);
    const { client } = plant;
    userIds = [
      await create(client, 'users', { username: 'ada' }),
      await create(client, 'users', { username: 'ben' }),
    ];
    stations = {
      paris: await create(client, 'stations', { name: 'Paris', timeZone: 'Europe/Paris' }),
      oslo: await create(client, 'stations', { name: 'Oslo', timeZone: 'Europe/Oslo' }),
    };
  });
  afterAll(() => plant.close());

  const group = (id: number) => read<CallGroup>(plant.client, `callgroups/${id}`);
  const grouping = (id: number) => read<CallGroupGrouping>(plant.client, `callgroupgroupings/${id}`);

  describe.each(collections)('$kind', ({ section, kind }) => {
    const path = `/api/v1/${kind}`;
    const put = (id: number, body: object, headers: Record<string, string> = {}) =>
      plant.client.send('PUT', `${path}/${id}`, { body, headers });
    const remove = (id: number, headers: Record<string, string> = {}) =>
      plant.client.send('DELETE', `${path}/${id}`, { headers });
    const tagOf = async (id: number) => (await plant.client.get(`${path}/${id}`)).headers.etag ?? '';

    test(`${section} POST needs a name only, and answers the bare integer id`, async () => {
      const answer = await plant.client.post(path, { name: newName() });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
      expect(answer.text).toMatch(/^[1-9]\d*$/);
    });

    test(`${section} POST without a name is 400 naming it`, async () => {
      for (const body of [{}, { name: '' }, { name: 7 }, { name: null }]) {
        const answer = await plant.client.post(path, body);
        expect(answer.status).toBe(400);
        expect(answer.json()).toMatchObject({ errors: [{ pointer: '/name' }] });
      }
    });

    test(`${section} POST ignores unknown members`, async () => {
      const id = await create(plant.client, kind, { name: newName(), colour: 'red' });
      expect(await read<object>(plant.client, `${kind}/${id}`)).not.toHaveProperty('colour');
    });

    test(`${section} GET answers a PagingCollection with offset, limit and total`, async () => {
      await create(plant.client, kind, { name: newName() });
      const { items, paging } = await read<Page<object>>(plant.client, `${kind}?limit=1`);
      expect(items).toHaveLength(1);
      expect(paging).toMatchObject({ offset: 0, limit: 1 });
      expect(paging.total).toBe((await idsOf(plant.client, `${kind}?limit=1000`)).length);
    });

    test(`${section} search keeps the names with all words and drops the others`, async () => {
      const id = await create(plant.client, kind, { name: 'Équipe de Nuit' });
      expect(await idsOf(plant.client, `${kind}?search=equipe+nuit`)).toEqual([id]);
      expect(await idsOf(plant.client, `${kind}?search=equipe+jour`)).toEqual([]);
    });

    test(`${section} localizedName is the name by default, and can be set`, async () => {
      const name = newName();
      const id = await create(plant.client, kind, { name });
      expect(await read<object>(plant.client, `${kind}/${id}`)).toMatchObject({ name, localizedName: name });
      await put(id, { name, localizedName: 'Nachtschicht' });
      expect(await read<object>(plant.client, `${kind}/${id}`)).toMatchObject({
        localizedName: 'Nachtschicht',
      });
    });

    test(`${section} lastChange is a UTC date-time without offset`, async () => {
      const id = await create(plant.client, kind, { name: newName() });
      const { lastChange } = await read<{ lastChange: string }>(plant.client, `${kind}/${id}`);
      expect(lastChange).toMatch(bareDateTime);
      expect(Math.abs(Date.parse(`${lastChange}Z`) - Date.now())).toBeLessThan(30_000);
    });

    test(`${section} GET by id carries an ETag`, async () => {
      expect(await tagOf(await create(plant.client, kind, { name: newName() }))).toMatch(/^"[^"]+"$/);
    });

    test(`${section} GET by id of nothing is 404`, async () => {
      const answer = await plant.client.get(`${path}/4000`);
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'not-found' });
    });

    test(`${section} PUT replaces it and answers it with a new ETag`, async () => {
      const id = await create(plant.client, kind, { name: newName() });
      const tag = await tagOf(id);
      const name = newName();
      const answer = await put(id, { name });
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ id, name });
      expect(answer.headers.etag).not.toBe(tag);
      expect(answer.headers.etag).toBe(await tagOf(id));
    });

    test(`${section} PUT with the current ETag in If-Match replaces it`, async () => {
      const id = await create(plant.client, kind, { name: newName() });
      expect((await put(id, { name: newName() }, { 'if-match': await tagOf(id) })).status).toBe(200);
    });

    test(`${section} PUT with a stale ETag in If-Match is 412 and changes nothing`, async () => {
      const name = newName();
      const id = await create(plant.client, kind, { name: newName() });
      const stale = await tagOf(id);
      await put(id, { name });
      const answer = await put(id, { name: newName() }, { 'if-match': stale });
      expect(answer.status).toBe(412);
      expect(answer.json()).toMatchObject({ code: 'stale-version' });
      expect(await read<object>(plant.client, `${kind}/${id}`)).toMatchObject({ name });
    });

    test(`${section} PUT of nothing is 404, and makes nothing`, async () => {
      expect((await put(4_000, { name: newName() })).status).toBe(404);
      expect((await plant.client.get(`${path}/4000`)).status).toBe(404);
    });

    test(`${section} PUT without a name is 400`, async () => {
      const id = await create(plant.client, kind, { name: newName() });
      expect((await put(id, {})).status).toBe(400);
    });

    test(`${section} DELETE answers 204 without a body, and it is gone`, async () => {
      const id = await create(plant.client, kind, { name: newName() });
      const answer = await remove(id);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await plant.client.get(`${path}/${id}`)).status).toBe(404);
      expect(await idsOf(plant.client, `${kind}?limit=1000`)).not.toContain(id);
    });

    test(`${section} DELETE with a stale ETag in If-Match is 412 and deletes nothing`, async () => {
      const id = await create(plant.client, kind, { name: newName() });
      const stale = await tagOf(id);
      await put(id, { name: newName() });
      expect((await remove(id, { 'if-match': stale })).status).toBe(412);
      expect((await remove(id, { 'if-match': await tagOf(id) })).status).toBe(204);
    });

    test(`${section} DELETE of nothing is 404`, async () => {
      expect((await remove(4_000)).status).toBe(404);
    });
  });

  test.each([
    ['id', 'integer'],
    ['name', 'string'],
    ['localizedName', 'string'],
    ['lastChange', 'string'],
    ['stationId', 'integer'],
    ['mode', 'string'],
    ['userIds', 'array'],
    ['teams', 'array'],
    ['roster', 'object'],
    ['ackTimeout', 'integer'],
    ['attempts', 'integer'],
    ['cycles', 'integer'],
    ['reliefGroupId', 'integer'],
    ['groupingId', 'integer'],
  ] as const)('§2.8 CallGroup.%s has the JSON type %s', async (name, type) => {
    const id = await create(plant.client, 'callgroups', { name: newName() });
    expect(jsonTypeOf((await group(id))[name])).toBe(type);
    expect(Object.keys(await group(id))).toHaveLength(14);
  });

  test('§2.8 a call group with only a name is for all stations, sequential and empty', async () => {
    const id = await create(plant.client, 'callgroups', { name: newName() });
    expect(await group(id)).toMatchObject({
      stationId: 0,
      mode: 'Sequential',
      userIds: [],
      teams: [],
      roster: { slots: [], overrides: [] },
      reliefGroupId: 0,
      groupingId: 0,
    });
  });

  test('§2.8 all members of a call group are kept', async () => {
    const body = {
      name: newName(),
      localizedName: 'Nachtschicht',
      stationId: stations.paris,
      mode: 'Broadcast',
      userIds: userIds.toReversed(),
      teams: [{ id: 1, name: 'Crew', userIds }],
      roster: {
        slotMinutes: 30,
        slots: [{ teamId: 1, day: 7, start: '22:30', end: '24:00' }],
        overrides: [
          {
            teamId: 1,
            from: '2026-12-24T18:00:00+01:00',
            to: '2026-12-26T06:00:00+01:00',
            reason: 'Holiday',
          },
        ],
      },
      ackTimeout: 90,
      attempts: 2,
      cycles: 5,
      reliefGroupId: await create(plant.client, 'callgroups', { name: newName() }),
      groupingId: await create(plant.client, 'callgroupgroupings', { name: newName() }),
    };
    const id = await create(plant.client, 'callgroups', body);
    expect(await group(id)).toEqual({ id, lastChange: expect.stringMatching(bareDateTime), ...body });
  });

  test.each(['Sequential', 'Broadcast', 'Turnover'])('§2.8 the mode %s is accepted', async (mode) => {
    expect((await group(await create(plant.client, 'callgroups', { name: newName(), mode }))).mode).toBe(
      mode,
    );
  });

  test('§2.8 userIds stay in calling order', async () => {
    const id = await create(plant.client, 'callgroups', { name: newName(), userIds: userIds.toReversed() });
    expect((await group(id)).userIds).toEqual(userIds.toReversed());
  });

  test.each([
    ['/mode', { mode: 'Random' }],
    ['/stationId', { stationId: 4_000 }],
    ['/userIds/0', { userIds: [4_000] }],
    ['/reliefGroupId', { reliefGroupId: 4_000 }],
    ['/groupingId', { groupingId: 4_000 }],
    ['/ackTimeout', { ackTimeout: '60' }],
    ['/attempts', { attempts: 0 }],
    [
      '/roster/slots/0/teamId',
      { roster: { slotMinutes: 60, slots: [{ teamId: 9, day: 1, start: '08:00', end: '09:00' }] } },
    ],
  ])('§4.10 a call group with a wrong %s is 400 and named', async (pointer, wrong) => {
    const answer = await plant.client.post('/api/v1/callgroups', { name: newName(), ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
  });

  test('§4.9 stationId keeps the call groups of that station and drops those of another', async () => {
    const inParis = await create(plant.client, 'callgroups', { name: newName(), stationId: stations.paris });
    const inOslo = await create(plant.client, 'callgroups', { name: newName(), stationId: stations.oslo });
    const ids = await idsOf(plant.client, `callgroups?limit=1000&stationId=${stations.oslo}`);
    expect(ids).toContain(inOslo);
    expect(ids).not.toContain(inParis);
  });

  test('§4.9 groupingId keeps the call groups of that grouping and drops the others', async () => {
    const groupingId = await create(plant.client, 'callgroupgroupings', { name: newName() });
    const id = await create(plant.client, 'callgroups', { name: newName(), groupingId });
    await create(plant.client, 'callgroups', { name: newName() });
    expect(await idsOf(plant.client, `callgroups?groupingId=${groupingId}`)).toEqual([id]);
  });

  test('§4.10 a call group that an alarm calls cannot be deleted: 409', async () => {
    const id = await create(plant.client, 'callgroups', { name: newName() });
    await create(plant.client, 'alarms', { path: 'Caller', alarmActions: [{ type: 'CallGroup', id }] });
    const answer = await plant.client.send('DELETE', `/api/v1/callgroups/${id}`);
    expect(answer.status).toBe(409);
    expect((await group(id)).id).toBe(id);
  });

  test.each([
    ['id', 'integer'],
    ['name', 'string'],
    ['localizedName', 'string'],
    ['lastChange', 'string'],
    ['parentId', 'integer'],
    ['callGroupIds', 'array'],
  ] as const)('§2.8 CallGroupGrouping.%s has the JSON type %s', async (name, type) => {
    const id = await create(plant.client, 'callgroupgroupings', { name: newName() });
    expect(jsonTypeOf((await grouping(id))[name])).toBe(type);
    expect(Object.keys(await grouping(id))).toHaveLength(6);
  });

  test('§2.8 a grouping with only a name is at the top and empty', async () => {
    const id = await create(plant.client, 'callgroupgroupings', { name: newName() });
    expect(await grouping(id)).toMatchObject({ parentId: 0, callGroupIds: [] });
  });

  test('§4.12 a grouping keeps its parent and its call groups, and the groups know it', async () => {
    const parentId = await create(plant.client, 'callgroupgroupings', { name: newName() });
    const callGroupIds = [await create(plant.client, 'callgroups', { name: newName() })];
    const id = await create(plant.client, 'callgroupgroupings', { name: newName(), parentId, callGroupIds });
    expect(await grouping(id)).toMatchObject({ parentId, callGroupIds });
    expect((await group(callGroupIds[0] ?? 0)).groupingId).toBe(id);
  });

  test.each([
    ['/parentId', { parentId: 4_000 }],
    ['/callGroupIds/0', { callGroupIds: [4_000] }],
  ])('§4.12 a grouping with an unknown %s is 400 and named', async (pointer, wrong) => {
    const answer = await plant.client.post('/api/v1/callgroupgroupings', { name: newName(), ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'unknown-reference', errors: [{ pointer }] });
  });
});
