import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Colleague } from '../../harness/on-call/on-call-plant.ts';
import { type Scene, story } from '../../harness/on-call/story.ts';
import { granted, type Page, read } from '../../harness/plant.ts';

const presses = (press: string) => ({ kind: 'answers', press }) as const;
const replies = (reply: string) => ({ kind: 'receives', reply }) as const;
const byText = ({ mobile }: Colleague) => [{ kind: 'Sms', address: mobile }];

async function judgements(scene: Scene, alarmId: number): Promise<string[]> {
  return (await scene.timeline(alarmId)).flatMap(({ answer }) => answer?.judgement ?? []);
}

async function untilJudged(scene: Scene, alarmId: number, judgement: string): Promise<void> {
  for (let look = 0; look < 60; look++) {
    if ((await judgements(scene, alarmId)).includes(judgement)) return;
    await sleep(200);
  }
  expect(await judgements(scene, alarmId)).toContain(judgement);
}

/** Reports to the server as the phone company. */
function report(
  scene: Scene,
  body: object,
  { secret = scene.callbackSecret, id = `report-${randomUUID()}` } = {},
) {
  const text = JSON.stringify({ reference: 'PC1', event: 'digits', ...body });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const path = `/api/v1/channels/${scene.channels.voice}/callback`;
  return scene.client.send('POST', path, {
    raw: text,
    headers: { ...headers, 'content-type': 'application/json' },
    token: null,
  });
}

story.concurrent(
  'a person who presses the code acknowledges the alarm in their name, and nobody else is called',
  async ({ scene }) => {
    const [ada, grace] = [await scene.hire('Ada', { phone: presses('code') }), await scene.hire('Grace')];
    const alarmId = await scene.alarm(await scene.group([ada, grace]));
    await scene.untilAlarm(alarmId, ({ ackUser }) => ackUser === 'Ada');
    await sleep(6_000);
    expect(scene.callsTo(grace)).toEqual([]);
  },
);

story.concurrent('an answered call stops the telephones of the others', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace', { phone: presses('code') })];
  const alarmId = await scene.alarm(await scene.group([ada, grace], { mode: 'Broadcast', ackTimeout: 60 }));
  await scene.untilAlarm(alarmId, ({ ackUser }) => ackUser === 'Grace');
  await scene.log.until(({ event, to }) => event === 'hung-up' && to === ada.phone);
});

story.concurrent('a wrong code acknowledges nothing, and the next person is called', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada', { phone: presses('000000') }), await scene.hire('Grace')];
  const alarmId = await scene.alarm(await scene.group([ada, grace]));
  await scene.untilCalled(grace);
  expect((await scene.alarmOf(alarmId)).state).toBe(3);
  expect(await judgements(scene, alarmId)).toContain('wrong');
});

story.concurrent('a text with the code acknowledges the alarm', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: { kind: 'busy' }, mobile: replies('ok {code}') });
  const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60, attempts: 2 }));
  await scene.untilAlarm(alarmId, ({ ackUser }) => ackUser === 'Ada');
});

story.concurrent('any other text acknowledges nothing', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: { kind: 'busy' }, mobile: replies('who are you?') });
  const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60, attempts: 2 }));
  await scene.log.until(({ event, to }) => event === 'replied' && to === ada.mobile);
  await sleep(2_000);
  expect((await scene.alarmOf(alarmId)).state).toBe(3);
});

story.concurrent(
  'the code followed by 2 confirms the call only, and the next person is called',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone: { kind: 'busy' }, mobile: replies('{code} 2') });
    const grace = await scene.hire('Grace');
    const alarmId = await scene.alarm(await scene.group([ada, grace], { attempts: 2 }));
    await scene.untilCalled(grace);
    expect((await scene.alarmOf(alarmId)).state).toBe(3);
    const calls = (await scene.timeline(alarmId)).flatMap(({ call }) => call ?? []);
    expect(calls.find(({ medium }) => medium === 'Sms')?.status).toBe('Acknowledged');
  },
);

story.concurrent('a forged report changes nothing and is recorded', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60 }));
  const [call] = await scene.untilCalled(ada);
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const answer = await report(scene, { attemptId: call?.attemptId, digits: '123456' }, { secret });
  expect(answer.status).toBe(403);
  await untilJudged(scene, alarmId, 'forged');
  expect((await scene.alarmOf(alarmId)).state).toBe(3);
});

