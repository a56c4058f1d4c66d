import { expect } from 'vitest';
import { version } from '../common/version.ts';
import { test } from '../testing/app.fixture.ts';

test('a client reads its user and the enumerations and limits of the interface', async ({ client }) => {
  const meta = (await client('viewer', { userId: 7, name: 'Anna Ek' }).get('/meta')).json();
  expect(meta).toMatchObject({
    version,
    time: '2026-03-01T07:00:00+01:00',
    tenant: { id: 1, name: 'Valmont Water' },
    user: { id: 7, name: 'Anna Ek', role: 'viewer', stationIds: [] },
    priorities: [
      { code: 1, label: 'Critical', order: 1 },
      { code: 2, label: 'High', order: 2 },
      { code: 3, label: 'Medium', order: 3 },
      { code: 4, label: 'Low', order: 4 },
    ],
    beaconTypes: ['Undefined', 'Nfc'],
    limits: { defaultLimit: 10, largestLimit: 1_000, bodyBytes: 1_048_576, maskSeconds: 604_800 },
  });
  expect(meta.user.permissions).toContain('alarms:read');
  expect(meta.user.permissions).not.toContain('plant:write');
  expect(meta.states.map(({ bit, value }: { bit: number; value: number }) => [bit, value])).toEqual([
    [0, 1],
    [1, 2],
    [2, 4],
    [5, 32],
    [6, 64],
    [7, 128],
  ]);
  expect(meta.actionTypes).toContain('CallGroup');
  expect(meta.callStatuses).toContain('Acknowledged');
});

test('a user limited to a station reads the time of that station', async ({ client }) => {
  await client('engineer').post('/stations', { name: 'Far', timeZone: 'Asia/Tokyo' });
  const meta = (await client('viewer', { stationIds: [2] }).get('/meta')).json();
  expect(meta).toMatchObject({ time: '2026-03-01T15:00:00+09:00', user: { stationIds: [2] } });
});
