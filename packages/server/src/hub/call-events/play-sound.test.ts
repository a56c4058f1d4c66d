import { expect } from 'vitest';
import { addUser, listen, settle, test } from '../testing/hub.fixture.ts';

const siren = { type: 'PlaySound', parameter: 'siren.wav', flags: 2 };
const gong = { type: 'PlaySound', parameter: 'gong.wav', scriptId: 7 };

test('consoles that ask get the sounds of each occasion of the alarm', async ({ server, admin }) => {
  const listener = await listen(server, admin.token);
  await listener.subscribe({ sounds: true });
  const alarmId = await admin.raise('boiler', {
    alarmActions: [siren, gong],
    ackActions: [gong],
    resetActions: [siren],
  });
  await admin.post(`/alarms/${alarmId}/acknowledge`);
  await admin.raise('boiler', { raised: false });
  const common = { alarmId, stationId: 1 };
  const [loud, low] = [
    { ...common, name: 'siren.wav', scriptId: 0, flags: 2 },
    { ...common, name: 'gong.wav', scriptId: 7, flags: 0 },
  ];
  await expect
    .poll(() => listener.sounds)
    .toEqual([
      { ...loud, occasion: 'raised' },
      { ...low, occasion: 'raised' },
      { ...low, occasion: 'acknowledged' },
      { ...loud, occasion: 'reset' },
    ]);
});

test('a repeat plays no sound, and the sounds of a scenario are played', async ({ server, admin }) => {
  const scenarioId = await admin.post<number>('/scenarios', { name: 'Evacuate', alarmActions: [siren] });
  const listener = await listen(server, admin.token);
  await listener.subscribe({ sounds: true });
  const body = {
    alarmActions: [{ type: 'Scenario', id: scenarioId }],
    eventCondition: { reactivatable: false },
  };
  await admin.raise('boiler', body);
  await admin.raise('boiler', body);
  await admin.raise('pump', body);
  await expect.poll(() => listener.sounds.map(({ alarmId }) => alarmId)).toEqual([1, 2]);
  await settle();
  expect(listener.sounds).toHaveLength(2);
});

test('a masked alarm plays its sound when the mask ends', async ({ server, admin }) => {
  const listener = await listen(server, admin.token);
  await listener.subscribe({ sounds: true });
  const id = await admin.raise('boiler', { raised: false, alarmActions: [siren] });
  await admin.post(`/alarms/${id}/mask`, { reason: 'work' });
  await admin.raise('boiler');
  await settle();
  await settle();
  expect(listener.sounds).toEqual([]);
  await admin.post(`/alarms/${id}/unmask`, { reason: 'done' });
  await expect.poll(() => listener.sounds).toMatchObject([{ alarmId: id, occasion: 'raised' }]);
});

test('a user limited to stations gets no sounds of other stations', async ({ server, admin }) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await addUser(server, admin, { username: 'guard', stationIds: [north] });
  const [bound, free] = await Promise.all([listen(server, guard.token), listen(server, admin.token)]);
  await bound.subscribe({ sounds: true });
  await free.subscribe({ sounds: true });
  await admin.raise('south', { alarmActions: [siren] });
  const alarmId = await admin.raise('north', { stationId: north, alarmActions: [gong] });
  await expect.poll(() => free.sounds).toHaveLength(2);
  await expect.poll(() => bound.sounds).toMatchObject([{ alarmId, stationId: north, name: 'gong.wav' }]);
});

test('a sound is not repeated to a client that reconnects', async ({ server, admin }) => {
  const first = await listen(server, admin.token);
  await first.subscribe({ sounds: true, changes: true });
  await admin.raise('boiler', { alarmActions: [siren] });
  await expect.poll(() => first.sounds).toHaveLength(1);
  await first.connection.stop();
  await admin.raise('pump', { alarmActions: [siren] });
  await settle();
  const again = await listen(server, admin.token);
  await again.subscribe({ sounds: true });
  await again.resume(first.changes.at(-1)?.seq ?? 0);
  await expect.poll(() => again.paths()).toEqual(['pump']);
  await admin.raise('fan', { alarmActions: [gong] });
  await expect.poll(() => again.sounds).toMatchObject([{ name: 'gong.wav' }]);
});
