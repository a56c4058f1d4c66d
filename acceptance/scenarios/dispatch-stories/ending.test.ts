import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { allowedMs } from '../../harness/judged-times.ts';
import { secondsBetween, story } from '../../harness/on-call/story.ts';
import { create } from '../../harness/plant.ts';

story.concurrent(
  'an acknowledgment while the telephone rings hangs up within two seconds',
  async ({ scene }) => {
    const ada = await scene.hire('Ada');
    const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60 }));
    await scene.untilCalled(ada);
    const beforeMs = Date.now();
    await scene.act(alarmId, 'acknowledge');
    const [end] = await scene.log.until(({ event, to }) => event === 'hung-up' && to === ada.phone);
    expect(Date.parse(end?.at ?? '') - beforeMs).toBeLessThan(allowedMs(2_000));
  },
);

story.concurrent('nobody else is called once somebody has acknowledged', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const alarmId = await scene.alarm(await scene.group([ada, grace]));
  await scene.untilCalled(ada);
  await scene.act(alarmId, 'acknowledge');
  await sleep(8_000);
  expect(scene.callsTo(grace)).toEqual([]);
  expect(scene.callsTo(ada)).toHaveLength(1);
});

story.concurrent('a reset by the source ends the calling', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const groupId = await scene.group([ada, grace]);
  await scene.alarm(groupId, { path: 'goes/away' });
  await scene.untilCalled(ada);
  await scene.alarm(groupId, { path: 'goes/away', raised: false });
  await scene.log.until(({ event, to }) => event === 'hung-up' && to === ada.phone);
  await sleep(6_000);
  expect(scene.callsTo(grace)).toEqual([]);
});

story.concurrent('an alarm that is reset before its delay is over calls nobody', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const groupId = await scene.group([ada]);
  await scene.alarm(groupId, { path: 'short/one', alarmDelay: 3 });
  await scene.alarm(groupId, { path: 'short/one', raised: false });
  await sleep(6_000);
  expect(scene.callsTo(ada)).toEqual([]);
});

story.concurrent('an alarm that is acknowledged before its delay is over calls nobody', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmId = await scene.alarm(await scene.group([ada]), { alarmDelay: 3 });
  await scene.act(alarmId, 'acknowledge');
  await sleep(6_000);
  expect(scene.callsTo(ada)).toEqual([]);
});

story.concurrent('a transitory alarm calls until it is acknowledged', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const alarmId = await scene.alarm(await scene.group([ada, grace]), {
    eventCondition: { transitory: true },
  });
  await scene.untilCalled(grace);
  expect((await scene.alarmOf(alarmId)).state).toBe(2);
  await scene.act(alarmId, 'acknowledge');
  await scene.log.until(({ event, to }) => event === 'hung-up' && to === grace.phone);
});

story.concurrent('a masked alarm calls nobody, and calls when the mask is removed', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmId = await scene.alarm(await scene.group([ada]), { alarmDelay: 3 });
  await scene.act(alarmId, 'mask', { reason: 'welding', seconds: 600 });
  await sleep(5_000);
  expect(scene.callsTo(ada)).toEqual([]);
  await scene.act(alarmId, 'unmask', { reason: 'done' });
  expect(await scene.untilCalled(ada)).toHaveLength(1);
});

story.concurrent('calling begins again when a mask ends by itself', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmId = await scene.alarm(await scene.group([ada]), { alarmDelay: 2 });
  await scene.act(alarmId, 'mask', { reason: 'welding', seconds: 5 });
  const maskedMs = Date.now();
  const [call] = await scene.untilCalled(ada, { withinMs: 40_000 });
  expect(Date.parse(call?.at ?? '') - maskedMs).toBeGreaterThan(4_000);
});

story.concurrent('a mask put on while the telephone rings hangs up', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const alarmId = await scene.alarm(await scene.group([ada, grace]));
  await scene.untilCalled(ada);
  await scene.act(alarmId, 'mask', { reason: 'welding', seconds: 600 });
  await scene.log.until(({ event, to }) => event === 'hung-up' && to === ada.phone);
  await sleep(6_000);
  expect(scene.callsTo(grace)).toEqual([]);
});

story.concurrent(
  'an alarm that is acknowledged under its mask calls nobody when the mask ends',
  async ({ scene }) => {
    const ada = await scene.hire('Ada');
    const alarmId = await scene.alarm(await scene.group([ada]), { alarmDelay: 2 });
    await scene.act(alarmId, 'mask', { reason: 'welding', seconds: 600 });
    await scene.act(alarmId, 'acknowledge');
    await scene.act(alarmId, 'unmask', { reason: 'done' });
    await sleep(5_000);
    expect(scene.callsTo(ada)).toEqual([]);
  },
);

