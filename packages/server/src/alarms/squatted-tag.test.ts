import { expect } from 'vitest';
import type { Client } from '../testing/app.fixture.ts';
import { type FireAlarm, heat, test as withPlant } from './testing/fire-panel.fixture.ts';
import { fireAlarm } from './testing/raise-only-key.fixture.ts';

const largest = 4_294_967_295;
const isReset = { raised: false };
/** A definition that would never call anybody. */
const silence = { alarmDelay: largest, alarmActions: [{ type: 'CallUser', id: 2 }], priority: 9 };
/** The part of the panel's definition that the tests compare. */
const { priority, alarmDelay, alarmActions } = fireAlarm;
const loud = { priority, alarmDelay, alarmActions };
const binding = { dataServerIds: [1], pathPrefixes: ['Fire/'] };

/** A path that a sensor's key used first, before the fire panel that an administrator has bound to it. */
const test = withPlant
  .extend('boundPanel', ({ client }) => client('machine', { keyId: 5, name: 'Hall panel', binding }))
  .extend('squatted', async ({ sensor, describe }): Promise<FireAlarm> => {
    const path = `Fire/${crypto.randomUUID()}`;
    const made = await sensor.post('/alarms', { ...silence, path, raised: false });
    return describe({ id: made.json<number>(), path });
  });

const withheldFrom = async (alarm: FireAlarm, client: Client) => {
  const before = await alarm.definition();
  await alarm.post(client, { ...silence, ...isReset });
  expect(await alarm.definition()).toEqual(before);
};

test('a key that used a path first does not keep it from the source that is bound to it', async ({
  squatted,
  boundPanel,
  sensor,
}) => {
  await squatted.post(boundPanel, { ...fireAlarm, ...heat });
  expect(await squatted.detail()).toMatchObject({ state: 3, ...loud });
  const { occurrenceId } = await squatted.detail();
  await squatted.expectUntouched(occurrenceId);

  await withheldFrom(squatted, sensor);
  await squatted.post(sensor, { value: 'all is well' });
  await squatted.expectUntouched(occurrenceId);
});

test('the timeline shows that a definition was taken over, its former owner and its old values', async ({
  squatted,
  boundPanel,
}) => {
  await squatted.post(boundPanel, fireAlarm);
  const raised = (await squatted.timeline()).find(({ kind }) => kind === 'raised');
  expect(raised).toMatchObject({ actor: 'Hall panel' });
  expect(raised?.detail).toContain('Hall panel (key:5) has taken the definition over from key:2');
  expect(raised?.changes).toContainEqual({ member: 'alarmDelay', before: largest, after: 0 });
  await squatted.post(boundPanel, { priority: 2 });
  const later = (await squatted.timeline()).filter(({ detail }) => detail.includes('taken the definition'));
  expect(later, 'once').toHaveLength(1);
});

test('the definition of an engineer stays, and the key that was first still raises and resets', async ({
  squatted,
  client,
  sensor,
}) => {
  await squatted.post(client('engineer', { userId: 7, name: 'Eva' }), { ...fireAlarm, ...isReset });
  await withheldFrom(squatted, sensor);
  await squatted.post(sensor, { alarmMessage: '93 degrees', ...heat });
  expect(await squatted.detail()).toMatchObject({ state: 3, message: '93 degrees', priority: 1, ...heat });
  expect((await squatted.openCalls())[0]?.plan).toContain('Brigade');
  await squatted.post(sensor, isReset);
  expect(await squatted.detail()).toMatchObject({ state: 2 });
  const details = (await squatted.timeline()).map(({ detail }) => detail);
  expect(details).toContainEqual(
    expect.stringContaining('Eva (user:7) has taken the definition over from key:2'),
  );
});

test('of two keys that are bound to a path the second takes it over neither from the first nor from an engineer', async ({
  squatted,
  boundPanel,
  client,
}) => {
  const second = client('machine', { keyId: 6, name: 'Second', binding });
  await squatted.post(boundPanel, { ...fireAlarm, ...isReset });
  await withheldFrom(squatted, second);
  const path = `Fire/${crypto.randomUUID()}`;
  const engineer = client('engineer', { userId: 7 });
  await engineer.post('/alarms', { ...fireAlarm, path, ...isReset });
  await boundPanel.post('/alarms', { ...silence, path, ...isReset });
  const { items } = (await engineer.get(`/alarms?inactiveMasked=1&search=${path}`)).json();
  expect(items).toEqual([]);
  await boundPanel.post('/alarms', { path });
  const [raised] = (await engineer.get(`/alarms?search=${path}`)).json().items;
  expect(raised).toMatchObject({ priority: 1 });
});

test('a source that only raises takes nothing over, and the key that created its tags still defines them', async ({
  squatted,
  boundPanel,
  sensor: installer,
}) => {
  await squatted.post(boundPanel, heat);
  await squatted.post(boundPanel, isReset);
  await squatted.post(installer, { ...fireAlarm, ...isReset });
  expect(await squatted.detail()).toMatchObject(loud);
});

test('a binding gives no rights on system alarms', async ({ client, admin, sensor }) => {
  const path = `tocsin/${crypto.randomUUID()}`;
  const id = (await sensor.post('/alarms', { path, priority: 1 })).json<number>();
  const everywhere = { dataServerIds: [1], pathPrefixes: [] };
  await client('machine', { keyId: 5, binding: everywhere }).post('/alarms', { path, priority: 9 });
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ priority: 1 });
});