story.concurrent('a report of an unknown attempt is refused like a forged one', async ({ scene }) => {
  const answer = await report(scene, { attemptId: 'somebody-1-1', digits: '123456' });
  expect(answer.status).toBe(403);
});

story.concurrent('a repeated report counts once', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60 }));
  const [call] = await scene.untilCalled(ada);
  const body = { attemptId: call?.attemptId, digits: '000001' };
  const id = randomUUID();
  const answers = [await report(scene, body, { id }), await report(scene, body, { id })];
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  await untilJudged(scene, alarmId, 'replayed');
  expect((await judgements(scene, alarmId)).filter((one) => one === 'wrong')).toHaveLength(1);
});

story.concurrent('of two people who press at once the first acknowledges the alarm', async ({ scene }) => {
  const quick = { kind: 'answers', press: 'code', afterMs: 500 } as const;
  const [ada, grace] = [
    await scene.hire('Ada', { phone: quick }),
    await scene.hire('Grace', { phone: quick }),
  ];
  const alarmId = await scene.alarm(await scene.group([ada, grace], { mode: 'Broadcast', ackTimeout: 60 }));
  await scene.untilAlarm(alarmId, ({ ackUser }) => ackUser !== '');
  await scene.log.until(
    ({ event, to, detail }) =>
      event === 'called-back' && detail.startsWith('digits') && [ada.phone, grace.phone].includes(to),
  );
  const { ackUser } = await scene.alarmOf(alarmId);
  await sleep(2_000);
  expect((await scene.alarmOf(alarmId)).ackUser).toBe(ackUser);
});

story.concurrent(
  'an answer link shows the call, and acknowledges the alarm only when its button is pressed',
  async ({ scene }) => {
    const hook = await import('../../harness/on-call/web-hook.ts').then(({ openWebHook }) =>
      openWebHook(scene),
    );
    try {
      const ada = await scene.hire('Ada', { media: [{ kind: 'Webhook', address: hook.url }] });
      const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60 }));
      const { answerLink } = await hook.next();
      const page = await fetch(answerLink);
      expect([page.status, await page.text()]).toMatchObject([
        200,
        expect.stringContaining('I take the alarm'),
      ]);
      expect((await scene.alarmOf(alarmId)).state).toBe(3);
      const taken = await fetch(answerLink, {
        method: 'POST',
        body: new URLSearchParams({ answer: 'take' }),
      });
      expect(await taken.text()).toContain('is yours');
      expect((await scene.alarmOf(alarmId)).ackUser).toBe('Ada');
      const again = await fetch(answerLink, {
        method: 'POST',
        body: new URLSearchParams({ answer: 'take' }),
      });
      expect(again.status).toBe(410);
    } finally {
      await hook.close();
    }
  },
);

story.concurrent('a link with a changed letter is refused', async ({ scene }) => {
  const answer = await scene.client.get('/answer/v1.AAAA.BBBB', { token: null });
  expect(answer.status).toBe(404);
});

story.concurrent(
  'a called person can answer in the console, and nobody can answer for them',
  async ({ scene }) => {
    const password = 'a long enough password';
    const username = `edith.${randomUUID()}`;
    const ada = await scene.hire('Ada');
    const body = { username, name: 'Edith', role: 'operator', password, media: byText(ada) };
    const edith = granted<number>(await scene.client.post('/api/v1/users', body));
    await scene.company.script(ada.mobile, { kind: 'receives' });
    const alarmId = await scene.alarm(0, { alarmActions: [{ type: 'CallUser', id: edith }] });
    await scene.untilCalled(ada);
    const { items } = await read<Page<{ id: number }>>(scene.client, `call/histories?alarmId=${alarmId}`);
    const path = `/api/v1/calls/attempts/${items[0]?.id}/acknowledge`;
    expect((await scene.client.post(path, { takeAlarm: true })).status).toBe(404);
    const client = scene.someone();
    granted(await client.logIn(username, password));
    expect(granted(await client.post(path, { takeAlarm: true }))).toMatchObject({ accepted: true });
    expect((await scene.alarmOf(alarmId)).ackUser).toBe('Edith');
  },
);
