import { expect } from 'vitest';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { heat, test } from '../testing/fire-panel.fixture.ts';
import { fireAlarm } from '../testing/raise-only-key.fixture.ts';

const isReset = { raised: false };

test('a false alarm that was acknowledged does not hide the true one after it', async ({
  alarm,
  admin,
  panel,
  sensor,
}) => {
  await alarm.post(sensor);
  await admin.post(`/alarms/${alarm.id}/acknowledge`);
  const { occurrenceId: falseOne } = await alarm.detail();
  await alarm.post(panel, heat);
  await alarm.expectUntouched(falseOne + 1);
  await alarm.post(sensor, isReset);
  await alarm.expectUntouched(falseOne + 1);
});

test('the sender of a false alarm does not reset the true one that joined it', async ({
  alarm,
  panel,
  sensor,
}) => {
  await alarm.post(sensor);
  await alarm.post(panel, heat);
  const { occurrenceId } = await alarm.detail();
  await alarm.post(sensor, isReset);
  await alarm.expectUntouched(occurrenceId);
});

test('a stranger does not reset the occurrence that it started of an active alarm', async ({
  alarm,
  admin,
  panel,
  sensor,
}) => {
  await alarm.post(panel, { eventCondition: { reactivatable: true } });
  await admin.post(`/alarms/${alarm.id}/acknowledge`);
  await alarm.post(sensor);
  await alarm.post(sensor, isReset);
  expect(await alarm.detail()).toMatchObject({ state: 3 });
});

test('a source resets an alarm that it alone has raised, also of a tag of another source', async ({
  alarm,
  sensor,
}) => {
  await alarm.post(sensor, { value: '5' });
  await alarm.post(sensor, { value: '4', location: { zone: 'Stairs' } });
  expect(await alarm.detail()).toMatchObject({ state: 3, value: '4', location: { zone: 'Stairs' } });
  await alarm.post(sensor, isReset);
  expect(await alarm.detail()).toMatchObject({ state: 2 });
});

test('of two strangers that raised an alarm none resets it', async ({ alarm, client, sensor }) => {
  const other = client('machine', { keyId: 3 });
  await alarm.post(sensor);
  await alarm.post(other);
  for (const stranger of [sensor, other]) await alarm.post(stranger, isReset);
  expect(await alarm.detail()).toMatchObject({ state: 3 });
});

test('the value that a stranger reported is not kept for the next alarm', async ({
  alarm,
  panel,
  sensor,
}) => {
  await alarm.post(sensor, { value: 'all is well' });
  await alarm.post(sensor, isReset);
  await alarm.post(panel);
  expect(await alarm.detail()).toMatchObject({ state: 3, value: '' });
});

test('withheld members are noted once, with the sender', async ({ alarm, sensor }) => {
  for (let n = 0; n < 3; n += 1) await alarm.post(sensor, { ...isReset, priority: 9, alarmActions: [] });
  const withheld = (await alarm.timeline()).filter(({ kind }) => kind === 'withheld');
  expect(withheld).toMatchObject([
    {
      actor: 'Sensor',
      detail: 'left as it was, since Sensor (key:2) may not change it: priority, alarmActions',
    },
  ]);
});

test('a post that repeats the definition of a tag changes nothing, and nothing is noted', async ({
  alarm,
  sensor,
}) => {
  await alarm.post(sensor, { ...fireAlarm, raised: true });
  expect((await alarm.timeline()).map((entry) => [entry.kind, entry.detail])).toContainEqual(['raised', '']);
});

test('a source defines the tags that it has created, and calls for them', async ({ alarm, panel }) => {
  await alarm.post(panel, { priority: 4, alarmActions: [{ type: 'CallUser', id: 2 }] });
  expect(await alarm.detail()).toMatchObject({ priority: 4, state: 3 });
  expect((await alarm.openCalls())[0]?.plan).toContain('Mallory');
});

test('a key that replaces another defines the tags of that one', async ({ alarm, client }) => {
  const next = client('machine', { keyId: 8, tagOwner: 'key:1' });
  await alarm.post(next, { priority: 4 });
  await alarm.post(next, isReset);
  expect(await alarm.detail()).toMatchObject({ priority: 4, state: 2 });
});

test('any source raises, reports on and resets a tag without a stored creator, and does not redefine it', async ({
  alarm,
  sensor,
  plant,
}) => {
  await inTenant(plant.runtime.database, 1, async ({ client }) => {
    await client.query('update tags set created_by = null where id = $1', [alarm.id]);
    // So that the server reads the tag again.
    await client.query('update tenant_counters set seq = seq');
  });
  const before = await alarm.definition();
  await alarm.post(sensor, {
    ...heat,
    alarmMessage: '93 degrees',
    alarmActions: [],
    alarmDelay: 99,
    priority: 9,
  });
  expect(await alarm.definition()).toEqual({ ...before, message: '93 degrees' });
  await alarm.post(sensor, isReset);
  expect(await alarm.detail()).toMatchObject({ state: 2 });
});

