import pg from 'pg';
import { expect, test as plain } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';
import type { References, WantedReferences } from './alarm-references.store.ts';
import { createKnownReferences } from './known-references.ts';

type Change = {
  /** What somebody posts again and again. */
  post: object;
  /** Who changes what surrounds it, meanwhile. */
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
  '%s is there for alarms from the moment it is',
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

test('a longest time for masks that is set in the database holds from then on', async ({
  client,
  runtime,
}) => {
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

const wantedFiles = (...files: string[]): WantedReferences => ({
  stationIds: new Set(),
  dataServerIds: new Set(),
  tagGroupIds: new Set(),
  callGroupIds: new Set(),
  scenarioIds: new Set(),
  userIds: new Set(),
  files: new Set(files),
});
const read = (directoryVersion: number, ...files: string[]): References => ({
  firstStationId: 1,
  firstDataServerId: 1,
  maximumMaskSeconds: 60,
  timeZones: new Map(),
  dataServerNames: new Map(),
  dataServerStations: new Map(),
  tagGroups: new Map(),
  callGroups: new Map(),
  scenarios: new Map(),
  scenarioStations: new Map(),
  users: new Map(),
  files: new Set(files),
  directoryVersion,
});

plain('what was asked for at different times is known together, also that it is not there', () => {
  const known = createKnownReferences();
  known.keep(1, wantedFiles('a.wav', 'b.wav'), read(1, 'a.wav'));
  known.keep(1, wantedFiles('c.wav'), read(1, 'c.wav'));
  expect(known.recall(1, wantedFiles('b.wav', 'c.wav'))?.files).toEqual(new Set(['a.wav', 'c.wav']));
  expect(known.recall(1, wantedFiles('d.wav'))).toBeUndefined();
  expect(known.recall(2, wantedFiles())).toBeUndefined();
});

plain('nothing is left of what was known of an earlier version', () => {
  const known = createKnownReferences();
  known.keep(1, wantedFiles('a.wav'), read(1, 'a.wav'));
  known.keep(1, wantedFiles('b.wav'), read(2));
  expect(known.recall(1, wantedFiles('a.wav'))).toBeUndefined();
  expect(known.recall(1, wantedFiles('b.wav'))?.directoryVersion).toBe(2);
});

plain('names that clients make up do not fill the memory', () => {
  const known = createKnownReferences();
  for (let n = 0; n < 5_000; n++) known.keep(1, wantedFiles(`${n}.wav`), read(1));
  expect(known.recall(1, wantedFiles('0.wav'))).toBeUndefined();
  expect(known.recall(1, wantedFiles('4999.wav'))).toBeDefined();
});
