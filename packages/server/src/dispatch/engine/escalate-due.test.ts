import { expect } from 'vitest';
import { addPerson, addPhones } from '../../calls/testing/people.fixture.ts';
import { escalationsOf, test, voice } from '../testing/dispatch.fixture.ts';
import { workOff } from '../testing/simulated-dispatch.fixture.ts';
import { deliverDue } from './deliver-due.ts';
import { escalateDue } from './escalate-due.ts';
import { pollProviders } from './poll-providers.ts';

test('an alarm calls the first person of its call group at once, and the second when nobody acknowledges', async ({
  clock,
  world,
  work,
  technicians,
}) => {
  const { raise } = technicians;
  expect((await raise()).statusCode).toBe(200);
  await work();
  expect(world.sent).toMatchObject([{ address: '+331', text: 'Boiler 1 overheats', alarmCount: 1 }]);
  clock.advance(59);
  await work();
  expect(world.sent).toHaveLength(1);
  clock.advance(2);
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331', '+332']);
});

test('an acknowledgment closes the escalation, and hangs up', async ({
  runtime,
  client,
  clock,
  world,
  work,
  technicians,
}) => {
  const admin = client('admin');
  const { raise } = technicians;
  const id = (await raise()).json<number>();
  await work();
  await admin.post(`/alarms/${id}/acknowledge`, {});
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'acknowledged' }]);
  await work();
  expect(world.hungUp).toEqual([world.sent[0]?.attemptId]);
  clock.advance(3_600);
  await work();
  expect(world.sent).toHaveLength(1);
});

test('an alarm that is reset before its delay is over calls nobody', async ({
  runtime,
  clock,
  world,
  work,
  technicians,
}) => {
  const { raise } = technicians;
  await raise({ alarmDelay: 30 });
  clock.advance(29);
  await work();
  await raise({ raised: false });
  clock.advance(3_600);
  await work();
  expect(world.sent).toEqual([]);
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'reset' }]);
});

test('a masked alarm calls nobody until the mask ends', async ({
  client,
  clock,
  world,
  work,
  technicians,
}) => {
  const admin = client('admin');
  const { raise } = technicians;
  const id = (await raise({ alarmDelay: 10 })).json<number>();
  await admin.post(`/alarms/${id}/mask`, { reason: 'welding', seconds: 600 });
  clock.advance(300);
  await work();
  expect(world.sent).toEqual([]);
  await admin.post(`/alarms/${id}/unmask`, { reason: 'done' });
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331']);
});

test('a call whose dispatcher died is made again when the provider does not know it', async ({
  clock,
  world,
  work,
  dispatch,
  technicians,
}) => {
  const { raise } = technicians;
  await raise();
  await escalateDue(dispatch.runtime, dispatch.configuration, 10);
  expect(await deliverDue(dispatch, 10)).toHaveLength(1);
  // Nothing was sent, because the dispatcher died.
  await work();
  expect(world.sent).toEqual([]);
  clock.advance(11);
  await work();
  clock.advance(6);
  await work();
  expect(world.sent.length).toBeGreaterThan(0);
});

test('an alarm with the largest delay and priority is stored with its escalation', async ({
  runtime,
  technicians,
}) => {
  const { raise } = technicians;
  const answer = await raise({ alarmDelay: 4_294_967_295, priority: 4_294_967_295 });
  expect(answer.statusCode).toBe(200);
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: null }]);
});

test('a person added after the raise is called, and one disabled meanwhile is not', async ({
  client,
  clock,
  world,
  work,
  technicians,
}) => {
  const admin = client('admin');
  const { ada, grace, groupId, raise } = technicians;
  await raise();
  await work();
  const linus = await addPerson(admin, 'Linus', voice('+333'));
  await admin.put(`/callgroups/${groupId}`, {
    name: 'Technicians',
    userIds: [ada, grace, linus],
    ackTimeout: 60,
    attempts: 1,
  });
  const { name, username, role } = (await admin.get(`/users/${grace}`)).json();
  await admin.put(`/users/${grace}`, { name, username, role, ...voice('+332'), enabled: false });
  clock.advance(61);
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331', '+333']);
});

