import { expect } from 'vitest';
import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { dispatchTo, type World, workOff } from '../testing/simulated-dispatch.fixture.ts';
import { hangUpCalls } from './hang-up-calls.ts';
import { joinCalls } from './join-calls.ts';
import { createLiveCalls } from './live-calls.ts';
import { renewLiveCalls } from './renew-calls.ts';

const outcomesOf = ({ database }: Runtime) =>
  inTenant(database, 1, (transaction) =>
    transaction
      .selectFrom('callAttempts')
      .select(['id', 'outcome', 'address', 'sentAs', 'node'])
      .orderBy('id')
      .execute(),
  );

/** Reports to the call that was placed last. */
const report = async (world: World, outcome: ChannelOutcome) => {
  const attemptId = world.sent.at(-1)?.attemptId ?? '';
  return world.reports.get(attemptId)?.(outcome);
};
const pressed = (world: World, heard: readonly string[], choice: 'take' | 'refuse' = 'take') =>
  report(world, { kind: 'pressed', reference: '', choice, heard, proof: { kind: 'leg' } });
const answered: ChannelOutcome = { kind: 'answered', reference: '' };

test('a second alarm waits while the phone is in a call, and follows when it is hung up', async ({
  runtime,
  world,
  work,
  technicians,
}) => {
  await technicians.raise();
  await work();
  await technicians.raise({ path: 'boiler/2', alarmMessage: 'Boiler 2 leaks' });
  await technicians.raise({ path: 'boiler/3', alarmMessage: 'Boiler 3 leaks' });
  await work();
  expect(world.sent).toHaveLength(1);
  await report(world, answered);
  await work();
  expect(world.sent, 'a person who listens is not dialled again').toHaveLength(1);
  await report(world, { kind: 'ended', reference: '', reason: '' });
  await work();
  expect(world.sent).toHaveLength(2);
  expect(world.sent[1]).toMatchObject({ address: '+331', alarmCount: 2 });
  expect((await outcomesOf(runtime)).map(({ outcome }) => outcome)).toEqual([
    'answered',
    'accepted',
    'accepted',
  ]);
});

test('a call about two alarms occupies the phone until both are settled', async ({
  client,
  world,
  work,
  technicians,
}) => {
  const first = (await technicians.raise()).json<number>();
  const second = (await technicians.raise({ path: 'boiler/2' })).json<number>();
  await work();
  expect(world.sent).toMatchObject([{ address: '+331', alarmCount: 2 }]);
  await client('admin').post(`/alarms/${first}/acknowledge`, {});
  await work();
  await technicians.raise({ path: 'boiler/3' });
  await work();
  expect(world.sent, 'the phone still rings for the second alarm').toHaveLength(1);
  await client('admin').post(`/alarms/${second}/acknowledge`, {});
  await work();
  expect(world.sent).toHaveLength(2);
});

test('two dispatchers do not call one phone at the same time', async ({ runtime, world, technicians }) => {
  const other = { ...dispatchTo(runtime, world), node: 'other' };
  const first = dispatchTo(runtime, world);
  for (let number = 0; number < 6; number++) await technicians.raise({ path: `boiler/${number}` });
  await Promise.all([workOff(first), workOff(other)]);
  expect(world.sent.filter(({ address }) => address === '+331')).toHaveLength(1);
});

test('a waiting alarm joins the call that lives here, and only what was heard is taken', async ({
  runtime,
  client,
  world,
  work,
  dispatch,
  technicians,
}) => {
  world.livesHere = true;
  const first = (await technicians.raise()).json<number>();
  await work();
  const second = (await technicians.raise({ path: 'boiler/2', alarmMessage: 'Leak' })).json<number>();
  const recorded = { alarmMessage: 'Fire', alarmVocalMessageFile: 'fire.wav' };
  const third = (await technicians.raise({ path: 'boiler/3', ...recorded })).json<number>();
  await work();
  expect(await joinCalls(dispatch)).toBe(2);
  expect(world.announced.flatMap(({ alarms }) => alarms)).toMatchObject([
    { message: 'Leak', audio: '' },
    { message: 'Fire', audio: 'fire.wav' },
  ]);
  await report(world, answered);
  expect((await outcomesOf(runtime)).map(({ outcome, node }) => [outcome, node])).toEqual([
    ['answered', 'test'],
    ['answered', 'test'],
    ['answered', 'test'],
  ]);
  const [message] = world.sent;
  const heard = [message?.attemptId ?? '', world.announced[0]?.alarms[0]?.attemptId ?? ''];
  expect(await pressed(world, heard)).toEqual({ judgement: 'accepted', takenBy: '' });
  await report(world, { kind: 'ended', reference: '', reason: '', heard });
  const states = await Promise.all(
    [first, second, third].map(async (id) => (await client('admin').get(`/alarms/${id}`)).json().state),
  );
  expect(states, 'the third was not heard').toEqual([1, 1, 3]);
  await work();
  expect(world.sent.at(-1)).toMatchObject({ address: '+331', text: 'Fire' });
});

