import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { test as withDispatch } from '../testing/dispatch.fixture.ts';
import { dispatchTo, outsideWorld, workOff } from '../testing/simulated-dispatch.fixture.ts';
import { systemAlarms } from '../testing/system-alarms.fixture.ts';
import { checkChannels } from './check-channels.ts';

const down = { works: false, reason: 'HTTP 500' } as const;
const failed = () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 502' }) as const;
const message = 'Channel Phones (Voice) does not work: HTTP 500';
const path = 'tocsin/channels/1';

/** Phones are channel 1, as the dispatcher of the tests has it, and texts are 2. */
async function addChannels(admin: Client): Promise<void> {
  const settings = { url: 'http://127.0.0.1:9' };
  const channel = { kind: 'simulated', settings };
  await admin.post('/channels', { name: 'Phones', medium: 'Voice', ...channel });
}

const look = (dispatch: Dispatch) => checkChannels(dispatch, dispatch.runtime, dispatch.writer);

type Meanwhile = { meanwhile?: () => Promise<void> };

/** Checks every two seconds for up to five minutes. Returns the seconds until the condition held. */
const test = withDispatch.extend('until', async ({ client, clock, dispatch }) => {
  await addChannels(client('admin'));
  return async (isSo: () => Promise<boolean>, { meanwhile }: Meanwhile = {}): Promise<number | undefined> => {
    for (let second = 0; second <= 300; second += 2) {
      await meanwhile?.();
      await look(dispatch);
      if (await isSo()) return second;
      clock.advance(2);
    }
    return undefined;
  };
});

test('an unavailable provider raises an alarm within 90 seconds, which is reset within 60', async ({
  runtime,
  world,
  clock,
  dispatch,
  until,
}) => {
  await look(dispatch);
  clock.advance(1);
  world.health = down;
  const isRaised = async () => (await systemAlarms(runtime))[0]?.state === 3;
  const raised = await until(isRaised);
  expect(raised).toBeGreaterThanOrEqual(20);
  expect(raised).toBeLessThanOrEqual(75);
  expect(await systemAlarms(runtime)).toMatchObject([{ path, message, priority: 1, occurrences: 1 }]);

  clock.advance(600);
  await look(dispatch);
  clock.advance(1);
  world.health = { works: true };
  const reset = await until(async () => !(await isRaised()));
  expect(reset).toBeLessThanOrEqual(15);
  expect(await systemAlarms(runtime)).toMatchObject([{ path, state: 2, occurrences: 1, repeats: 0 }]);
});

test('a channel whose check never ends counts as failed, and stops no other check', async ({
  runtime,
  world,
  clock,
  dispatch,
  until,
}) => {
  world.health = new Promise(() => {});
  await look(dispatch);
  clock.advance(30);
  world.health = { works: false, reason: 'HTTP 500' };
  const isRaised = async () => (await systemAlarms(runtime))[0]?.state === 3;
  expect(await until(isRaised)).toBeLessThanOrEqual(75);
});

test('channels that are open and work are probed without a transaction in their tenants', async ({
  runtime,
  clock,
  dispatch,
  until,
}) => {
  await until(async () => true);
  const { pool } = runtime.database;
  let transactions = 0;
  pool.on('acquire', () => (transactions += 1));
  const workedAt = async () => {
    const { rows } = await readTenant(runtime.database, 1, ({ client }) =>
      client.query<{ at: Date }>('select worked_at as at from channel_health where channel_id = 1'),
    );
    return rows[0]?.at;
  };
  clock.advance(60);
  await look(dispatch);
  // One to claim what is due, and one to store what works, for all tenants.
  expect(transactions).toBe(2);
  expect(await workedAt()).toEqual(clock.now());
});

test('the first probes of many tenants after a start leave connections to alarms', async ({
  runtime,
  clock,
  dispatch,
  until,
}) => {
  await until(async () => true);
  const { pool } = runtime.database;
  for (let number = 0; number < 40; number++) {
    const tenantId = await createTenant(runtime, { name: `Plant ${number}` });
    await inTenant(runtime.database, tenantId, ({ client }) =>
      client.query(
        `insert into channels (tenant_id, id, name, search_text, kind, medium, priority, enabled, settings, last_change)
         values ($1, 1, 'Phones', 'phones', 'simulated', 'Voice', 1, true, '{"url":"http://127.0.0.1:9"}', $2)`,
        [tenantId, clock.now()],
      ),
    );
  }
  let transactions = 0;
  let waiting = 0;
  pool.on('acquire', () => {
    transactions += 1;
    waiting = Math.max(waiting, pool.waitingCount);
  });
  await look(dispatch);
  // One to claim, one for the tenant that comes first, one for all others, and one to store what works.
  expect(transactions).toBe(4);
  expect(waiting).toBe(0);
});