test('a new telephone number is used from the next call on, also for a call that waits to be sent', async ({
  client,
  runtime,
  clock,
  world,
  dispatch,
  work,
  technicians,
}) => {
  const admin = client('admin');
  const { ada, raise } = technicians;
  await raise();
  await escalateDue(runtime, dispatch.configuration, 10);
  const { name, username, role } = (await admin.get(`/users/${ada}`)).json();
  await admin.put(`/users/${ada}`, { name, username, role, ...voice('+339') });
  await work();
  clock.advance(1);
  await work();
  expect(world.sent.map(({ address }) => address)[0]).toBe('+339');
});

test('everybody who was called is notified of the acknowledgment', async ({
  client,
  clock,
  world,
  work,
  technicians,
}) => {
  const admin = client('admin');
  const { groupId, raise } = technicians;
  const ackActions = [{ type: 'CallGroup', id: groupId }];
  const id = (await raise({ ackActions, ackMessage: 'Boiler 1 is taken care of' })).json<number>();
  await work();
  clock.advance(61);
  await work();
  await admin.post(`/alarms/${id}/acknowledge`, {});
  await work();
  const news = world.sent.filter(({ text }) => text === 'Boiler 1 is taken care of');
  expect(news.map(({ address }) => address)).toEqual(['+331', '+332']);
});

test('a server whose clock is an hour behind skips a failing channel too', async ({
  runtime,
  clock,
  world,
  dispatch,
  technicians,
}) => {
  const { raise } = technicians;
  world.answer = () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 500' });
  const skewed = { ...dispatch, now: () => new Date(clock.now().getTime() - 3_600_000) };
  for (let number = 0; number < 2; number++) {
    await raise({ path: `boiler/${number}` });
    await workOff(skewed);
  }
  const place = { tenantId: 1, channelId: 1 };
  expect(skewed.health.isHealthy(place, clock.now())).toBe(false);
  expect(runtime.database.clock).toBeDefined();
});

test('a provider that asks for a pause gets it, and is used again afterwards', async ({
  clock,
  world,
  work,
  technicians,
}) => {
  const { raise } = technicians;
  world.answer = () => ({
    kind: 'failed',
    permanent: false,
    blame: 'channel',
    reason: 'HTTP 429',
    retryAfterSeconds: 20,
  });
  await raise();
  await work();
  const asked = world.sent.length;
  clock.advance(18);
  await work();
  expect(world.sent).toHaveLength(asked);
  world.answer = ({ attemptId }) => ({ kind: 'accepted', reference: attemptId });
  clock.advance(3);
  await work();
  expect(world.sent.length).toBeGreaterThan(asked);
});

test('a provider that never calls back is polled, and after no answer the next person is called', async ({
  clock,
  world,
  dispatch,
  work,
  technicians,
}) => {
  const { raise } = technicians;
  await raise();
  await work();
  expect(await pollProviders(dispatch, 10)).toBe(0);
  clock.advance(10);
  expect(await pollProviders(dispatch, 10)).toBe(1);
  await work();
  expect(world.sent).toHaveLength(1);
  world.known = () => ({ kind: 'noAnswer', reference: '' });
  clock.advance(10);
  await pollProviders(dispatch, 10);
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331', '+332']);
});

test('a call that goes on for ever, as its provider says, keeps the telephone busy for five minutes', async ({
  client,
  clock,
  world,
  dispatch,
  work,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const userIds = [await addPerson(admin, 'Kay')];
  world.answer = () => ({ kind: 'answered', reference: '' });
  world.known = () => ({ kind: 'answered', reference: '' });
  for (const msgText of ['Come', 'Come at once']) await admin.post('/call/users', { userIds, msgText });
  const poll = async (seconds: number) => {
    clock.advance(seconds);
    await pollProviders(dispatch, 10);
    await work();
    return world.sent.length;
  };
  expect(await poll(0)).toBe(1);
  expect(await poll(290)).toBe(1);
  expect(await poll(20)).toBe(2);
});
