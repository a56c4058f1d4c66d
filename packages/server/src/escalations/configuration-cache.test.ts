import pg from 'pg';
import { expect, test as plain } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';
import { createConfigurationCache } from './configuration-cache.ts';
import type { ReferencedIds, References } from './references.ts';

type Change = {
  /** The body that a source posts again and again. */
  post: object;
  /** The change of the configuration that an administrator makes meanwhile. */
  change: (admin: Client) => Promise<{ statusCode: number }>;
};

const added: Record<string, Change> = {
  'a station': {
    post: { stationId: 2 },
    change: (admin) => admin.post('/stations', { name: 'Dam', timeZone: 'Europe/Paris' }),
  },
  'a data server': {
    post: { dataServerId: 2 },
    change: (admin) => admin.post('/dataservers', { name: 'S7' }),
  },
  'a tag group': { post: { tagGroupId: 1 }, change: (admin) => admin.post('/taggroups', { name: 'Water' }) },
  'a call group': {
    post: { alarmActions: [{ type: 'CallGroup', id: 1 }] },
    change: (admin) => admin.post('/callgroups', { name: 'Days' }),
  },
  'a scenario': {
    post: { alarmActions: [{ type: 'Scenario', id: 1 }] },
    change: (admin) => admin.post('/scenarios', { name: 'Storm' }),
  },
  'a user': {
    post: { alarmActions: [{ type: 'CallUser', id: 1 }] },
    change: (admin) => admin.post('/users', { username: 'anna' }),
  },
};

test.for(Object.entries(added))(
  '%s that is added is used by the very next alarm',
  async ([, { post, change }], { client }) => {
    const [admin, machine] = [client('admin'), client('machine')];
    const isThere = async () => {
      if ((await machine.post('/alarms', { path: 'Pump', ...post })).statusCode === 400) return false;
      const { items } = (await admin.get('/alarms/1/timeline?sort=-id&limit=1')).json();
      return items[0].detail === '';
    };
    expect([await isThere(), await isThere()]).toEqual([false, false]);
    expect((await change(admin)).statusCode).toBe(200);
    expect([await isThere(), await isThere()]).toEqual([true, true]);
  },
);

test('a new name of a data server is in the very next alarm', async ({ client }) => {
  const [admin, machine] = [client('admin'), client('machine')];
  const fullPath = async () => {
    await machine.post('/alarms', { path: 'Pump' });
    return (await admin.get('/alarms/1')).json().fullPath;
  };
  expect([await fullPath(), await fullPath()]).toEqual(['PLC\\Pump', 'PLC\\Pump']);
  expect((await admin.put('/dataservers/1', { name: 'S7' })).statusCode).toBe(200);
  expect(await fullPath()).toBe('S7\\Pump');
});

test('a maximum mask time that is set in the database applies from then on', async ({ client, runtime }) => {
  const [machine, operator] = [client('machine'), client('operator')];
  await machine.post('/alarms', { path: 'Pump' });
  const maskedUntil = async () => {
    await operator.post('/alarms/1/mask', { reason: 'work', seconds: 7_200 });
    return (await operator.get('/alarms/1')).json().maskedUntil;
  };
  expect(await maskedUntil()).toBe('2026-03-01T09:00:00+01:00');
  const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
  await owner.connect();
  await owner.query('update tenants set maximum_mask_seconds = 3600');
  await owner.end();
  expect(await maskedUntil()).toBe('2026-03-01T08:00:00+01:00');
});

const idsOf = (...files: string[]): ReferencedIds => ({
  stationIds: new Set(),
  dataServerIds: new Set(),
  tagGroupIds: new Set(),
  callGroupIds: new Set(),
  scenarioIds: new Set(),
  userIds: new Set(),
  files: new Set(files),
});
const read = (configurationVersion: number, ...files: string[]): References => ({
  firstStationId: 1,
  firstDataServerId: 1,
  maximumMaskSeconds: 60,
  timeZones: new Map(),
  stationNames: new Map(),
  dataServerNames: new Map(),
  dataServerStations: new Map(),
  tagGroups: new Map(),
  callGroups: new Map(),
  scenarios: new Map(),
  scenarioStations: new Map(),
  users: new Map(),
  files: new Set(files),
  configurationVersion,
});

plain('references that were read at different times are found together, missing ones included', () => {
  const cache = createConfigurationCache();
  cache.keepReferences(1, idsOf('a.wav', 'b.wav'), read(1, 'a.wav'));
  cache.keepReferences(1, idsOf('c.wav'), read(1, 'c.wav'));
  expect(cache.findReferences(1, idsOf('b.wav', 'c.wav'))?.files).toEqual(new Set(['a.wav', 'c.wav']));
  expect(cache.findReferences(1, idsOf('d.wav'))).toBeUndefined();
  expect(cache.findReferences(2, idsOf())).toBeUndefined();
});

plain('a new version replaces the references of an earlier one', () => {
  const cache = createConfigurationCache();
  cache.keepReferences(1, idsOf('a.wav'), read(1, 'a.wav'));
  cache.keepReferences(1, idsOf('b.wav'), read(2));
  expect(cache.findReferences(1, idsOf('a.wav'))).toBeUndefined();
  expect(cache.findReferences(1, idsOf('b.wav'))?.configurationVersion).toBe(2);
});

plain('file names that clients invent do not fill the memory', () => {
  const cache = createConfigurationCache();
  for (let n = 0; n < 5_000; n++) cache.keepReferences(1, idsOf(`${n}.wav`), read(1));
  expect(cache.findReferences(1, idsOf('0.wav'))).toBeUndefined();
  expect(cache.findReferences(1, idsOf('4999.wav'))).toBeDefined();
});