test('a wrong number raises no alarm about the channel', async ({ runtime, client, world, work, until }) => {
  const ada = await addPerson(client('admin'), 'Ada', { media: [{ kind: 'Voice', address: '+331' }] });
  const groupId = await addGroup(client('admin'), 'Night', { userIds: [ada] });
  world.answer = () => ({ kind: 'failed', permanent: true, blame: 'recipient', reason: 'no such number' });
  await client('admin').post('/alarms', { alarmActions: [{ type: 'CallGroup', id: groupId }] });
  const told = async () => (await systemAlarms(runtime)).some((alarm) => alarm.path === path);
  expect(await until(told, { meanwhile: work })).toBeUndefined();
  expect(world.sent.length).toBeGreaterThan(5);
});

test('failing messages raise an alarm although the probes succeed', async ({
  runtime,
  client,
  clock,
  world,
  work,
  dispatch,
  until,
}) => {
  const ada = await addPerson(client('admin'), 'Ada', { media: [{ kind: 'Voice', address: '+331' }] });
  const groupId = await addGroup(client('admin'), 'Night', { userIds: [ada] });
  world.answer = failed;
  const raise = { path: 'pump', alarmActions: [{ type: 'CallGroup', id: groupId }] };
  await client('admin').post('/alarms', raise);
  const isRaised = async () => (await systemAlarms(runtime)).some((alarm) => alarm.state === 3);
  const raised = await until(isRaised, { meanwhile: work });
  expect(raised).toBeGreaterThanOrEqual(20);
  expect(raised).toBeLessThanOrEqual(90);

  // Nobody is called any more, so only probes can detect it.
  await client('admin').post('/alarms', { path: 'pump', raised: false });
  world.answer = ({ attemptId }) => ({ kind: 'accepted', reference: attemptId });
  const reset = await until(async () => !(await isRaised()), { meanwhile: work });
  expect(reset).toBeLessThanOrEqual(60);
  clock.advance(300);
  await look(dispatch);
  expect(await systemAlarms(runtime)).toMatchObject([{ path, occurrences: 1, repeats: 0 }]);
});

test('a channel that sends one message is not down although others fail', async ({
  runtime,
  clock,
  dispatch,
  until,
}) => {
  const place = { tenantId: 1, channelId: 1 };
  const meanwhile = async () => {
    dispatch.health.recordFailure(place, 'HTTP 500', clock.now());
    dispatch.health.recordSuccess(place);
    dispatch.health.recordFailure(place, 'HTTP 500', clock.now());
  };
  const told = async () => (await systemAlarms(runtime)).length > 0;
  expect(await until(told, { meanwhile })).toBeUndefined();
});

test('several servers raise one alarm, and a message sent by any of them resets it', async ({
  runtime,
  world,
  until,
}) => {
  const servers = [1, 2, 3].map(() => dispatchTo(runtime, world, ['Voice']));
  world.health = down;
  const meanwhile = async () => void (await Promise.all(servers.map(look)));
  await until(async () => false, { meanwhile });
  expect(await systemAlarms(runtime)).toMatchObject([{ path, state: 3, occurrences: 1, repeats: 0 }]);
  const fresh = dispatchTo(runtime, outsideWorld(), ['Voice']);
  fresh.health.recordSuccess({ tenantId: 1, channelId: 1 });
  await look(fresh);
  expect(await systemAlarms(runtime)).toMatchObject([{ path, state: 2, occurrences: 1, repeats: 0 }]);
});

test.for(['disabled', 'deleted'])(
  'the alarm about a channel that is %s is reset',
  async (how, { runtime, client, world, dispatch, until }) => {
    const admin = client('admin');
    world.health = down;
    const isRaised = async () => (await systemAlarms(runtime))[0]?.state === 3;
    expect(await until(isRaised)).toBeDefined();
    const found = await admin.get('/channels/1');
    const match = { 'if-match': String(found.headers['etag']) };
    if (how === 'deleted') await admin.delete('/channels/1', match);
    else await admin.put('/channels/1', { ...found.json<object>(), enabled: false }, match);
    await look(dispatch);
    expect(await isRaised()).toBe(false);
    expect(await until(isRaised)).toBeUndefined();
  },
);

test('the fallback group is called over the channels that still work', async ({
  runtime,
  client,
  world,
  clock,
  dispatch,
  until,
}) => {
  const admin = client('admin');
  const media = [
    { kind: 'Voice' as const, address: '+331' },
    { kind: 'Sms' as const, address: '+336' },
  ];
  const fallback = await addGroup(admin, 'Management', {
    userIds: [await addPerson(admin, 'Boss', { media })],
  });
  await admin.put('/dispatch/settings', { fallbackCallGroupId: fallback });
  world.health = down;
  for (let failure = 0; failure < 3; failure++)
    dispatch.health.recordFailure({ tenantId: 1, channelId: 1 }, 'HTTP 500', clock.now());
  const meanwhile = async () => {
    dispatch.health.recordFailure({ tenantId: 1, channelId: 1 }, 'HTTP 500', clock.now());
  };
  const isRaised = async () => (await systemAlarms(runtime))[0]?.state === 3;
  expect(await until(isRaised, { meanwhile })).toBeDefined();
  await workOff(dispatch);
  expect(world.sent).toMatchObject([{ address: '+336', text: message }]);
});
