import { expect } from 'vitest';
import { addUser, type Caller, listen, settle, test } from '../testing/hub.fixture.ts';

const nobodyHas = 4_000;

/** A call group, a scenario and a tag group of a station; 0 is of all stations. */
async function build(admin: Caller, stationId: number, name: string): Promise<Record<string, number>> {
  const userId = await admin.post<number>('/users', { username: `guard of ${name}`, role: 'operator' });
  const callGroupId = await admin.post<number>('/callgroups', { name, stationId, userIds: [userId] });
  const alarmActions = [{ type: 'CallGroup', id: callGroupId }];
  const scenarioId = await admin.post<number>('/scenarios', { name, stationId, alarmActions });
  const tagGroupId = await admin.post<number>('/taggroups', { name, stationId });
  return { callGroupId, scenarioId, tagGroupId };
}

test('a filter for an object that the client may not see matches no alarm, like one for an object that does not exist', async ({
  site,
  server,
  admin,
}) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const plants = {
    own: await build(admin, north, 'North'),
    'of all stations': await build(admin, 0, 'All'),
    'of another station': await build(admin, 1, 'South'),
  };
  const brenner = await site.addTenant(server, 'Brenner Gas', 'brenner');
  for (const each of ['One', 'Two', 'Three']) await build(brenner, 0, each);
  const inBrenner = await build(brenner, 0, 'Four');
  const nothing = { callGroupId: nobodyHas, scenarioId: nobodyHas, tagGroupId: nobodyHas };
  const named = { ...plants, 'of another tenant': inBrenner, nothing };

  const guard = await addUser(server, admin, { username: 'guard', stationIds: [north] });
  const cases = Object.entries(named).flatMap(([whose, ids]) =>
    Object.entries(ids).map(([member, id]) => ({ whose, filter: { [member]: id } })),
  );
  const heard = await Promise.all(
    cases.map(async ({ whose, filter }) => {
      const [bound, free] = await Promise.all([listen(server, guard.token), listen(server, admin.token)]);
      const answers = await Promise.all([bound.subscribe(filter), free.subscribe(filter)]);
      expect(answers[0], 'the answer is the same for all').toEqual({ seq: expect.any(Number) });
      return { whose, filter, bound, free };
    }),
  );
  // An administrator who sees all stations has linked alarms of the north to all three.
  for (const [whose, { callGroupId, scenarioId, tagGroupId }] of Object.entries(plants)) {
    const scenario = { type: 'Scenario', id: scenarioId };
    const alarmActions = [{ type: 'CallGroup', id: callGroupId }, scenario];
    await admin.raise(whose, { stationId: north, tagGroupId, alarmActions });
  }
  const total = (one: 'bound' | 'free') => heard.map((each) => each[one].paths()).filter(String).length;
  // The filters of the administrator match.
  await expect.poll(() => total('free')).toBe(9);
  await settle();
  for (const { whose, filter, bound } of heard) {
    const isSeen = whose === 'own' || whose === 'of all stations';
    expect(bound.paths(), `${whose} ${JSON.stringify(filter)}`).toEqual(isSeen ? [whose] : []);
    await bound.resume(0);
    expect(bound.paths(), `replayed: ${whose} ${JSON.stringify(filter)}`).toEqual(isSeen ? [whose] : []);
    const { items } = await guard.get<{ items: { path: string }[] }>(
      `/alarms?${new URLSearchParams(text(filter))}`,
    );
    expect(
      items.map(({ path }) => path),
      'the same as in the list of alarms',
    ).toEqual(isSeen ? [whose] : []);
  }
});

const text = (filter: Record<string, number>) =>
  Object.entries(filter).map(([member, id]): [string, string] => [member, String(id)]);
