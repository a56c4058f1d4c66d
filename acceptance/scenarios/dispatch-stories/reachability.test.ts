import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Colleague } from '../../harness/on-call/on-call-plant.ts';
import { type Scene, story } from '../../harness/on-call/story.ts';
import { create, granted, type Page, read } from '../../harness/plant.ts';
import { startServer } from '../../harness/server.ts';

type Reachability = {
  userId: number;
  reached: string;
  testing: boolean;
  media: { medium: string; state: string; reason: string; confirmedBy?: string }[];
};

const reachabilityOf = ({ client }: Scene, { id }: Colleague) =>
  read<Reachability>(client, `users/${id}/reachability`);

/** Tests somebody who confirms every medium that reaches them. */
async function tested(scene: Scene, who: Colleague): Promise<Reachability> {
  granted(await scene.client.post(`/api/v1/users/${who.id}/reachability-test`, {}));
  const deadline = performance.now() + 60_000;
  for (;;) {
    const result = await reachabilityOf(scene, who);
    const isOver = result.media.every(({ state }) => state === 'confirmed' || state === 'failed');
    if (!result.testing && isOver) return result;
    if (performance.now() > deadline) throw new Error(`after 60 s: ${JSON.stringify(result)}`);
    await sleep(200);
  }
}

story.concurrent('a person is tested by telephone and by text, and confirms both', async ({ scene }) => {
  const ada = await scene.hire('Ada', {
    phone: { kind: 'answers', press: 'code', talkMs: 500 },
    mobile: { kind: 'receives', reply: 'ok {code}' },
  });
  expect((await reachabilityOf(scene, ada)).reached).toBe('untested');
  const { reached, media } = await tested(scene, ada);
  expect(reached).toBe('all');
  expect(media).toMatchObject([
    { medium: 'Voice', state: 'confirmed', confirmedBy: 'key' },
    { medium: 'Sms', state: 'confirmed', confirmedBy: 'reply' },
  ]);
  expect(scene.callsTo(ada).map(({ text }) => text)).toEqual([
    'This is a test of Tocsin for Ada.',
    expect.stringMatching(/^This is a test of Tocsin for Ada\.\nReply \d{6} to confirm that you got this\./s),
  ]);
});

story.concurrent('a wrong number is shown to the manager, and raises no alarm', async ({ scene }) => {
  const grace = await scene.hire('Grace', {
    phone: { kind: 'errors', status: 422 },
    mobile: { kind: 'receives', reply: '{code}' },
  });
  const { reached, media } = await tested(scene, grace);
  expect(reached).toBe('part');
  expect(media).toMatchObject([{ medium: 'Voice', state: 'failed' }, { state: 'confirmed' }]);
  expect(media[0]?.reason).not.toBe('');
  const list = await read<Page<Reachability>>(scene.client, 'reachability?reached=part&limit=1000');
  expect(list.items.map(({ userId }) => userId)).toContain(grace.id);
  const alarms = await read<Page<{ path: string }>>(scene.client, 'alarms?limit=1000');
  expect(alarms.items.filter(({ path }) => path.includes('nobody-to-call'))).toEqual([]);
  const calls = await read<Page<{ userId: number }>>(scene.client, 'call/histories?limit=1000');
  expect(calls.items.filter(({ userId }) => userId === grace.id)).toEqual([]);
});

story('with two servers a reminder of a shift is sent once, and no telephone rings', async ({ scene }) => {
  const { client, databaseUrl, secretsKeyFile } = scene;
  const edith = await scene.hire('Edith', { mobile: { kind: 'receives' } });
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  const overrides = [{ teamId: 1, from: minutes(10), to: minutes(120) }];
  await create(client, 'callgroups', {
    name: 'Evening',
    teams: [{ id: 1, name: 'Evening', userIds: [edith.id] }],
    roster: { slotMinutes: 60, slots: [], overrides },
  });
  const other = await startServer({
    databaseUrl,
    environment: {
      DRAIN_MS: '0',
      ROLES: 'api,hub,dispatch',
      EGRESS_ALLOW: '127.0.0.0/8:*',
      SECRETS_KEY_FILE: secretsKeyFile,
    },
  });
  try {
    const body = { fallbackCallGroupId: 0, shiftReminderMinutes: 30 };
    granted(await client.send('PUT', '/api/v1/dispatch/settings', { body }));
    const [reminder] = await scene.untilCalled(edith, { withinMs: 40_000 });
    expect(reminder).toMatchObject({ to: edith.mobile });
    expect(reminder?.text).toMatch(/^You are on call from \d\d:\d\d \(Evening\)\.$/);
    // Both servers look at the schedule every ten seconds.
    await sleep(22_000);
    expect(scene.callsTo(edith)).toHaveLength(1);
  } finally {
    await other.stop();
  }
});
