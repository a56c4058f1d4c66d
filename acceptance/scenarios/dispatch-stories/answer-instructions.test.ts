import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Colleague } from '../../harness/on-call/on-call-plant.ts';
import { type Scene, story } from '../../harness/on-call/story.ts';
import type { LogLine } from '../../harness/phone-company/protocol.ts';
import { granted, type Page, read } from '../../harness/plant.ts';

type Attempt = { status: string; alarmId: number; ackTime?: string };

const callManually = async (scene: Scene, { id }: Colleague, msgText: string) =>
  expect(granted(await scene.client.post('/api/v1/call/users', { userIds: [id], msgText }))).toBe(true);

const attemptsOf = async (scene: Scene, { id }: Colleague) =>
  (await read<Page<Attempt>>(scene.client, `call/histories?userId=${id}&sort=%2Bid`)).items;

async function untilAcknowledged(scene: Scene, who: Colleague): Promise<Attempt> {
  for (let look = 0; look < 100; look++) {
    const found = (await attemptsOf(scene, who)).find(({ status }) => status === 'Acknowledged');
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`never acknowledged: ${JSON.stringify(await attemptsOf(scene, who))}`);
}

const linkIn = (line: LogLine | undefined) => /https?:\/\/\S+\/answer\/\S+/.exec(line?.text ?? '')?.[0] ?? '';

story.concurrent(
  'a call says which keys to press, and pressing them acknowledges the alarm',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone: { kind: 'answers', press: 'code' } });
    const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60 }));
    const [call] = await scene.untilCalled(ada);
    const [pressed] = await scene.log.until(({ event, to }) => event === 'pressed' && to === ada.phone);
    const digits = Array.from(pressed?.detail ?? '').join(' ');
    expect(call?.prompt).toBe(
      `To take the alarm, press ${digits}. To confirm only that you have got this call, press ${digits} and then 2.`,
    );
    await scene.untilAlarm(alarmId, ({ ackUser }) => ackUser === 'Ada');
  },
);

story.concurrent('a text says what to reply, and leads to a page that takes the alarm', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: { kind: 'busy' }, mobile: { kind: 'receives' } });
  const group = await scene.group([ada], { ackTimeout: 60, attempts: 2 });
  const alarmId = await scene.alarm(group, { alarmMessage: 'Pump 7 leaks' });
  const [text] = await scene.log.until(({ event, to }) => event === 'accepted' && to === ada.mobile);
  expect(text?.text).toMatch(
    /^Pump 7 leaks\nReply (\d{6}) to take the alarm, \1 2 to confirm only that you got this\.\nhttp/,
  );
  expect((await scene.alarmOf(alarmId)).state).toBe(3);
  const body = new URLSearchParams({ answer: 'take' });
  expect(await (await fetch(linkIn(text), { method: 'POST', body })).text()).toContain('is yours');
  expect((await scene.alarmOf(alarmId)).ackUser).toBe('Ada');
});

story.concurrent('each person is called in their own language', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: { kind: 'busy' }, mobile: { kind: 'receives' } });
  const path = `/api/v1/users/${ada.id}`;
  const user = granted<object>(await scene.client.get(path));
  granted(await scene.client.send('PUT', path, { body: { ...user, language: 'fr' } }));
  await scene.alarm(await scene.group([ada], { ackTimeout: 60, attempts: 2 }));
  const [call] = await scene.untilCalled(ada);
  expect(call?.prompt).toMatch(/^Pour prendre l'alarme, tapez (\d ){5}\d\./);
  const [text] = await scene.log.until(({ event, to }) => event === 'accepted' && to === ada.mobile);
  expect(text?.text).toContain("pour prendre l'alarme");
  expect(await (await fetch(linkIn(text))).text()).toContain('Je prends');
});

story.concurrent(
  'a manual call says how to confirm it, and the keys confirm the call and no alarm',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone: { kind: 'answers', press: 'code' } });
    const alarmId = await scene.alarm(0, { alarmActions: [] });
    await callManually(scene, ada, 'Come to the gate');
    const [call] = await scene.untilCalled(ada);
    expect(call?.prompt).toMatch(/^To confirm that you have got this call, press (\d ){5}\d\.$/);
    expect(await untilAcknowledged(scene, ada)).toMatchObject({
      alarmId: 0,
      ackTime: expect.any(String) as string,
    });
    expect(await scene.alarmOf(alarmId)).toMatchObject({ state: 3, ackUser: '' });
  },
);

story.concurrent('a manual text is confirmed by reply or by its link', async ({ scene }) => {
  const media = (address: string) => ({ media: [{ kind: 'Sms', address }] });
  const replies = await scene.hire('Grace', media('+33655000001'));
  const opens = await scene.hire('Edith', media('+33655000002'));
  await scene.company.script('+33655000001', { kind: 'receives', reply: 'ok {code}' });
  await scene.company.script('+33655000002', { kind: 'receives' });
  await callManually(scene, replies, 'Fire drill');
  await callManually(scene, opens, 'Fire drill');
  await untilAcknowledged(scene, replies);
  const [text] = await scene.log.until(({ event, to }) => event === 'accepted' && to === '+33655000002');
  const page = await (await fetch(linkIn(text))).text();
  expect(page).toContain('I have got the call');
  expect(page).not.toContain('I take');
  const body = new URLSearchParams({ answer: 'confirm' });
  expect((await fetch(linkIn(text), { method: 'POST', body })).status).toBe(200);
  expect((await fetch(linkIn(text), { method: 'POST', body })).status).toBe(410);
  await untilAcknowledged(scene, opens);
});

story.concurrent('a forged report of a call by hand confirms nothing', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  await callManually(scene, ada, 'Come');
  const [call] = await scene.untilCalled(ada);
  const digits = call?.prompt.replace(/\D/g, '') ?? '';
  expect(digits).toMatch(/^\d{6}$/);
  const text = JSON.stringify({ attemptId: call?.attemptId, reference: 'PC1', event: 'digits', digits });
  const id = `report-${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.alloc(32, 7);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
  const answer = await scene.client.send('POST', `/api/v1/channels/${scene.channels.voice}/callback`, {
    raw: text,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'content-type': 'application/json',
    },
    token: null,
  });
  expect(answer.status).toBe(403);
  expect((await attemptsOf(scene, ada)).map(({ status }) => status)).toEqual(['Calling']);
});
