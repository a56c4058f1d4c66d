import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { allowedMs } from '../../harness/judged-times.ts';
import { startSmallMailServer } from '../../harness/mail/small-mail-server.ts';
import { story } from '../../harness/on-call/story.ts';
import { openWebHook } from '../../harness/on-call/web-hook.ts';
import { create, granted, type Page, read } from '../../harness/plant.ts';

const answers = { phone: { kind: 'answers' } } as const;

story.concurrent('users are called at once with the given message', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const body = { userIds: [ada.id, grace.id], msgText: 'Come to the gate', msgNum: 7 };
  expect(granted(await scene.client.post('/api/v1/call/users', body))).toBe(true);
  const calls = [await scene.untilCalled(ada), await scene.untilCalled(grace)].flat();
  expect(calls.map(({ text }) => text)).toEqual(['Come to the gate', 'Come to the gate']);
});

story.concurrent('when one of the users cannot be called, none is', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace', { media: [] })];
  const body = { userIds: [ada.id, grace.id], msgText: 'Come to the gate' };
  expect(granted(await scene.client.post('/api/v1/call/users', body))).toBe(false);
  await sleep(3_000);
  expect(scene.callsTo(ada)).toEqual([]);
});

story.concurrent('all users of a group are called, on duty or not', async ({ scene }) => {
  const people = [await scene.hire('Ada'), await scene.hire('Grace')];
  const teams = people.map(({ id, name }, index) => ({ id: index + 1, name, userIds: [id] }));
  const roster = { slotMinutes: 60, slots: [{ teamId: 1, day: 1, start: '08:00', end: '09:00' }] };
  const callGroupIds = [await scene.group([], { teams, roster })];
  const body = { callGroupIds, msgText: 'Fire drill' };
  expect(granted(await scene.client.post('/api/v1/call/groups', body))).toBe(true);
  for (const person of people) expect(await scene.untilCalled(person)).toHaveLength(1);
});

story.concurrent('a request that waits answers that everybody was reached', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada', answers), await scene.hire('Grace', answers)];
  const body = { userIds: [ada.id, grace.id], msgText: 'Come' };
  const headers = { prefer: 'wait=20' };
  expect(granted(await scene.client.post('/api/v1/call/users', body, { headers }))).toBe(true);
});

story.concurrent('a request that waits answers that somebody was not reached in time', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada', answers), await scene.hire('Grace')];
  const body = { userIds: [ada.id, grace.id], msgText: 'Come' };
  const headers = { prefer: 'wait=3' };
  const answer = await scene.client.post('/api/v1/call/users', body, { headers });
  expect([granted(answer), answer.headers['preference-applied']]).toEqual([false, 'wait=3']);
});

story.concurrent('a call that is cancelled is hung up', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const answer = await scene.client.post('/api/v1/call/users', { userIds: [ada.id], msgText: 'Come' });
  await scene.untilCalled(ada);
  const { items } = await read<Page<{ id: number; callId: number }>>(scene.client, 'calls?limit=1000');
  const call = items.find(({ callId }) => callId === Number(answer.headers['call-id']));
  granted(await scene.client.post(`/api/v1/calls/${call?.id}/cancel`, { reason: 'found them' }));
  await scene.log.until(({ event, to }) => event === 'hung-up' && to === ada.phone);
});

story.concurrent('an alarm can be acknowledged in the list of calls', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60 }));
  await scene.untilCalled(ada);
  const { items } = await read<Page<{ id: number; alarmId: number }>>(scene.client, 'calls?limit=1000');
  const call = items.find((one) => one.alarmId === alarmId);
  granted(await scene.client.post(`/api/v1/calls/${call?.id}/acknowledge`, {}));
  expect((await scene.alarmOf(alarmId)).state).toBe(1);
  await scene.log.until(({ event, to }) => event === 'hung-up' && to === ada.phone);
});

story.concurrent('the call histories list each attempt, with the number masked', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: { kind: 'busy' }, mobile: { kind: 'receives' } });
  const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60, attempts: 2 }));
  await scene.log.until(({ event, to }) => event === 'called-back' && to === ada.mobile);
  const { items } = await read<Page<{ medium: string; status: string; address: string }>>(
    scene.client,
    `call/histories?alarmId=${alarmId}&sort=%2Bid`,
  );
  expect(items.map(({ medium, status }) => [medium, status])).toEqual([
    ['Voice', 'Busy'],
    ['Sms', 'Delivered'],
  ]);
  expect(items[0]?.address).not.toContain(ada.phone.slice(0, 6));
  expect(items[0]?.address.endsWith(ada.phone.slice(-4))).toBe(true);
});

story.concurrent('the timeline lists all calls and answers in order', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const alarmId = await scene.alarm(await scene.group([ada, grace]));
  await scene.untilCalled(grace);
  await scene.act(alarmId, 'acknowledge', { comment: 'on my way' });
  const events = (await scene.timeline(alarmId)).map(({ kind, call }) =>
    `${kind} ${call?.userId ?? ''}`.trim(),
  );
  expect(events).toEqual(['raised', `called ${ada.id}`, `called ${grace.id}`, 'acknowledged', 'calls-ended']);
});