test('an operator raises and resets the alarms of others, and does not redefine them', async ({
  alarm,
  client,
  panel,
}) => {
  const operator = client('operator', { userId: 7 });
  const before = await alarm.definition();
  await alarm.post(panel);
  await alarm.post(operator, { ...isReset, priority: 9, alarmMessage: 'nothing', alarmActions: [] });
  expect(await alarm.detail()).toMatchObject({ state: 2 });
  await alarm.post(operator, { alarmDelay: 3_600 });
  expect(await alarm.detail()).toMatchObject({ state: 3 });
  expect(await alarm.definition()).toEqual(before);
});

test('an engineer redefines the tags of others, and the timeline keeps the old and the new definition', async ({
  alarm,
  client,
}) => {
  const alarmActions = [{ type: 'CallGroup', id: 2 }];
  await alarm.post(client('engineer', { userId: 7, name: 'Eva' }), { priority: 3, alarmActions });
  expect(await alarm.detail()).toMatchObject({ priority: 3, alarmActions });
  expect((await alarm.timeline()).find(({ kind }) => kind === 'raised')).toMatchObject({
    actor: 'Eva',
    changes: [
      { member: 'priority', before: 1, after: 3 },
      { member: 'alarmActions', before: fireAlarm.alarmActions, after: alarmActions },
    ],
  });
});

test('nobody owns system alarms', async ({ client, admin, sensor }) => {
  const own = (await sensor.post('/alarms', { path: 'tocsin/channels/1' })).json<number>();
  await client('engineer', { userId: 7 }).post('/alarms', { path: 'tocsin/channels/1', priority: 1 });
  await sensor.post('/alarms', { path: 'tocsin/channels/1', priority: 9, ...isReset });
  expect((await admin.get(`/alarms/${own}`)).json()).toMatchObject({ state: 3, priority: 1 });
});

test('a key that is bound to places raises, reports and resets there, and nowhere else', async ({
  alarm,
  client,
  panel,
}) => {
  const bound = (dataServerIds: number[], pathPrefixes: string[]) =>
    client('machine', { keyId: 5, name: 'Gateway', binding: { dataServerIds, pathPrefixes } });
  const fire = bound([1], ['Fire/', 'Gas/']);
  await alarm.post(client('engineer', { userId: 7 }), { ...isReset, priority: 2 });
  const before = await alarm.definition();
  await alarm.post(panel);
  await alarm.post(fire, { ...isReset, alarmMessage: 'out', alarmActions: [] });
  expect(await alarm.detail()).toMatchObject({ state: 2, message: 'out' });
  expect(await alarm.definition()).toEqual({ ...before, message: 'out' });

  const outside = [
    await fire.post('/alarms', { path: 'Water/1' }),
    await fire.post('/alarms', { dataServerId: 2, path: alarm.path }),
    await bound([2], []).post('/alarms', { path: alarm.path }),
    await bound([2], []).post('/alarms', { alarmMessage: 'help' }),
  ];
  expect(outside.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
  expect(outside[0]?.json().detail).toBe(
    'Gateway is bound to data servers 1 and paths that begin with Fire/, Gas/',
  );
});

test('a key that is bound to paths raises and resets alarms without a path', async ({ client, admin }) => {
  const gateway = client('machine', { keyId: 5, binding: { dataServerIds: [], pathPrefixes: ['Fire/'] } });
  const id = (await gateway.post('/alarms', { alarmMessage: 'help' })).json<number>();
  await gateway.post('/alarms', { path: `api/${id}`, ...isReset });
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 2 });
});

test('a key that is bound to places acts on no alarm elsewhere', async ({ alarm, client, panel }) => {
  await alarm.post(panel);
  const binding = { dataServerIds: [], pathPrefixes: ['Water/'] };
  const gateway = client('operator', { keyId: 5, binding });
  for (const action of ['acknowledge', 'reset', 'mask', 'comment']) {
    const answer = await gateway.post(`/alarms/${alarm.id}/${action}`, { reason: 'x', comment: 'x' });
    expect([action, answer.statusCode]).toEqual([action, 403]);
  }
});

test('a key does not leave its places for the tags of the key that it replaces', async ({
  alarm,
  client,
  panel,
}) => {
  await alarm.post(panel);
  const binding = { dataServerIds: [], pathPrefixes: ['Water/'] };
  const next = client('machine', { keyId: 8, tagOwner: 'key:1', binding });
  expect((await next.post('/alarms', { path: alarm.path, raised: false })).statusCode).toBe(403);
});
