import { expect } from 'vitest';
import type { Client } from '../../testing/app.fixture.ts';
import { answersOf, codeOf, digits, nightShift, sentOf, test } from '../testing/answer.fixture.ts';
import { escalationsOf } from '../testing/dispatch.fixture.ts';

type Attempt = { status: string; ackTime?: string; userId: number };

const attempts = async (admin: Client) =>
  (await admin.get('/call/histories?sort=id')).json<{ items: Attempt[] }>().items;

/** Ada was asked to come to the gate, and the telephone rings. */
async function gateCall(admin: Client, work: () => Promise<void>) {
  const people = await nightShift(admin);
  await admin.post('/call/users', { userIds: [people.ada], msgText: 'Come to the gate' });
  await work();
  return people;
}

test.for(['', '1', '2'])(
  'a call by hand is confirmed with its code%s, and no alarm changes',
  async (choice, { runtime, client, world, work, report }) => {
    const admin = client('admin');
    const { raise } = await gateCall(admin, work);
    const alarmId = await raise('boiler/1', { alarmActions: [] });
    const message = sentOf(world);
    expect(message.alarmCount).toBe(0);
    expect(codeOf(message)).toMatch(/^\d{6}$/);
    expect((await report(digits(message, `${codeOf(message)}${choice}`))).statusCode).toBe(204);
    expect(await attempts(admin)).toMatchObject([
      { status: 'Acknowledged', ackTime: expect.any(String) as string },
    ]);
    await work();
    expect(await escalationsOf(runtime)).toEqual([{ occasion: 'requested', closedReason: 'reached' }]);
    expect(await answersOf(runtime)).toEqual([
      { method: 'provider', intent: 'confirm', judgement: 'accepted' },
    ]);
    expect((await admin.get(`/alarms/${alarmId}`)).json()).toMatchObject({ state: 3, ackUser: '' });
  },
);

test('everybody in a group that is called by hand has their own code', async ({
  runtime,
  client,
  world,
  work,
  report,
}) => {
  const admin = client('admin');
  const { groupId } = await nightShift(admin);
  await admin.post('/call/groups', { callGroupIds: [groupId], msgText: 'Fire drill' });
  await work();
  const [ada, grace] = [sentOf(world, 0), sentOf(world, 1)];
  await report(digits(ada, codeOf(ada)));
  await report(digits(grace, codeOf(ada)));
  expect((await attempts(admin)).map(({ status }) => status)).toEqual(['Acknowledged', 'Delivered']);
  await report(digits(grace, codeOf(grace)));
  expect((await attempts(admin)).map(({ status }) => status)).toEqual(['Acknowledged', 'Acknowledged']);
  expect((await answersOf(runtime)).map(({ judgement }) => judgement).toSorted()).toEqual([
    'accepted',
    'accepted',
    'wrong',
  ]);
});

test('an answer to a call by hand that is forged, repeated, used or late changes nothing and is recorded', async ({
  runtime,
  client,
  clock,
  world,
  work,
  report,
}) => {
  const admin = client('admin');
  await gateCall(admin, work);
  const message = sentOf(world);
  const right = digits(message, codeOf(message));
  expect((await report(right, { secret: Buffer.alloc(32, 6).toString('base64') })).statusCode).toBe(403);
  expect((await attempts(admin))[0]?.status).toBe('Calling');
  const wrong = digits(message, codeOf(message) === '000000' ? '000001' : '000000');
  const signing = { id: 'same', now: clock.now() };
  await report(wrong, signing);
  await report(wrong, signing);
  clock.advance(12 * 3_600);
  await report(right);
  expect((await attempts(admin))[0]).not.toHaveProperty('ackTime');
  expect((await answersOf(runtime)).map(({ intent, judgement }) => [intent, judgement])).toEqual([
    ['confirm', 'forged'],
    ['confirm', 'wrong'],
    ['confirm', 'replayed'],
    ['confirm', 'stale'],
  ]);
});

test('a code that has confirmed a call by hand is used up', async ({
  runtime,
  client,
  world,
  work,
  report,
}) => {
  const admin = client('admin');
  await gateCall(admin, work);
  const message = sentOf(world);
  await report(digits(message, `${codeOf(message)}2`));
  const [before] = await attempts(admin);
  await report(digits(message, codeOf(message)));
  expect(await attempts(admin)).toEqual([before]);
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['accepted', 'used']);
});

test('the link of a call by hand offers to confirm it, in the language of the person called', async ({
  app,
  client,
  world,
  work,
}) => {
  const admin = client('admin');
  const { ada } = await gateCall(admin, work);
  const user = (await admin.get(`/users/${ada}`)).json<object>();
  await admin.put(`/users/${ada}`, { ...user, language: 'fr-FR' });
  const url = new URL(sentOf(world).answer?.link ?? '').pathname;
  const page = await app.inject({ method: 'GET', url });
  expect(page.body).toContain('<html lang="fr">');
  expect(page.body).toContain('Come to the gate');
  expect(page.body).toContain('J&#39;ai reçu l&#39;appel</button>');
  expect(page.body).not.toContain('value="take"');
  const send = () =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'answer=take',
    });
  expect((await send()).body).toContain('Il est noté');
  expect((await attempts(admin))[0]?.status).toBe('Acknowledged');
  const again = await send();
  expect([again.statusCode, again.body]).toEqual([410, expect.stringContaining('déjà')]);
});

test('a logged-in user confirms a call by hand', async ({ client, world, work }) => {
  const admin = client('admin');
  const { ada } = await gateCall(admin, work);
  const attempt = Number(sentOf(world).attemptId.split('-').at(-1));
  const viewer = client('viewer', { userId: ada, name: 'Ada' });
  const path = `/calls/attempts/${attempt}/acknowledge`;
  expect((await viewer.post(path, { takeAlarm: true })).json()).toEqual({ accepted: true, alarms: [] });
  expect((await viewer.post(path)).json()).toEqual({ accepted: false, alarms: [] });
  expect((await attempts(admin))[0]?.status).toBe('Acknowledged');
});

test('a message about a reset needs no answer', async ({ client, world, work }) => {
  const admin = client('admin');
  const { raise, groupId } = await nightShift(admin);
  const quiet = { alarmActions: [], resetActions: [{ type: 'CallGroup', id: groupId }] };
  await raise('boiler/1', quiet);
  await raise('boiler/1', { ...quiet, raised: false });
  await work();
  expect(sentOf(world).answer).toBeUndefined();
});
