import type { Medium, NoticeContent } from '@tocsin/domain';
import { expect } from 'vitest';
import { addPerson } from '../../calls/testing/people.fixture.ts';
import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import { readNotice } from '../../notices/read-notice.ts';
import { sendNotice } from '../../notices/send-notice.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { escalationsOf, test } from '../testing/dispatch.fixture.ts';
import { type World } from '../testing/simulated-dispatch.fixture.ts';

const phone: Medium = { kind: 'Voice', address: '+331' };
const text: Medium = { kind: 'Sms', address: '+336' };

const send = (
  { database }: Runtime,
  userId: number,
  media: readonly Medium[],
  content: NoticeContent = { kind: 'test' },
) =>
  inTenant(database, 1, async (transaction) => {
    const sent = await sendNotice(transaction, { content, userId, media, requestedBy: 'Ann' });
    return sent?.id ?? 0;
  });
const outcomes = ({ database }: Runtime, noticeId: number) =>
  inTenant(database, 1, (transaction) => readNotice(transaction, noticeId));
const report = (world: World, outcome: ChannelOutcome) =>
  world.reports.get(world.sent.at(-1)?.attemptId ?? '')?.(outcome);

test('a test call is confirmed with a key, and a text by its reply', async ({
  runtime,
  world,
  work,
  client,
}) => {
  world.livesHere = true;
  const ada = await addPerson(client('admin'), 'Ada', { media: [phone, text] });
  const noticeId = await send(runtime, ada, [text, phone]);
  await work();
  const said = { text: 'This is a test of Tocsin for Ada.', alarmCount: 0, alarms: [], notice: 'test' };
  expect(world.sent).toMatchObject([
    { address: '+336', ...said, answer: { code: expect.stringMatching(/^\d{6}$/) } },
    { address: '+331', ...said },
  ]);
  expect(await outcomes(runtime, noticeId)).toMatchObject([
    { kind: 'Sms', address: '+336', state: 'sent' },
    { kind: 'Voice', address: '+331', state: 'sending' },
  ]);
  await report(world, { kind: 'answered', reference: '' });
  await work();
  expect(world.hungUp, 'the person can listen').toEqual([]);
  const heard = [world.sent[1]?.attemptId ?? ''];
  const pressed = {
    kind: 'pressed',
    reference: '',
    choice: 'confirm',
    heard,
    proof: { kind: 'leg' },
  } as const;
  expect(await report(world, pressed)).toMatchObject({ judgement: 'accepted' });
  await report(world, { kind: 'ended', reference: '', reason: '', heard });
  await work();
  const [sms] = world.sent;
  const reply = { kind: 'acknowledged', reference: '', code: sms?.answer?.code ?? '' } as const;
  await world.reports.get(sms?.attemptId ?? '')?.(reply);
  expect(await outcomes(runtime, noticeId)).toMatchObject([
    { state: 'confirmed', confirmedBy: 'reply' },
    { state: 'confirmed', confirmedBy: 'key', reason: '' },
  ]);
  expect(await escalationsOf(runtime)).toEqual([
    { occasion: 'notice', closedReason: 'reached' },
    { occasion: 'notice', closedReason: 'reached' },
  ]);
});

test('a code reaches an address that is not theirs yet, is spoken twice, and is forgotten', async ({
  runtime,
  world,
  work,
  client,
}) => {
  const ada = await addPerson(client('admin'), 'Ada', { media: [], language: 'de' });
  const content = { kind: 'code', code: '482913' } as const;
  world.answer = ({ attemptId }) => ({ kind: 'delivered', reference: attemptId });
  await send(runtime, ada, [phone], content);
  await send(runtime, ada, [text], content);
  await work();
  expect(world.sent).toMatchObject([
    {
      address: '+331',
      text: 'Ihr Tocsin-Code ist 4 8 2 9 1 3. Noch einmal: 4 8 2 9 1 3.',
      answer: undefined,
    },
    { address: '+336', text: 'Ihr Tocsin-Code ist 482913.' },
  ]);
  const stored = await inTenant(runtime.database, 1, async (transaction) => [
    await transaction.selectFrom('escalations').selectAll().execute(),
    await transaction.selectFrom('callAttempts').selectAll().execute(),
  ]);
  expect(JSON.stringify(stored)).not.toMatch(/482913|4 8 2 9 1 3/);
});

test('an alarm goes first, and ends the test call that its telephone is in', async ({
  runtime,
  world,
  work,
  technicians,
  clock,
}) => {
  const noticeId = await send(runtime, technicians.ada, [phone]);
  await technicians.raise();
  await work();
  expect(world.sent, 'both were due').toMatchObject([{ address: '+331', alarmCount: 1 }]);
  await report(world, { kind: 'ended', reference: '', reason: '', wasAnswered: true });
  clock.advance(20);
  await work();
  expect(world.sent.at(-1)).toMatchObject({ address: '+331', notice: 'test' });
  await technicians.raise({ path: 'boiler/2', alarmMessage: 'Boiler 2 leaks' });
  await work();
  expect(world.hungUp).toContain(world.sent.find(({ notice }) => notice)?.attemptId);
  expect(world.sent.at(-1)).toMatchObject({ address: '+331', text: 'Boiler 2 leaks' });
  expect(await outcomes(runtime, noticeId), 'it is tried again').toMatchObject([{ state: 'sending' }]);
});

test('a notice is no call of the histories or of the calls in progress', async ({
  runtime,
  work,
  client,
}) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', { media: [phone] });
  await send(runtime, ada, [phone]);
  await work();
  expect((await admin.get('/call/histories')).json()).toMatchObject({ items: [], paging: { total: 0 } });
  expect((await admin.get('/calls')).json()).toMatchObject({ items: [], paging: { total: 0 } });
  expect((await admin.get('/alarms')).json()).toMatchObject({ items: [], paging: { total: 0 } });
});

test('a medium that no channel serves fails without an alarm, and says why', async ({
  runtime,
  work,
  client,
  clock,
}) => {
  const admin = client('admin');
  const push: Medium = { kind: 'Push', address: 'https://push.example/ada' };
  const ada = await addPerson(admin, 'Ada', { media: [{ kind: 'Pager', address: '4711' }] });
  const noticeId = await send(runtime, ada, [{ kind: 'Pager', address: '4711' }, push]);
  for (let minute = 0; minute < 12; minute += 1) {
    await work();
    clock.advance(60);
  }
  expect(await outcomes(runtime, noticeId)).toMatchObject([
    { state: 'failed', reason: 'no channel for Pager' },
    { state: 'failed' },
  ]);
  const raised = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('systemAlarms').select('path').execute(),
  );
  expect(raised).toEqual([]);
});
