import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Colleague } from '../../harness/on-call/on-call-plant.ts';
import { type Scene, secondsBetween, story } from '../../harness/on-call/story.ts';
import { granted } from '../../harness/plant.ts';

async function setRules({ client }: Scene, { id }: Colleague, rules: object[]): Promise<void> {
  const body = { timeZone: 'UTC', rules };
  granted(await client.send('PUT', `/api/v1/users/${id}/media-rules`, { body }));
}

/** `hh:mm` in UTC, so many minutes from now. */
const clockIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);

/** It is night now, and will be for some hours. */
const night = (priorities: number[]) => ({ priorities, from: clockIn(-60), to: clockIn(300), media: [] });

story.concurrent(
  'by night an alarm of priority 4 waits, and one of priority 1 rings at once',
  async ({ scene }) => {
    const ada = await scene.hire('Ada');
    await setRules(scene, ada, [night([3, 4])]);
    const groupId = await scene.group([ada]);
    const waiting = await scene.alarm(groupId, { priority: 4 });
    await sleep(6_000);
    expect(scene.callsTo(ada)).toEqual([]);
    await scene.alarm(groupId, { priority: 1, alarmMessage: 'Boiler 1 overheats' });
    expect(await scene.untilCalled(ada)).toMatchObject([{ text: 'Boiler 1 overheats' }]);
    const notices = (await scene.timeline(waiting)).flatMap(({ notice }) => notice ?? []);
    expect(notices.map(({ kind }) => kind)).toEqual(['quiet']);
  },
);

story.concurrent('the next person is called at once for somebody who is quiet', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada'), await scene.hire('Grace')];
  await setRules(scene, ada, [night([4])]);
  await scene.alarm(await scene.group([ada, grace]), { priority: 4 });
  await scene.untilCalled(grace);
  expect(scene.callsTo(ada)).toEqual([]);
});

story.concurrent(
  'a waiting alarm calls when the quiet hours end',
  async ({ scene }) => {
    const ada = await scene.hire('Ada');
    // At least 20 s from now, so that the alarm is raised in the quiet hours.
    const end = clockIn(new Date().getUTCSeconds() < 40 ? 1 : 2);
    await setRules(scene, ada, [{ ...night([4]), to: end }]);
    await scene.alarm(await scene.group([ada]), { priority: 4 });
    const [call] = await scene.untilCalled(ada, { withinMs: 140_000 });
    expect(call?.at.slice(11, 16)).toBe(end);
  },
  200_000,
);

story.concurrent('media are tried in the order and with the waits of the rule', async ({ scene }) => {
  const ada = await scene.hire('Ada', { mobile: { kind: 'accepts' } });
  const media = [{ kind: 'Sms' }, { kind: 'Voice', afterSeconds: 5 }];
  await setRules(scene, ada, [{ priorities: [2], media }]);
  await scene.alarm(await scene.group([ada], { ackTimeout: 120, attempts: 2 }), { priority: 2 });
  const [text, call] = await scene.untilCalled(ada, { count: 2 });
  expect([text?.to, call?.to]).toEqual([ada.mobile, ada.phone]);
  // Without the rule the second medium would follow after a minute.
  expect(secondsBetween(text, call)).toBeGreaterThan(4);
  expect(secondsBetween(text, call)).toBeLessThan(30);
});

story.concurrent('quiet hours are refused for priority 1', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const body = { rules: [night([1, 4])] };
  const answer = await scene.client.send('PUT', `/api/v1/users/${ada.id}/media-rules`, { body });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('quiet hours never apply to priority 1');
});