story.concurrent(
  'a preview lists the people to call and the reasons, and calls nobody',
  async ({ scene }) => {
    const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
    const callGroupId = await scene.group([ada, grace], { ackTimeout: 60 });
    const preview = granted<{ calls: { userId: number; why: string }[] }>(
      await scene.client.post('/api/v1/call/preview', { callGroupId }),
    );
    expect(preview.calls.slice(0, 2)).toMatchObject([
      { userId: ada.id, why: 'always' },
      { userId: grace.id, why: 'always' },
    ]);
    await sleep(2_000);
    expect([...scene.callsTo(ada), ...scene.callsTo(grace)]).toEqual([]);
  },
);

story.concurrent('a preview lists the following steps', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const callGroupId = await scene.group([ada, grace]);
  const { calls } = granted<{ calls: { userId: number; time: string }[] }>(
    await scene.client.post('/api/v1/call/preview', { callGroupId }),
  );
  await scene.alarm(callGroupId);
  await scene.untilCalled(grace);
  const happened = [...scene.callsTo(ada), ...scene.callsTo(grace)].map(({ to }) => to);
  expect(calls.slice(0, 2).map(({ userId }) => userId)).toEqual([ada.id, grace.id]);
  expect(happened.slice(0, 2)).toEqual([ada.phone, grace.phone]);
});

story.concurrent(
  'a flood of alarms for one person is bundled in few calls, and none is missing',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone: { kind: 'silent' } });
    const groupId = await scene.group([ada], { ackTimeout: 300 });
    const ids: number[] = [];
    for (let number = 0; number < 30; number++) ids.push(await scene.alarm(groupId, { priority: 3 }));
    const attemptsOf = (id: number) =>
      read<Page<{ status: string }>>(scene.client, `call/histories?alarmId=${id}`);
    let called = 0;
    for (let look = 0; look < 60 && called < ids.length; look++) {
      await sleep(1_000);
      const lists = await Promise.all(ids.map(attemptsOf));
      called = lists.filter(({ items }) => items.some(({ status }) => status !== 'Queued')).length;
    }
    expect(called).toBe(30);
    const texts = scene.callsTo(ada).map(({ text }) => text);
    expect(texts.length).toBeLessThan(25);
    expect(texts.some((text) => /^\d+ alarms\. First: /.test(text))).toBe(true);
  },
);

story.concurrent(
  'an urgent alarm in a flood is called at once, and named among those that wait',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone: { kind: 'silent' } });
    const groupId = await scene.group([ada], { ackTimeout: 300 });
    for (let number = 0; number < 15; number++) await scene.alarm(groupId, { priority: 3 });
    const beforeMs = Date.now();
    await scene.alarm(groupId, { priority: 1, alarmMessage: 'Somebody has fallen' });
    const [call] = await scene.log.until(({ event, to, text }) => {
      return event === 'accepted' && to === ada.phone && text.includes('Somebody has fallen');
    });
    expect(Date.parse(call?.at ?? '') - beforeMs).toBeLessThan(allowedMs(4_000));
  },
);

story.concurrent(
  'an e-mail goes through the mail server, with a code and a link to answer by',
  async ({ scene }) => {
    const mail = await startSmallMailServer();
    try {
      const settings = { host: '127.0.0.1', port: mail.port, security: 'none', from: 'alarms@plant.example' };
      await create(scene.client, 'channels', { name: 'Mail', kind: 'email', settings });
      const ada = await scene.hire('Ada', { media: [{ kind: 'Email', address: 'ada@plant.example' }] });
      await scene.alarm(await scene.group([ada], { ackTimeout: 60 }), { alarmMessage: 'Pump 7 leaks' });
      for (let look = 0; look < 100 && mail.mails.length === 0; look++) await sleep(200);
      expect(mail.mails[0]).toContain('Pump 7 leaks');
      expect(mail.mails[0]?.replaceAll('=\r\n', '').replaceAll('=\n', '')).toContain('/answer/');
    } finally {
      await mail.stop();
    }
  },
);

story.concurrent('a webhook is signed, and brings the code to answer with', async ({ scene }) => {
  const hook = await openWebHook(scene);
  try {
    const ada = await scene.hire('Ada', { media: [{ kind: 'Webhook', address: hook.url }] });
    await scene.alarm(await scene.group([ada], { ackTimeout: 60 }), { alarmMessage: 'Pump 8 leaks' });
    expect(await hook.next()).toMatchObject({
      text: 'Pump 8 leaks',
      answerCode: expect.stringMatching(/^\d{6}$/) as string,
      answerLink: expect.stringContaining('/answer/') as string,
    });
  } finally {
    await hook.close();
  }
});

story.concurrent('the dispatcher reports that it works', async ({ scene }) => {
  expect((await scene.client.get('/dispatchz', { token: null })).status).toBe(200);
});
