import { expect } from 'vitest';
import { type Scene, secondsBetween, story } from '../../harness/on-call/story.ts';
import { type SystemAlarm, systemAlarms, untilSystemAlarms } from '../../harness/on-call/system-alarms.ts';
import { create, granted } from '../../harness/plant.ts';

const days = [1, 2, 3, 4, 5, 6, 7];
/** In three days, in any time zone neither today nor after what is reported in advance. */
const gapDay = ((new Date().getUTCDay() + 2) % 7) + 1;
const gapDayUntil = (end: string) =>
  days.map((day) => ({ teamId: 1, day, start: '00:00', end: day === gapDay ? end : '24:00' }));
const everyDay = gapDayUntil('24:00');

/** A group of one team with the given slots. */
async function rostered(scene: Scene, slots: readonly object[], more: object = {}) {
  const ada = await scene.hire('Ada');
  const teams = [{ id: 1, name: 'Night', userIds: [ada.id] }];
  const body = { name: `Night of ${ada.id}`, teams, roster: { slotMinutes: 60, slots }, ...more };
  return { body, groupId: await create(scene.client, 'callgroups', body) };
}

async function change({ client }: Scene, groupId: number, body: object): Promise<void> {
  const { headers } = await client.get(`/api/v1/callgroups/${groupId}`);
  const match = { 'if-match': headers.etag ?? '' };
  granted(await client.send('PUT', `/api/v1/callgroups/${groupId}`, { body, headers: match }));
}

const pathOf = (groupId: number) => `tocsin/rosters/${groupId}`;

story.concurrent(
  'a gap in a roster is reported in advance, in the time zone of the station, until it is filled',
  async ({ scene }) => {
    const { client } = scene;
    const stationId = await create(client, 'stations', { name: 'Faaa', timeZone: 'Pacific/Tahiti' });
    const slots = gapDayUntil('20:00');
    const { groupId, body } = await rostered(scene, slots, { stationId });
    const own = (alarms: readonly SystemAlarm[]) => alarms.find(({ path }) => path === pathOf(groupId));
    await untilSystemAlarms(client, (alarms) => own(alarms)?.state === 3, 20);
    expect(own(await systemAlarms(client))?.message).toMatch(
      /is on duty from \d{4}-\d\d-\d\d 20:00 until \d{4}-\d\d-\d\d 00:00 \(Pacific\/Tahiti\)$/,
    );

    const later = gapDayUntil('21:00');
    await change(scene, groupId, { ...body, roster: { slotMinutes: 60, slots: later } });
    await untilSystemAlarms(client, (alarms) => own(alarms)?.message.includes(' 21:00 until') === true, 20);

    await change(scene, groupId, { ...body, roster: { slotMinutes: 60, slots: everyDay } });
    await untilSystemAlarms(client, (alarms) => own(alarms)?.state !== 3, 20);
    const entries = await scene.timeline(own(await systemAlarms(client))?.id ?? 0);
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(['raised', 'repeated', 'reset']);
  },
);

story.concurrent('a group without a roster, or with a complete one, raises no alarm', async ({ scene }) => {
  const { groupId: covered } = await rostered(scene, everyDay);
  const always = await scene.group([await scene.hire('Grace')]);
  const empty = await scene.group([]);
  const { groupId: open } = await rostered(scene, everyDay.slice(1));
  const has = (alarms: readonly { path: string }[], id: number) =>
    alarms.some(({ path }) => path === pathOf(id));
  await untilSystemAlarms(scene.client, (alarms) => has(alarms, open), 20);
  const alarms = await systemAlarms(scene.client);
  expect([covered, always, empty].filter((id) => has(alarms, id))).toEqual([]);
});

story.concurrent('after an unanswered call the next round begins 15 seconds later', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: { kind: 'silent', ringMs: 18_000 } });
  await scene.alarm(await scene.group([ada], { ackTimeout: 60, cycles: 3 }));
  const [first, second] = await scene.untilCalled(ada, { count: 2, withinMs: 60_000 });
  expect(secondsBetween(first, second)).toBeGreaterThan(32);
  expect(secondsBetween(first, second)).toBeLessThan(45);
});
