import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { allowedMs } from '../../harness/judged-times.ts';
import type { Colleague } from '../../harness/on-call/on-call-plant.ts';
import { type Scene, story } from '../../harness/on-call/story.ts';
import type { Page } from '../../harness/plant.ts';
import { create, granted, read } from '../../harness/plant.ts';

const fromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

/** A group of teams whose roster has only overrides. */
function rostered(
  teams: readonly Colleague[],
  overrides: readonly { teamId: number; from: string; to: string }[],
  more: object = {},
): object {
  return {
    userIds: [],
    teams: teams.map(({ id, name }, index) => ({ id: index + 1, name, userIds: [id] })),
    roster: { slotMinutes: 60, slots: [], overrides },
    ...more,
  };
}

async function twoPeople(scene: Scene): Promise<[Colleague, Colleague]> {
  return [await scene.hire('Ada'), await scene.hire('Grace')];
}

/** Changes the given members of a user. */
function change(scene: Scene, { id }: Colleague, body: object): Promise<void> {
  return replace(scene, `users/${id}`, body);
}

async function replace(scene: Scene, path: string, body: object): Promise<void> {
  const found = await scene.client.get(`/api/v1/${path}`);
  const headers = { 'if-match': found.headers.etag ?? '' };
  const changed = { ...found.json<object>(), ...body };
  granted(await scene.client.send('PUT', `/api/v1/${path}`, { body: changed, headers }));
}

async function alarmPaths({ client }: Scene): Promise<string[]> {
  const { items } = await read<Page<{ path: string }>>(client, 'alarms?limit=1000');
  return items.map(({ path }) => path);
}

story.concurrent(
  'the team on duty by an override is called, and the other team is not',
  async ({ scene }) => {
    const [ada, grace] = await twoPeople(scene);
    const now = { teamId: 2, from: fromNow(-60), to: fromNow(3_600) };
    await scene.alarm(await scene.group([], rostered([ada, grace], [now])));
    await scene.untilCalled(grace);
    await sleep(6_000);
    expect(scene.callsTo(ada)).toEqual([]);
  },
);

story.concurrent(
  'at the hand-over the next call goes to the team that has come on duty',
  async ({ scene }) => {
    const [ada, grace] = await twoPeople(scene);
    const handOver = fromNow(8);
    const overrides = [
      { teamId: 1, from: fromNow(-60), to: handOver },
      { teamId: 2, from: handOver, to: fromNow(3_600) },
    ];
    await scene.alarm(await scene.group([], rostered([ada, grace], overrides, { cycles: 2 })));
    const [first] = await scene.untilCalled(ada);
    const [second] = await scene.untilCalled(grace, { withinMs: 40_000 });
    expect(Date.parse(first?.at ?? '')).toBeLessThan(Date.parse(handOver));
    expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(handOver));
  },
);

story.concurrent(
  'with nobody on duty the relief group is called at once, and an alarm says so',
  async ({ scene }) => {
    const [ada, grace] = await twoPeople(scene);
    const reliefGroupId = await scene.group([grace]);
    const past = { teamId: 1, from: fromNow(-7_200), to: fromNow(-3_600) };
    const slots = [
      {
        teamId: 1,
        day: new Date(Date.now() + 3 * 86_400_000).getUTCDay() || 7,
        start: '12:00',
        end: '13:00',
      },
    ];
    const roster = { slotMinutes: 60, slots, overrides: [past] };
    const groupId = await scene.group([], rostered([ada], [], { roster, reliefGroupId }));
    const beforeMs = Date.now();
    await scene.alarm(groupId);
    const [call] = await scene.untilCalled(grace);
    expect(Date.parse(call?.at ?? '') - beforeMs).toBeLessThan(allowedMs(4_000));
    expect(scene.callsTo(ada)).toEqual([]);
    // The event is stored with the call; its system alarm is raised a moment later.
    const path = `tocsin/dispatch/nobody-on-duty/${groupId}`;
    await vi.waitFor(async () => expect(await alarmPaths(scene)).toContain(path), allowedMs(5_000));
  },
);

story.concurrent('an empty call group hands over to its relief at once', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const reliefGroupId = await scene.group([ada]);
  await scene.alarm(await scene.group([], { reliefGroupId }));
  expect(await scene.untilCalled(ada)).toHaveLength(1);
});

