import type { Alarm } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  basePaths,
  create,
  idsOf,
  openPlant,
  type Page,
  type Plant,
  raise,
  read,
} from '../../harness/plant.ts';

const uints = [
  'stationId',
  'dataServerId',
  'tagGroupId',
  'scenarioId',
  'callGroupId',
  'alarmState',
  'inactiveMasked',
  'offset',
  'limit',
];
const notUints = ['-1', '1.5', 'abc', '0x10', '%201', '1%20', '4294967296', '%2B1', '1e3', '', '1,2'];

describe.each(basePaths)('the filters of the current alarms at "%s"', (basePath) => {
  let plant: Plant;
  let stations: { north: number; south: number };
  let dataServers: { opc: number; modbus: number };
  let tagGroups: { plant: number; hall: number; line: number; other: number; inherited: number };
  let callGroups: { day: number; night: number; idle: number };
  let scenarios: { rescue: number; inherited: number; idle: number };
  const alarms: Record<string, number> = {};

  /** Alarms by their name in the tests. */
  const alarm = async (name: string, body: object = {}) => {
    alarms[name] = await raise(plant.client, { path: name, ...body });
  };
  /** Names of the listed alarms. */
  const kept = async (query: string) => {
    const ids = await idsOf(plant.client, `alarms?limit=1000&${query}`);
    return Object.keys(alarms).filter((name) => ids.includes(alarms[name] ?? 0));
  };
  const act = (name: string, verb: string, body?: object) =>
    plant.client.post(`/api/v1/alarms/${alarms[name]}/${verb}`, body);

  beforeAll(async () => {
    plant = await openPlant(basePath);
    const { client } = plant;
    stations = {
      north: await create(client, 'stations', { name: 'North', timeZone: 'Europe/Oslo' }),
      south: await create(client, 'stations', { name: 'South' }),
    };
    dataServers = {
      opc: await create(client, 'dataservers', { name: 'OPC' }),
      modbus: await create(client, 'dataservers', { name: 'Modbus' }),
    };
    callGroups = {
      day: await create(client, 'callgroups', { name: 'Day' }),
      night: await create(client, 'callgroups', { name: 'Night' }),
      idle: await create(client, 'callgroups', { name: 'Idle' }),
    };
    const calls = (id: number) => ({ alarmActions: [{ type: 'CallGroup', id }] });
    scenarios = {
      rescue: await create(client, 'scenarios', { name: 'Rescue', ...calls(callGroups.night) }),
      inherited: await create(client, 'scenarios', { name: 'Inherited', ...calls(callGroups.night) }),
      idle: await create(client, 'scenarios', { name: 'Idle' }),
    };
    const top = await create(client, 'taggroups', { name: 'Plant' });
    const hall = await create(client, 'taggroups', { name: 'Hall', parentId: top });
    tagGroups = {
      plant: top,
      hall,
      line: await create(client, 'taggroups', { name: 'Line', parentId: hall }),
      other: await create(client, 'taggroups', { name: 'Other' }),
      inherited: await create(client, 'taggroups', { name: 'Inherited', scenarioId: scenarios.inherited }),
    };

    await alarm('north', { stationId: stations.north });
    await alarm('south', { stationId: stations.south });
    await alarm('opc', { dataServerId: dataServers.opc });
    await alarm('modbus', { dataServerId: dataServers.modbus });
    await alarm('in plant', { tagGroupId: tagGroups.plant });
    await alarm('in hall', { tagGroupId: tagGroups.hall });
    await alarm('in line', { tagGroupId: tagGroups.line });
    await alarm('elsewhere', { tagGroupId: tagGroups.other });
    await alarm('calls day', calls(callGroups.day));
    await alarm('calls on reset', { resetActions: [{ type: 'CallGroup', id: callGroups.day }] });
    await alarm('follows rescue', { alarmActions: [{ type: 'Scenario', id: scenarios.rescue }] });
    await alarm('follows its group', { tagGroupId: tagGroups.inherited });
    await alarm('has its own', { tagGroupId: tagGroups.inherited, ...calls(callGroups.day) });
    await alarm('acknowledged');
    await act('acknowledged', 'acknowledge');
    await alarm('returned');
    await act('returned', 'reset');
    await alarm('active masked');
    await act('active masked', 'mask', { reason: 'repair' });
    await alarm('quiet masked', { raised: false });
    await act('quiet masked', 'mask', { reason: 'repair' });
  });
  afterAll(() => plant.close());

  test('§4.1 stationId keeps the alarms of that station and drops the others', async () => {
    expect(await kept(`stationId=${stations.north}`)).toEqual(['north']);
    expect(await kept(`stationId=${stations.south}`)).toEqual(['south']);
  });

  test('§4.1 dataServerId keeps the alarms of that data server and drops the others', async () => {
    expect(await kept(`dataServerId=${dataServers.opc}`)).toEqual(['opc']);
    expect(await kept(`dataServerId=${dataServers.modbus}`)).toEqual(['modbus']);
  });

  test('§4.1 tagGroupId keeps the alarms of that tag group and drops the others', async () => {
    expect(await kept(`tagGroupId=${tagGroups.other}`)).toEqual(['elsewhere']);
  });

  test('§4.1 tagGroupId keeps the alarms of sub-groups at every depth', async () => {
    expect(await kept(`tagGroupId=${tagGroups.plant}`)).toEqual(['in plant', 'in hall', 'in line']);
    expect(await kept(`tagGroupId=${tagGroups.hall}`)).toEqual(['in hall', 'in line']);
    expect(await kept(`tagGroupId=${tagGroups.line}`)).toEqual(['in line']);
  });

  test('§4.1 scenarioId keeps the alarms whose actions name the scenario', async () => {
    expect(await kept(`scenarioId=${scenarios.rescue}`)).toEqual(['follows rescue']);
  });

  test('§4.1 scenarioId keeps the alarms without actions whose tag group has the scenario', async () => {
    expect(await kept(`scenarioId=${scenarios.inherited}`)).toEqual(['follows its group']);
  });

  test('§4.1 scenarioId of an unused scenario keeps nothing', async () => {
    expect(await kept(`scenarioId=${scenarios.idle}`)).toEqual([]);
  });

  test('§4.1 callGroupId keeps the alarms whose actions name the call group, on any occasion', async () => {
    expect(await kept(`callGroupId=${callGroups.day}`)).toEqual([
      'calls day',
      'calls on reset',
      'has its own',
    ]);
  });

  test('§4.1 callGroupId keeps the alarms that name the call group through their scenario', async () => {
    expect(await kept(`callGroupId=${callGroups.night}`)).toEqual(['follows rescue', 'follows its group']);
  });

  test('§4.1 callGroupId of a group that no alarm calls keeps nothing', async () => {
    expect(await kept(`callGroupId=${callGroups.idle}`)).toEqual([]);
  });

  test('§4.1 alarmState=1 keeps what is active and acknowledged', async () => {
    expect(await kept('alarmState=1')).toEqual(['acknowledged']);
  });

  test('§4.1 alarmState=2 keeps what returned unacknowledged', async () => {
    expect(await kept('alarmState=2')).toEqual(['returned']);
  });

  test('§4.1 alarmState=3 keeps what is active and unacknowledged, masked or not', async () => {
    const names = await kept('alarmState=3');
    expect(names).toContain('active masked');
    expect(names).toContain('north');
    expect(names).toHaveLength(Object.keys(alarms).length - 3);
  });

  test('§4.1 alarmState=0 keeps nothing but what inactiveMasked adds', async () => {
    expect(await kept('alarmState=0')).toEqual([]);
    expect(await kept('alarmState=0&inactiveMasked=1')).toEqual(['quiet masked']);
  });

  test('§4.1 without inactiveMasked a masked tag that is not in alarm is hidden', async () => {
    expect(await kept('')).not.toContain('quiet masked');
  });

  test('§4.1 inactiveMasked=0 hides a masked tag that is not in alarm', async () => {
    expect(await kept('inactiveMasked=0')).not.toContain('quiet masked');
  });

  test('§4.1 inactiveMasked=1 adds masked tags that are not in alarm, and drops nothing', async () => {
    expect(await kept('inactiveMasked=1')).toEqual(Object.keys(alarms));
  });

  test('§4.1 a masked alarm that is active is always listed', async () => {
    expect(await kept('')).toContain('active masked');
  });

  test('§4.1 filters narrow together', async () => {
    await alarm('both', { stationId: stations.south, dataServerId: dataServers.opc });
    expect(await kept(`stationId=${stations.south}&dataServerId=${dataServers.opc}`)).toEqual(['both']);
    expect(await kept(`stationId=${stations.north}&dataServerId=${dataServers.opc}`)).toEqual([]);
    await act('both', 'acknowledge');
    await act('both', 'reset');
    delete alarms['both'];
  });

  test.each(['stationId', 'dataServerId', 'tagGroupId', 'scenarioId', 'callGroupId'])(
    '§4.1 %s of something that does not exist keeps nothing and is no error',
    async (name) => {
      expect(await kept(`${name}=4294967295`)).toEqual([]);
    },
  );

  test.each(['stationId', 'dataServerId', 'tagGroupId', 'scenarioId', 'callGroupId'])(
    '§4.1 %s of 0 is one that is not given',
    async (name) => {
      expect(await kept(`${name}=0`)).toEqual(await kept(''));
    },
  );

  test('§4.1 paging.total counts what the filter keeps', async () => {
    const { paging } = await read<Page<Alarm>>(plant.client, `alarms?tagGroupId=${tagGroups.plant}&limit=1`);
    expect(paging).toEqual({ offset: 0, limit: 1, total: 3 });
  });

  test('§4.1 an unknown query name is ignored', async () => {
    expect(await kept('colour=red&alarmState=1&constructor=1&__proto__=1')).toEqual(['acknowledged']);
  });

  test('§4.1 query names match in any case, and an exact one wins', async () => {
    expect(await kept('STATIONID=999')).toEqual([]);
    expect(await kept(`StationId=999&stationId=${stations.south}`)).toEqual(
      await kept(`stationId=${stations.south}`),
    );
  });

  test.each(uints)('§4.1 %s takes decimal digits only: anything else is 400 naming it', async (name) => {
    for (const text of notUints) {
      const answer = await plant.client.get(`/api/v1/alarms?${name}=${text}`);
      expect(answer.status, `${name}=${text}`).toBe(400);
      expect(answer.json(), `${name}=${text}`).toMatchObject({
        code: 'invalid-request',
        errors: [{ pointer: name }],
      });
    }
  });

  test.each(uints)('§4.1 %s takes the largest uint, 4294967295', async (name) => {
    expect((await plant.client.get(`/api/v1/alarms?${name}=4294967295`)).status).toBe(200);
  });

  test.each(uints)('§4.1 %s given twice is 400 naming it', async (name) => {
    const answer = await plant.client.get(`/api/v1/alarms?${name}=1&${name}=2`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: name }] });
  });
});