story.concurrent(
  'an alarm that is raised again while people are called makes no second call',
  async ({ scene }) => {
    const ada = await scene.hire('Ada');
    const groupId = await scene.group([ada], { ackTimeout: 60 });
    for (let time = 1; time <= 3; time++) await scene.alarm(groupId, { path: 'again/and/again' });
    await scene.untilCalled(ada);
    await sleep(3_000);
    expect(scene.callsTo(ada)).toHaveLength(1);
  },
);

story.concurrent('an alarm that comes back after its acknowledgment calls anew', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: { kind: 'silent' } });
  const groupId = await scene.group([ada], { ackTimeout: 60 });
  const path = 'comes/back';
  const alarmId = await scene.alarm(groupId, { path });
  await scene.untilCalled(ada);
  await scene.act(alarmId, 'acknowledge');
  await scene.alarm(groupId, { path, raised: false });
  await scene.alarm(groupId, { path });
  expect(await scene.untilCalled(ada, { count: 2 })).toHaveLength(2);
});

story.concurrent('a reset is reported to a group if the alarm has reset actions', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace', { mobile: { kind: 'receives' } })];
  const [calls, informs] = [await scene.group([ada]), await scene.group([grace])];
  const body = {
    path: 'is/gone',
    resetMessage: 'The boiler is well again',
    resetActions: [{ type: 'CallGroup', id: informs }],
  };
  await scene.alarm(calls, body);
  await scene.untilCalled(ada);
  expect(scene.callsTo(grace)).toEqual([]);
  await scene.alarm(calls, { ...body, raised: false });
  expect((await scene.untilCalled(grace))[0]?.text).toBe('The boiler is well again');
});

story.concurrent(
  'an acknowledgment is reported to a group if the alarm has acknowledgment actions',
  async ({ scene }) => {
    const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
    const ackActions = [{ type: 'CallUser', id: grace.id }];
    const alarmId = await scene.alarm(await scene.group([ada]), { ackActions, ackMessage: 'Ada is on it' });
    await scene.untilCalled(ada);
    await scene.act(alarmId, 'acknowledge');
    expect((await scene.untilCalled(grace))[0]?.text).toBe('Ada is on it');
  },
);

story.concurrent('an alarm that is acknowledged on reset reports both', async ({ scene }) => {
  const [ada, grace, edith] = [
    await scene.hire('Ada'),
    await scene.hire('Grace', { phone: { kind: 'answers' } }),
    await scene.hire('Edith', { phone: { kind: 'answers' } }),
  ];
  const tagGroupId = await create(scene.client, 'taggroups', { name: 'By itself', autoAcknowledge: true });
  const body = {
    path: 'by/itself',
    tagGroupId,
    resetActions: [{ type: 'CallUser', id: grace.id }],
    ackActions: [{ type: 'CallUser', id: edith.id }],
  };
  const groupId = await scene.group([ada]);
  const alarmId = await scene.alarm(groupId, body);
  await scene.untilCalled(ada);
  await scene.alarm(groupId, { ...body, raised: false });
  await Promise.all([scene.untilCalled(grace), scene.untilCalled(edith)]);
  expect((await scene.alarmOf(alarmId)).state).toBe(0);
});

story.concurrent('a scenario calls the people in its actions', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmActions = [{ type: 'CallUser', id: ada.id }];
  const id = await create(scene.client, 'scenarios', { name: 'At night', alarmActions });
  await scene.alarm(0, { alarmActions: [{ type: 'Scenario', id }] });
  expect(await scene.untilCalled(ada)).toHaveLength(1);
});

story.concurrent('an alarm without actions follows the scenario of its tag group', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const alarmActions = [{ type: 'CallUser', id: ada.id }];
  const scenarioId = await create(scene.client, 'scenarios', { name: 'In the hall', alarmActions });
  const tagGroupId = await create(scene.client, 'taggroups', { name: 'Hall', scenarioId });
  await scene.alarm(0, { alarmActions: [], tagGroupId });
  expect(await scene.untilCalled(ada)).toHaveLength(1);
});

story.concurrent('a person who only has to know is informed once', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace', { phone: { kind: 'answers' } })];
  const ackActions = [{ type: 'CallUser', id: grace.id }];
  const alarmId = await scene.alarm(await scene.group([ada]), { ackActions });
  await scene.untilCalled(ada);
  await scene.act(alarmId, 'acknowledge');
  const [call] = await scene.untilCalled(grace);
  await sleep(6_000);
  expect(scene.callsTo(grace)).toEqual([call]);
  expect(secondsBetween(scene.callsTo(ada)[0], call)).toBeGreaterThan(0);
});
