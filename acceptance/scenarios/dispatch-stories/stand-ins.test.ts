import type { CallHistory, CallPreview } from '@tocsin/contract';
import { expect, vi } from 'vitest';
import type { Colleague } from '../../harness/on-call/on-call-plant.ts';
import { type Scene, story } from '../../harness/on-call/story.ts';
import { create, granted, type Page, read } from '../../harness/plant.ts';

const fromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const today = () => ({ from: fromNow(-60), to: fromNow(86_400) });
const allWeek = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ teamId: 1, day, start: '00:00', end: '24:00' }));

/** A group whose team is on duty at any time, each for five seconds. */
function alwaysOnDuty(scene: Scene, team: readonly Colleague[]): Promise<number> {
  const teams = [{ id: 1, name: 'Process', userIds: team.map(({ id }) => id) }];
  return scene.group([], { teams, roster: { slotMinutes: 60, slots: allWeek } });
}

async function standIn({ client }: Scene, groupId: number, override: object): Promise<void> {
  granted(await client.post(`/api/v1/callgroups/${groupId}/overrides`, { ...override, ...today() }));
}

const goOnLeave = ({ client }: Scene, { id }: Colleague) =>
  create(client, 'leaves', { userId: id, ...today() });

/** The people whom the preview of a group names, in their order. */
async function foretold({ client }: Scene, callGroupId: number): Promise<string[]> {
  const { calls } = granted<CallPreview>(
    await client.post('/api/v1/call/preview', { callGroupId, seconds: 60 }),
  );
  return calls.map(({ user }) => user);
}

/** The people of the call attempts of an alarm, in their order. */
async function attempted({ client }: Scene, alarmId: number): Promise<string[]> {
  const path = `call/histories?alarmId=${alarmId}&sort=%2Bid&limit=100`;
  return (await read<Page<CallHistory>>(client, path)).items.map(({ user }) => user);
}

/** Raises an alarm that calls these people first, as the preview says. Afterwards they are called again. */
async function expectCalled(scene: Scene, groupId: number, people: readonly Colleague[]): Promise<void> {
  const names = people.map(({ name }) => name);
  const first = (calls: readonly string[]) => calls.slice(0, names.length);
  expect(first(await foretold(scene, groupId))).toEqual(names);
  const alarmId = await scene.alarm(groupId);
  for (const person of people) await scene.untilCalled(person, { withinMs: 40_000 });
  await vi.waitFor(async () => expect(first(await attempted(scene, alarmId))).toEqual(names), 20_000);
}

story.concurrent(
  'somebody who stands in is called, and not the person they stand in for',
  async ({ scene }) => {
    const [ada, ben, cleo] = [await scene.hire('Ada'), await scene.hire('Ben'), await scene.hire('Cleo')];
    const groupId = await alwaysOnDuty(scene, [ada, ben]);
    await standIn(scene, groupId, { userId: cleo.id, replacesUserId: ada.id, reason: 'Ada is ill' });
    await expectCalled(scene, groupId, [cleo, ben]);
    expect(scene.callsTo(ada)).toEqual([]);
  },
);

story.concurrent('somebody on leave is not called, and the next one is', async ({ scene }) => {
  const [ada, ben] = [await scene.hire('Ada'), await scene.hire('Ben')];
  const groupId = await alwaysOnDuty(scene, [ada, ben]);
  await goOnLeave(scene, ada);
  await expectCalled(scene, groupId, [ben]);
  expect(scene.callsTo(ada)).toEqual([]);
});

story.concurrent('for somebody on leave their stand-in is called', async ({ scene }) => {
  const [ada, ben] = [await scene.hire('Ada'), await scene.hire('Ben')];
  const groupId = await alwaysOnDuty(scene, [ada]);
  await goOnLeave(scene, ada);
  await standIn(scene, groupId, { userId: ben.id, replacesUserId: ada.id });
  await expectCalled(scene, groupId, [ben]);
  expect(scene.callsTo(ada)).toEqual([]);
});

story.concurrent('a stand-in for the whole group is called alone', async ({ scene }) => {
  const [ada, ben, cleo] = [await scene.hire('Ada'), await scene.hire('Ben'), await scene.hire('Cleo')];
  const groupId = await alwaysOnDuty(scene, [ada, ben]);
  await standIn(scene, groupId, { userId: cleo.id });
  await expectCalled(scene, groupId, [cleo]);
  expect([...scene.callsTo(ada), ...scene.callsTo(ben)]).toEqual([]);
});

story.concurrent(
  'a leave that begins between two calls spares the person the second one',
  async ({ scene }) => {
    const [ada, ben] = [await scene.hire('Ada'), await scene.hire('Ben')];
    const groupId = await alwaysOnDuty(scene, [ada, ben]);
    const group = granted<object>(await scene.client.get(`/api/v1/callgroups/${groupId}`));
    granted(
      await scene.client.send('PUT', `/api/v1/callgroups/${groupId}`, { body: { ...group, cycles: 2 } }),
    );
    const alarmId = await scene.alarm(groupId);
    await scene.untilCalled(ada);
    await goOnLeave(scene, ada);
    await scene.untilCalled(ben, { count: 2, withinMs: 60_000 });
    expect(await attempted(scene, alarmId)).toEqual(['Ada', 'Ben', 'Ben']);
    expect(scene.callsTo(ada)).toHaveLength(1);
  },
);
