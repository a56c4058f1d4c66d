import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { allowedMs } from '../../harness/judged-times.ts';
import { secondsBetween, story } from '../../harness/on-call/story.ts';

story.concurrent('an alarm calls the first person of its call group with its message', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  await scene.alarm(await scene.group([ada, grace]), { alarmMessage: 'Boiler 1 overheats' });
  expect(await scene.untilCalled(ada)).toMatchObject([{ folder: 'calls', text: 'Boiler 1 overheats' }]);
  expect(scene.callsTo(grace)).toEqual([]);
});

story.concurrent(
  'an unanswered alarm goes to the next person when the time to acknowledge is over',
  async ({ scene }) => {
    const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
    await scene.alarm(await scene.group([ada, grace]));
    const [second] = await scene.untilCalled(grace);
    const seconds = secondsBetween(scene.callsTo(ada)[0], second);
    expect(seconds).toBeGreaterThan(4);
    expect(1_000 * seconds).toBeLessThan(allowedMs(12_000));
  },
);

story.concurrent(
  'an unanswered alarm goes to the relief group, and to its relief group',
  async ({ scene }) => {
    const people = [await scene.hire('Ada'), await scene.hire('Grace'), await scene.hire('Edith')] as const;
    const managers = await scene.group([people[2]]);
    const seniors = await scene.group([people[1]], { reliefGroupId: managers });
    const alarmId = await scene.alarm(await scene.group([people[0]], { reliefGroupId: seniors }));
    await scene.untilCalled(people[2], { withinMs: 40_000 });
    const order = scene.log.lines.filter(({ to }) => people.some(({ phone }) => phone === to));
    expect(order.slice(0, 3).map(({ to }) => to)).toEqual(people.map(({ phone }) => phone));
    const notices = (await scene.timeline(alarmId)).flatMap(({ notice }) => notice ?? []);
    expect(notices.filter(({ kind }) => kind === 'stands-in').map(({ callGroupId }) => callGroupId)).toEqual([
      seniors,
      managers,
    ]);
  },
);

story.concurrent('relief groups cannot form a cycle', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const first = await scene.group([ada]);
  const second = await scene.group([ada], { reliefGroupId: first });
  const body = { name: 'Ring', reliefGroupId: second };
  const answer = await scene.client.send('PUT', `/api/v1/callgroups/${first}`, { body });
  expect(answer.status).toBe(400);
});

story.concurrent('a broadcast calls everybody at once', async ({ scene }) => {
  const people = [await scene.hire('Ada'), await scene.hire('Grace'), await scene.hire('Edith')];
  await scene.alarm(await scene.group(people, { mode: 'Broadcast' }));
  const calls = await Promise.all(people.map((person) => scene.untilCalled(person)));
  const times = calls.flat().map(({ at }) => Date.parse(at));
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(allowedMs(2_000));
});

story.concurrent('a Turnover group begins with another person for each alarm', async ({ scene }) => {
  const people = [await scene.hire('Ada'), await scene.hire('Grace'), await scene.hire('Edith')];
  const groupId = await scene.group(people, { mode: 'Turnover', ackTimeout: 300 });
  const called: string[] = [];
  for (let round = 1; round <= 3; round++) {
    await scene.alarm(groupId);
    const phones = people.map(({ phone }) => phone);
    const lines = await scene.log.until(({ event, to }) => event === 'accepted' && phones.includes(to), {
      count: round,
    });
    called.push(lines.at(-1)?.to ?? '');
  }
  expect(new Set(called).size).toBe(3);
});

story.concurrent(
  'a second round begins after a pause when the first has reached nobody',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone: { kind: 'silent' } });
    await scene.alarm(await scene.group([ada], { cycles: 2 }));
    const [first, second] = await scene.untilCalled(ada, { count: 2, withinMs: 40_000 });
    expect(secondsBetween(first, second)).toBeGreaterThan(14);
  },
);

story.concurrent('calling never ends by itself: the first person follows the last', async ({ scene }) => {
  const silent = { phone: { kind: 'silent' } } as const;
  const [ada, grace] = [await scene.hire('Ada', silent), await scene.hire('Grace', silent)];
  await scene.alarm(await scene.group([ada, grace]));
  await scene.untilCalled(ada, { count: 2, withinMs: 60_000 });
  expect(scene.callsTo(grace).length).toBeGreaterThan(0);
});

story.concurrent('an alarm waits for its delay before anybody is called', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const raisedMs = Date.now();
  await scene.alarm(await scene.group([ada]), { alarmDelay: 4 });
  const [call] = await scene.untilCalled(ada);
  expect(Date.parse(call?.at ?? '') - raisedMs).toBeGreaterThanOrEqual(4_000);
});

story.concurrent('two groups of one alarm are called at the same time', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  const groups = [await scene.group([ada]), await scene.group([grace])];
  const alarmActions = groups.map((id) => ({ type: 'CallGroup', id }));
  await scene.alarm(0, { alarmActions });
  const [first] = await scene.untilCalled(ada);
  const [second] = await scene.untilCalled(grace);
  expect(1_000 * Math.abs(secondsBetween(first, second))).toBeLessThan(allowedMs(2_000));
});

story.concurrent(
  'somebody in two groups of one alarm is not rung twice at the same moment',
  async ({ scene }) => {
    const ada = await scene.hire('Ada');
    const groups = [await scene.group([ada]), await scene.group([ada])];
    await scene.alarm(0, { alarmActions: groups.map((id) => ({ type: 'CallGroup', id })) });
    await scene.untilCalled(ada);
    await sleep(4_000);
    expect(scene.callsTo(ada)).toHaveLength(1);
  },
);

story.concurrent('an action may name a single user', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  await scene.alarm(0, { alarmActions: [{ type: 'CallUser', id: ada.id }] });
  expect(await scene.untilCalled(ada)).toHaveLength(1);
});

story.concurrent('an alarm whose actions name no people calls nobody', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  await scene.group([ada]);
  const alarmId = await scene.alarm(0, { alarmActions: [{ type: 'PlaySound', parameter: 'siren' }] });
  await sleep(3_000);
  expect(scene.callsTo(ada)).toEqual([]);
  expect((await scene.alarmOf(alarmId)).state).toBe(3);
});
