import type { AlarmDetail } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beacon, eventCondition, fullAlarm } from '../../harness/full-alarm.ts';
import { basePaths, create, openPlant, type Plant, raise, read } from '../../harness/plant.ts';

type Shown = Record<string, unknown>;

describe.each(basePaths)('the creation of an alarm at "%s"', (basePath) => {
  let plant: Plant;
  let ids: { stationId: number; dataServerId: number; tagGroupId: number };
  let actions: { alarmActions: object[]; resetActions: object[]; ackActions: object[] };
  let detail: Shown;
  /** Sent with nothing but its message. */
  let bare: Shown;

  const readBack = (id: number) => read<AlarmDetail & Shown>(plant.client, `alarms/${id}`);

  beforeAll(async () => {
    plant = await openPlant(basePath);
    const { client } = plant;
    ids = {
      stationId: await create(client, 'stations', { name: 'Paris', timeZone: 'Europe/Paris' }),
      dataServerId: await create(client, 'dataservers', { name: 'OPC' }),
      tagGroupId: await create(client, 'taggroups', { name: 'Lone workers' }),
    };
    const callGroupId = await create(client, 'callgroups', { name: 'Rescue' });
    const userId = await create(client, 'users', { username: 'rescuer' });
    actions = {
      alarmActions: [
        { id: callGroupId, type: 'CallGroup', scriptId: 5, parameter: 'first', flags: 1 },
        { id: 9, type: 'ExecuteCommand', scriptId: 6, parameter: 'siren on', flags: 2 },
      ],
      resetActions: [{ id: 9, type: 'StopCommand', scriptId: 7, parameter: 'siren off', flags: 3 }],
      ackActions: [
        { id: 3, type: 'PlaySound', scriptId: 8, parameter: 'thanks', flags: 4 },
        { id: userId, type: 'CallUser', scriptId: 0, parameter: '', flags: 4_294_967_295 },
      ],
    };
    detail = await readBack(await raise(client, { ...ids, ...fullAlarm, ...actions }));
    bare = await readBack(await raise(client, { alarmMessage: 'Help' }));
  });
  afterAll(() => plant.close());

  test('§4.2 the answer is 200 and the identifier as a bare integer in JSON', async () => {
    const answer = await plant.client.post('/api/v1/alarms', { path: 'Bare integer' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(answer.text).toMatch(/^[1-9]\d*$/);
  });

  test('§4.2 Content-Type may carry a charset', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await plant.client.post('/api/v1/alarms', { path: 'Größe' }, { headers });
    expect((await readBack(answer.json<number>())).path).toBe('Größe');
  });

  test('§4.2 a body of nothing but alarmMessage raises an alarm', () => {
    expect(bare).toMatchObject({ message: 'Help', state: 3 });
  });

  test('§4.2 an empty object raises an alarm: nothing is required', async () => {
    expect(await readBack(await raise(plant.client, {}))).toMatchObject({ state: 3, message: '' });
  });

  test('§4.2 identifiers are dense: the next alarm has the next number', async () => {
    const first = await raise(plant.client, { path: 'Dense 1' });
    await plant.client.post('/api/v1/alarms', { path: 'Dense 2', stationId: 999 });
    expect(await raise(plant.client, { path: 'Dense 3' })).toBe(first + 1);
  });

  test.each(['stationId', 'dataServerId', 'tagGroupId'] as const)('§2.6 %s is kept', (name) => {
    expect(detail[name]).toBe(ids[name]);
  });

  test.each([
    'path',
    'priority',
    'temporary',
    'value',
    'alarmDelay',
    'alarmFormat',
    'alarmShortMessage',
    'alarmVocalMessageFile',
    'resetMessage',
    'resetFormat',
    'resetShortMessage',
    'resetVocalMessageFile',
    'resetAttachedFile',
    'ackMessage',
    'ackFormat',
    'ackShortMessage',
    'ackVocalMessageFile',
    'ackAttachedFile',
  ] as const)('§2.6 %s is kept and read back', (name) => {
    expect(detail[name]).toBe(fullAlarm[name]);
  });

  test('§2.6 alarmMessage is read back as message', () => {
    expect(detail['message']).toBe('Man down');
  });

  test('§2.6 alarmAttachedFile is read back as attachedFile', () => {
    expect(detail['attachedFile']).toBe('map.pdf');
  });

  test('§2.6 raised true raises the alarm', async () => {
    expect((await readBack(await raise(plant.client, { path: 'Raised', raised: true }))).state).toBe(3);
  });

  test('§2.6 raised false on a new tag only stores its definition', async () => {
    const id = await raise(plant.client, { path: 'Stored', raised: false, alarmMessage: 'Later' });
    expect(await readBack(id)).toMatchObject({ state: 0, message: 'Later', occurrenceId: 0 });
  });

  test.each(Object.entries(eventCondition))('§2.6 eventCondition.%s is kept as %j', (name, value) => {
    expect((detail['eventCondition'] as Shown)[name]).toBe(value);
  });

  test.each(['latitude', 'longitude', 'horizontalAccuracy', 'altitude', 'verticalAccuracy'] as const)(
    '§2.6 location.%s is kept as a double',
    (name) => {
      expect((detail['location'] as Shown)[name]).toBe(fullAlarm.location[name]);
    },
  );

  test('§2.6 location.date is kept', () => {
    expect((detail['location'] as Shown)['date']).toBe('2026-04-29T09:07:42+02:00');
  });

  test('§2.6 location.zone is kept', () => {
    expect((detail['location'] as Shown)['zone']).toBe('Hall 4');
  });

  test('§2.6 location.beaconList is kept in its order', () => {
    const { beaconList } = detail['location'] as { beaconList: Shown[] };
    expect(beaconList.map(({ id }) => id)).toEqual(['beacon-17', 'beacon-18']);
  });

  test.each(Object.entries(beacon))('§2.6 beacon.%s is kept as %j', (name, value) => {
    const { beaconList } = detail['location'] as { beaconList: Shown[] };
    expect(beaconList[0]?.[name]).toBe(value);
  });

  test.each(['alarmActions', 'resetActions', 'ackActions'] as const)(
    '§2.6 %s is kept in its order with id, type, scriptId, parameter and flags',
    (name) => {
      expect(detail[name]).toEqual(actions[name]);
    },
  );

  test.each(['ExecuteCommand', 'StopCommand', 'PlaySound', 'CallGroup', 'CallUser'])(
    '§2.6 the action type %s is accepted',
    async (type) => {
      const id = await raise(plant.client, { path: `Action ${type}`, alarmActions: [{ id: 1, type }] });
      expect((await readBack(id)).alarmActions).toEqual([{ id: 1, type }]);
    },
  );

  test.each([{ type: 'SendPigeon' }, { type: 'CallGroup' }, { type: 'CallUser', id: 4_000_000_000 }])(
    '§2.6 an action that nobody can carry out is kept: no alarm is lost over %j',
    async (action) => {
      const alarmActions = [{ type: 'PlaySound' }, action];
      const id = await raise(plant.client, { path: `Vain ${action.type}`, alarmActions });
      expect((await readBack(id)).alarmActions).toEqual(alarmActions);
    },
  );

  test.each(['Undefined', 'Nfc'])('§2.6 the beacon type %s is accepted', async (type) => {
    const id = await raise(plant.client, { location: { beaconList: [{ id: 'b', type }] } });
    expect((await readBack(id)).location?.beaconList).toEqual([{ id: 'b', type }]);
  });

  test('§2.6 an unknown beacon type is kept as Undefined: no alarm is lost over it', async () => {
    const id = await raise(plant.client, { location: { beaconList: [{ id: 'b', type: 'Lighthouse' }] } });
    expect((await readBack(id)).location?.beaconList).toEqual([{ id: 'b', type: 'Undefined' }]);
  });

  test.each([
    ['stationId', 1],
    ['dataServerId', 1],
    ['tagGroupId', 0],
    ['priority', 1],
    ['alarmDelay', 0],
    ['value', ''],
    ['eventCondition', { value: '', transitory: false, reactivatable: false, resettable: true }],
    ['alarmFormat', ''],
    ['alarmShortMessage', ''],
    ['alarmVocalMessageFile', ''],
    ['attachedFile', ''],
    ['alarmActions', []],
    ['resetMessage', ''],
    ['resetFormat', ''],
    ['resetShortMessage', ''],
    ['resetVocalMessageFile', ''],
    ['resetAttachedFile', ''],
    ['resetActions', []],
    ['ackMessage', ''],
    ['ackFormat', ''],
    ['ackShortMessage', ''],
    ['ackVocalMessageFile', ''],
    ['ackAttachedFile', ''],
    ['ackActions', []],
  ])('§2.6 %s is %j by default', (name, value) => {
    expect(bare[name]).toEqual(value);
  });

  test('§2.6 raised is true by default', () => {
    expect(bare['state']).toBe(3);
  });

  test('§2.6 temporary is false by default', async () => {
    expect((await readBack(await raise(plant.client, { path: 'Lasting' }))).temporary).toBe(false);
  });

  test('§2.6 alarmMessage is empty by default', async () => {
    expect((await readBack(await raise(plant.client, { path: 'Silent' }))).message).toBe('');
  });

  test('§2.6 without location there is none', () => {
    expect(bare).not.toHaveProperty('location');
  });

  test('§2.6 without path a temporary tag api/<id> is made', () => {
    expect(bare).toMatchObject({ path: `api/${String(bare['id'])}`, temporary: true });
  });

  test('§2.6 two alarms without path are two alarms', async () => {
    const first = await raise(plant.client, { alarmMessage: 'Help' });
    expect(await raise(plant.client, { alarmMessage: 'Help' })).not.toBe(first);
  });

  test('§4.2 a known data server and path keep their id, and the tag is updated', async () => {
    const place = { dataServerId: ids.dataServerId, path: 'Known' };
    const id = await raise(plant.client, { ...place, alarmMessage: 'Old', priority: 4 });
    expect(await raise(plant.client, { ...place, alarmMessage: 'New' })).toBe(id);
    expect(await readBack(id)).toMatchObject({ message: 'New', priority: 4 });
  });

  test('§4.2 the same path at another data server is another alarm', async () => {
    const id = await raise(plant.client, { dataServerId: ids.dataServerId, path: 'Twin' });
    expect(await raise(plant.client, { path: 'Twin' })).not.toBe(id);
  });

  test.each(['stationId', 'dataServerId', 'tagGroupId'])(
    '§2.6 an unknown %s is 400 and named',
    async (name) => {
      const answer = await plant.client.post('/api/v1/alarms', { path: 'Lost', [name]: 4_000 });
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'unknown-reference', errors: [{ pointer: `/${name}` }] });
    },
  );

  test.each(['alarmActions', 'resetActions', 'ackActions'])(
    '§2.6 an unknown call group in %s is kept and noted in the timeline',
    async (name) => {
      const id = await raise(plant.client, {
        path: `Lost ${name}`,
        [name]: [{ type: 'CallGroup', id: 4_000 }],
      });
      const { items } = await read<{ items: object[] }>(plant.client, `alarms/${id}/timeline`);
      expect(items).toContainEqual(expect.objectContaining({ detail: 'CallGroup 4000 is not there' }));
    },
  );

  test('§2.6 a refused request leaves no alarm', async () => {
    await plant.client.post('/api/v1/alarms', { path: 'Never made', stationId: 4_000 });
    const { paging } = await read<{ paging: object }>(plant.client, 'alarms?search=never+made');
    expect(paging).toMatchObject({ total: 0 });
  });

  test('§2.6 unknown members are ignored at every depth', async () => {
    const id = await raise(plant.client, {
      path: 'Unknown members',
      colour: 'red',
      eventCondition: { value: '', mood: 1 },
      location: { latitude: 1, planet: 'Mars', beaconList: [{ id: 'b', smell: true }] },
      alarmActions: [{ type: 'PlaySound', volume: 11 }],
    });
    const shown = await readBack(id);
    expect(shown).not.toHaveProperty('colour');
    expect(shown.location).toEqual({ latitude: 1, beaconList: [{ id: 'b', type: 'Undefined' }] });
    expect(shown.alarmActions).toEqual([{ type: 'PlaySound' }]);
  });

  test('§2.6 a member that is null counts as absent', async () => {
    const body = { path: null, alarmMessage: 'Nulls', priority: null, location: null, alarmActions: null };
    expect(await readBack(await raise(plant.client, body))).toMatchObject({ message: 'Nulls', priority: 1 });
  });

  test('§2.6 an unknown file is kept and noted in the timeline', async () => {
    const id = await raise(plant.client, { path: 'Unknown file', alarmVocalMessageFile: 'ghost.wav' });
    expect((await readBack(id)).alarmVocalMessageFile).toBe('ghost.wav');
    const { items } = await read<{ items: { detail: string }[] }>(plant.client, `alarms/${id}/timeline`);
    expect(items[0]?.detail).toContain('ghost.wav');
  });

  test.each([
    ['/stationId', { stationId: '1' }],
    ['/dataServerId', { dataServerId: 1.5 }],
    ['/tagGroupId', { tagGroupId: -1 }],
    ['/path', { path: 7 }],
    ['/raised', { raised: 'true' }],
    ['/priority', { priority: 4_294_967_296 }],
    ['/temporary', { temporary: 1 }],
    ['/alarmDelay', { alarmDelay: '30' }],
    ['/value', { value: 87.5 }],
    ['/eventCondition', { eventCondition: 'always' }],
    ['/eventCondition/transitory', { eventCondition: { transitory: 'no' } }],
    ['/location/latitude', { location: { latitude: '48' } }],
    ['/location/beaconList', { location: { beaconList: {} } }],
    ['/alarmMessage', { alarmMessage: { text: 'x' } }],
    ['/alarmActions', { alarmActions: { type: 'PlaySound' } }],
    ['/ackActions/0/flags', { ackActions: [{ type: 'PlaySound', flags: -1 }] }],
  ])('§2.6 %s of another type than the table says is 400 and named', async (pointer, wrong) => {
    const answer = await plant.client.post('/api/v1/alarms', { path: 'Wrong type', ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer }] });
  });
});