test('a person who refuses gives the alarm to the next one at once', async ({ world, work, technicians }) => {
  await technicians.raise();
  await work();
  await report(world, answered);
  const heard = [world.sent[0]?.attemptId ?? ''];
  expect(await pressed(world, heard, 'refuse')).toMatchObject({ judgement: 'accepted' });
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331', '+332']);
});

test('a trunk without a free line is no try and no fault', async ({
  clock,
  runtime,
  world,
  work,
  technicians,
}) => {
  world.answer = () => ({ kind: 'notNow', reason: 'all lines are busy', retryAfterSeconds: 2 });
  await technicians.raise();
  await work();
  expect((await outcomesOf(runtime)).map(({ outcome }) => outcome)).toEqual(['queued']);
  world.answer = ({ attemptId }) => ({ kind: 'accepted', reference: attemptId });
  clock.advance(3);
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331', '+331']);
  expect(await outcomesOf(runtime)).toMatchObject([{ outcome: 'accepted' }]);
});

test('a call that lives in a server ends with it, and the person is called again', async ({
  clock,
  runtime,
  world,
  work,
  dispatch,
  technicians,
}) => {
  world.livesHere = true;
  await technicians.raise();
  await work();
  clock.advance(8);
  await renewLiveCalls(dispatch);
  clock.advance(8);
  await work();
  expect((await outcomesOf(runtime))[0], 'the lease was renewed').toMatchObject({ outcome: 'accepted' });
  const survivor = { ...dispatchTo(runtime, world), node: 'survivor' };
  clock.advance(11);
  await workOff(survivor);
  clock.advance(10);
  await workOff(survivor);
  expect((await outcomesOf(runtime)).map(({ outcome }) => outcome)).toEqual(['unknown', 'accepted']);
});

test('a call is hung up only by the server in which it lives', async ({
  client,
  runtime,
  world,
  work,
  dispatch,
  technicians,
}) => {
  world.livesHere = true;
  const id = (await technicians.raise()).json<number>();
  await work();
  await client('admin').post(`/alarms/${id}/acknowledge`, {});
  const stranger = { ...dispatch, node: 'stranger', calls: createLiveCalls() };
  await hangUpCalls(stranger, 10);
  expect(world.hungUp).toEqual([]);
  await hangUpCalls(dispatch, 10);
  expect(world.hungUp).toHaveLength(1);
  await hangUpCalls(dispatch, 10);
  expect(world.hungUp, 'it is told once, and says goodbye').toHaveLength(1);
  await report(world, { kind: 'ended', reference: '', reason: '' });
  expect(await outcomesOf(runtime)).toMatchObject([{ outcome: 'cancelled' }]);
});

test('a call whose end is reported while it is hung up is told to clients once', async ({
  client,
  runtime,
  world,
  work,
  dispatch,
  technicians,
}) => {
  const id = (await technicians.raise()).json<number>();
  await work();
  await client('admin').post(`/alarms/${id}/acknowledge`, {});
  world.whenHungUp = async () => report(world, { kind: 'ended', reference: '', reason: '' });
  await hangUpCalls(dispatch, 10);
  const kinds = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('callEvents').select('kind').orderBy('kind').execute(),
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(['accepted', 'calling', 'cancelled', 'closed']);
});

test('a person may listen for longer than a telephone may ring', async ({
  clock,
  world,
  work,
  dispatch,
  technicians,
}) => {
  world.livesHere = true;
  await technicians.raise();
  await work();
  await report(world, answered);
  for (let second = 0; second < 150; second += 5) {
    clock.advance(5);
    await renewLiveCalls(dispatch);
    await work();
  }
  expect(world.hungUp).not.toContain(world.sent[0]?.attemptId);
});
