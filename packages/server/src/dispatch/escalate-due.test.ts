import { expect } from 'vitest';
import { addGroup, addPerson } from '../calls/people.fixture.ts';
import type { Client } from '../testing/app.fixture.ts';
import { askProviders } from './ask-providers.ts';
import { dutiesOf, test, workOff } from './dispatch.fixture.ts';
import { escalateDue } from './escalate-due.ts';

const voice = (address: string) => ({ media: [{ kind: 'Voice' as const, address }] });

async function twoTechnicians(admin: Client) {
  const ada = await addPerson(admin, 'Ada', voice('+331'));
  const grace = await addPerson(admin, 'Grace', voice('+332'));
  const groupId = await addGroup(admin, 'Technicians', {
    userIds: [ada, grace],
    ackTimeout: 60,
    attempts: 1,
  });
  const raise = (body: object = {}) =>
    admin.post('/alarms', {
      path: 'boiler/1',
      alarmMessage: 'Boiler 1 overheats',
      alarmActions: [{ type: 'CallGroup', id: groupId }],
      ...body,
    });
  return { ada, grace, groupId, raise };
}

test('an alarm calls the first of its call group at once, and the second when nobody acknowledges', async ({
  client,
  clock,
  world,
  work,
}) => {
  const { raise } = await twoTechnicians(client('admin'));
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

test('an acknowledgment closes the duty, and hangs up', async ({ runtime, client, clock, world, work }) => {
  const admin = client('admin');
  const { raise } = await twoTechnicians(admin);
  const id = (await raise()).json<number>();
  await work();
  await admin.post(`/alarms/${id}/acknowledge`, {});
  expect(await dutiesOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'acknowledged' }]);
  await work();
  expect(world.hungUp).toEqual([world.sent[0]?.attemptId]);
  clock.advance(3_600);
  await work();
  expect(world.sent).toHaveLength(1);
});

test('an alarm that is reset before its delay is over calls nobody', async ({
  runtime,
  client,
  clock,
  world,
  work,
}) => {
  const { raise } = await twoTechnicians(client('admin'));
  await raise({ alarmDelay: 30 });
  clock.advance(29);
  await work();
  await raise({ raised: false });
  clock.advance(3_600);
  await work();
  expect(world.sent).toEqual([]);
  expect(await dutiesOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'reset' }]);
});

test('a masked alarm calls no one, and calls when the mask ends', async ({ client, clock, world, work }) => {
  const admin = client('admin');
  const { raise } = await twoTechnicians(admin);
  const id = (await raise({ alarmDelay: 10 })).json<number>();
  await admin.post(`/alarms/${id}/mask`, { reason: 'welding', seconds: 600 });
  clock.advance(300);
  await work();
  expect(world.sent).toEqual([]);
  await admin.post(`/alarms/${id}/unmask`, { reason: 'done' });
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331']);
});

test('a call whose dispatcher died is asked about, and made again when nobody knows', async ({
  client,
  clock,
  world,
  work,
  dispatch,
}) => {
  const { raise } = await twoTechnicians(client('admin'));
  await raise();
  const { escalateDue } = await import('./escalate-due.ts');
  const { deliverDue } = await import('./deliver-due.ts');
  await escalateDue(dispatch.runtime, dispatch.directories, 10);
  expect(await deliverDue(dispatch, 10)).toHaveLength(1);
  // Nothing was sent: the dispatcher is gone.
  await work();
  expect(world.sent).toEqual([]);
  clock.advance(11);
  await work();
  clock.advance(6);
  await work();
  expect(world.sent.length).toBeGreaterThan(0);
});

test('an alarm with the largest delay and priority there are is kept, with its duty', async ({
  runtime,
  client,
}) => {
  const { raise } = await twoTechnicians(client('admin'));
  const answer = await raise({ alarmDelay: 4_294_967_295, priority: 4_294_967_295 });
  expect(answer.statusCode).toBe(200);
  expect(await dutiesOf(runtime)).toEqual([{ occasion: 'raised', closedReason: null }]);
});

test('who is put on duty after the raise is called, and who is disabled meanwhile is not', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const { ada, grace, groupId, raise } = await twoTechnicians(admin);
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
}) => {
  const admin = client('admin');
  const { ada, raise } = await twoTechnicians(admin);
  await raise();
  await escalateDue(runtime, dispatch.directories, 10);
  const { name, username, role } = (await admin.get(`/users/${ada}`)).json();
  await admin.put(`/users/${ada}`, { name, username, role, ...voice('+339') });
  await work();
  clock.advance(1);
  await work();
  expect(world.sent.map(({ address }) => address)[0]).toBe('+339');
});

test('everybody who was called hears that one of them has taken the alarm', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const { groupId, raise } = await twoTechnicians(admin);
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

test('a server whose clock is an hour behind passes over a failing channel all the same', async ({
  runtime,
  client,
  clock,
  world,
  dispatch,
}) => {
  const admin = client('admin');
  const { raise } = await twoTechnicians(admin);
  world.answer = () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 500' });
  const skewed = { ...dispatch, now: () => new Date(clock.now().getTime() - 3_600_000) };
  for (let number = 0; number < 2; number++) await raise({ path: `boiler/${number}` });
  await workOff(skewed);
  const place = { tenantId: 1, channelId: 1 };
  expect(skewed.health.isHealthy(place, clock.now())).toBe(false);
  expect(runtime.database.clock).toBeDefined();
});

test('a provider that asks for a pause is left alone for so long, and then called', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const { raise } = await twoTechnicians(admin);
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

test('a provider that never calls back is asked, and who let it ring is followed by the next', async ({
  client,
  clock,
  world,
  dispatch,
  work,
}) => {
  const { raise } = await twoTechnicians(client('admin'));
  await raise();
  await work();
  expect(await askProviders(dispatch, 10)).toBe(0);
  clock.advance(10);
  expect(await askProviders(dispatch, 10)).toBe(1);
  await work();
  expect(world.sent).toHaveLength(1);
  world.known = () => ({ kind: 'noAnswer', reference: '' });
  clock.advance(10);
  await askProviders(dispatch, 10);
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331', '+332']);
});