story.concurrent('an empty call group without relief is reported, and checked again', async ({ scene }) => {
  const alarmId = await scene.alarm(await scene.group([]));
  let kinds: string[] = [];
  for (let look = 0; look < 50 && !kinds.includes('exhausted'); look++) {
    await sleep(300);
    kinds = (await scene.timeline(alarmId)).flatMap(({ notice }) => notice?.kind ?? []);
  }
  expect(kinds).toEqual(expect.arrayContaining(['nobody-on-duty', 'exhausted']));
  const open = await read<Page<{ alarmId: number }>>(scene.client, 'calls?limit=1000');
  expect(open.items.map((call) => call.alarmId)).toContain(alarmId);
});

story.concurrent('a user added to an empty group is called for the waiting alarm', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const groupId = await scene.group([]);
  await scene.alarm(groupId);
  await sleep(2_000);
  expect(scene.callsTo(ada)).toEqual([]);
  const teams = [{ id: 1, name: 'All', userIds: [ada.id] }];
  const now = { teamId: 1, from: fromNow(-60), to: fromNow(3_600) };
  await replace(scene, `callgroups/${groupId}`, {
    teams,
    roster: { slotMinutes: 60, slots: [], overrides: [now] },
  });
  await scene.untilCalled(ada, { withinMs: 45_000 });
});

story.concurrent('with nobody on duty and no relief, everybody in the group is called', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const later = { teamId: 1, from: fromNow(600), to: fromNow(3_600) };
  await scene.alarm(await scene.group([ada], rostered([ada], [later])));
  await scene.untilCalled(ada);
});

story.concurrent('somebody who is disabled is not called for later alarms', async ({ scene }) => {
  const [ada, grace] = await twoPeople(scene);
  const groupId = await scene.group([ada, grace]);
  await change(scene, ada, { enabled: false });
  await scene.alarm(groupId);
  await scene.untilCalled(grace);
  expect(scene.callsTo(ada)).toEqual([]);
});

story.concurrent('a number that is changed counts from the next alarm on', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const groupId = await scene.group([ada], { ackTimeout: 60 });
  await scene.company.script(ada.mobile, { kind: 'accepts' });
  await change(scene, ada, { media: [{ kind: 'Voice', address: ada.mobile }] });
  await scene.alarm(groupId);
  expect((await scene.untilCalled(ada)).map(({ to }) => to)).toEqual([ada.mobile]);
});

story.concurrent(
  'a changed number applies from the next call on, also for an open alarm',
  async ({ scene }) => {
    const [ada, grace] = await twoPeople(scene);
    const groupId = await scene.group([ada, grace]);
    await scene.alarm(groupId);
    await scene.untilCalled(ada);
    const phone = `${grace.phone}9`;
    await scene.company.script(phone, { kind: 'accepts' });
    await change(scene, grace, { media: [{ kind: 'Voice', address: phone }] });
    await scene.untilCalled({ ...grace, phone });
    expect(scene.callsTo(grace)).toEqual([]);
  },
);

story.concurrent('a user without any medium is skipped and reported', async ({ scene }) => {
  const ada = await scene.hire('Ada', { media: [] });
  const grace = await scene.hire('Grace');
  const alarmId = await scene.alarm(await scene.group([ada, grace], { ackTimeout: 60 }));
  await scene.untilCalled(grace);
  const kinds = (await scene.timeline(alarmId)).flatMap(({ notice }) => notice?.kind ?? []);
  expect(kinds).toContain('no-medium');
});

story.concurrent('gaps of a roster are reported in advance', async ({ scene }) => {
  const ada = await scene.hire('Ada');
  const groupId = await scene.group(
    [],
    rostered([ada], [], {
      roster: { slotMinutes: 60, slots: [{ teamId: 1, day: 1, start: '08:00', end: '12:00' }] },
    }),
  );
  const { items } = await read<Page<{ id: number; gaps: object[] }>>(
    scene.client,
    'callgroups/gaps?limit=1000',
  );
  expect(items.find(({ id }) => id === groupId)?.gaps.length).toBeGreaterThan(3);
  expect(await create(scene.client, 'callgroups', { name: `after ${groupId}` })).toBeGreaterThan(groupId);
});
