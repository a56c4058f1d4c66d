import { setTimeout as sleep } from 'node:timers/promises';
import { test as base, expect } from 'vitest';
import { openMailPlant } from '../harness/mail/mail-plant.ts';

const test = base
  .extend('opened', { scope: 'file' }, () => openMailPlant())
  .extend('plant', { scope: 'file' }, ({ opened }, { onCleanup }) => {
    onCleanup(() => opened.close());
    return opened;
  });

/** Long enough for a mail to be delivered and read. */
const settleMs = 3_000;

const quoted = '\n\nOn Mon, 16 Nov 2026 at 03:00, Alarm <alarm@plant.example> wrote:\n> Trouble\n';

test.concurrent('a person who replies ACK takes the alarm in their name, and nobody else gets a mail', async ({
  plant,
}) => {
  const [ada, grace] = [await plant.employ('Ada'), await plant.employ('Grace')];
  const alarmId = await plant.alarmTo([ada.id, grace.id], { ackTimeout: 15 });
  const { replyTo, text } = await ada.mail();
  expect(text).toMatch(/Reply \d{6} to take the alarm/);
  await plant.send({ from: ada.address, to: replyTo, text: `ACK, on my way${quoted}` });
  await plant.untilTakenBy(alarmId, 'Ada');
  await plant.untilEntry(alarmId, ({ answer }) => answer?.judgement === 'accepted');
  // Grace would have been called by now.
  await sleep(16_000);
  const called = (await plant.timeline(alarmId)).flatMap(({ call }) => call?.userId ?? []);
  expect(new Set(called)).toEqual(new Set([ada.id]));
});

test.concurrent('an absent person is not taken for an answer, and the next person gets a mail', async ({
  plant,
}) => {
  const [ada, grace] = [await plant.employ('Ada'), await plant.employ('Grace')];
  const alarmId = await plant.alarmTo([ada.id, grace.id], { ackTimeout: 8 });
  const { replyTo } = await ada.mail();
  const headers = { 'Auto-Submitted': 'auto-replied' };
  await plant.send({ from: ada.address, to: replyTo, text: 'ok, I am back on Monday', headers });
  const { replyTo: next } = await grace.mail();
  expect((await plant.alarmOf(alarmId)).state).toBe(3);
  await plant.send({ from: grace.address, to: next, text: `Oui${quoted}` });
  await plant.untilTakenBy(alarmId, 'Grace');
});

test.concurrent('a forged address and another sender take nothing', async ({ plant }) => {
  const ada = await plant.employ('Ada');
  const alarmId = await plant.alarmTo([ada.id]);
  const { replyTo } = await ada.mail();
  const forged = replyTo.replace(/.(?=@)/, (last) => (last === 'a' ? 'b' : 'a'));
  await plant.send({ from: ada.address, to: forged, text: 'ok' });
  await plant.send({ from: 'eve@plant.example', to: replyTo, text: 'ok' });
  await sleep(settleMs);
  expect((await plant.alarmOf(alarmId)).state).toBe(3);
  await plant.send({ from: ada.address.toUpperCase(), to: replyTo, text: 'ok' });
  await plant.untilTakenBy(alarmId, 'Ada');
});

test.concurrent('a reply that says 2 confirms the call, and the alarm stays open', async ({ plant }) => {
  const ada = await plant.employ('Ada');
  const alarmId = await plant.alarmTo([ada.id]);
  const { replyTo } = await ada.mail();
  await plant.send({ from: ada.address, to: replyTo, text: `2${quoted}` });
  await plant.untilEntry(
    alarmId,
    ({ answer }) => answer?.intent === 'confirm' && answer.judgement === 'accepted',
  );
  expect((await plant.alarmOf(alarmId)).state).toBe(3);
});

test.concurrent('a mail that comes back fails its attempt, and the next person is called at once', async ({
  plant,
}) => {
  const gone = await plant.hire('Gone', [{ kind: 'Email', address: 'gone@far.example' }]);
  const grace = await plant.employ('Grace');
  const alarmId = await plant.alarmTo([gone, grace.id], { ackTimeout: 600 });
  await plant.untilEntry(alarmId, ({ call }) => call?.userId === gone && call.status === 'Failed');
  const { replyTo } = await grace.mail();
  await plant.send({ from: grace.address, to: replyTo, text: 'ok' });
  await plant.untilTakenBy(alarmId, 'Grace');
});

test.concurrent('a mail scanner that opens the link takes nothing; the button does', async ({ plant }) => {
  const ada = await plant.employ('Ada');
  const alarmId = await plant.alarmTo([ada.id]);
  const { link } = await ada.mail();
  for (let opened = 0; opened < 3; opened += 1) expect((await fetch(link)).status).toBe(200);
  expect((await plant.alarmOf(alarmId)).state).toBe(3);
  const answer = await fetch(link, { method: 'POST', body: new URLSearchParams({ answer: 'take' }) });
  expect(answer.status).toBe(200);
  await plant.untilTakenBy(alarmId, 'Ada');
});

test('a reply that arrives while the mailbox cannot be read counts when it can again', async ({ plant }) => {
  const ada = await plant.employ('Ada');
  const alarmId = await plant.alarmTo([ada.id]);
  const { replyTo } = await ada.mail();
  await plant.restartMailbox(async () => {
    await plant.send({ from: ada.address, to: replyTo, text: 'Ja' });
    await sleep(settleMs);
    expect((await plant.alarmOf(alarmId)).state).toBe(3);
  });
  await plant.untilTakenBy(alarmId, 'Ada');
});
