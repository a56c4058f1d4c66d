import { expect } from 'vitest';
import { addGroup, addPerson, addPhones } from '../../calls/testing/people.fixture.ts';
import { listRaisedSystemAlarms } from '../../escalations/system-alarm.store.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { type World } from '../testing/simulated-dispatch.fixture.ts';

const quiet = { priorities: [3, 4], from: '22:00', to: '06:00', media: [] };

/** Ada with a telephone, texts and mail, in a group of her own. */
async function nightShift(admin: Client, rules: object[]) {
  const userId = await addPerson(admin, 'Ada', {
    media: [
      { kind: 'Voice', address: '+331000' },
      { kind: 'Sms', address: '+336000' },
      { kind: 'Email', address: 'ada@plant.example' },
    ],
  });
  const setRules = async (some: object[]) => {
    const answer = await admin.put(`/users/${userId}/media-rules`, { rules: some });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  await setRules(rules);
  const id = await addGroup(admin, 'Night', { userIds: [userId], ackTimeout: 90, attempts: 3 });
  const alarmActions = [{ type: 'CallGroup', id }];
  let pumps = 0;
  const raise = async (priority: number) => {
    const alarm = { path: `pump/${++pumps}`, alarmMessage: `Pump ${pumps} fails`, alarmActions, priority };
    return (await admin.post('/alarms', alarm)).json<number>();
  };
  return { userId, groupId: id, raise, setRules };
}

const sentBy = (world: World) => world.sent.splice(0).map(({ text, address }) => `${address}: ${text}`);

test('by night an alarm of priority 4 waits for the morning, and one of priority 1 rings at once', async ({
  client,
  clock,
  world,
  work,
}) => {
  const { raise } = await nightShift(client('admin'), [quiet]);
  // 23:00 in Paris.
  clock.set('2026-03-01T22:00:00Z');
  await raise(4);
  await work();
  expect(sentBy(world)).toEqual([]);
  await raise(1);
  await work();
  expect(sentBy(world)).toEqual(['+331000: Pump 2 fails']);
  await client('admin').post('/alarms', { path: 'pump/2', raised: false });
  clock.set('2026-03-02T04:59:59Z');
  await work();
  expect(sentBy(world)).toEqual([]);
  clock.set('2026-03-02T05:00:00Z');
  await work();
  expect(sentBy(world)).toEqual(['+331000: Pump 1 fails']);
});

test('media are tried in the order and with the waits of the rule', async ({
  client,
  clock,
  world,
  work,
}) => {
  const media = [{ kind: 'Sms' }, { kind: 'Voice', afterSeconds: 10 }];
  const { raise } = await nightShift(client('admin'), [{ priorities: [2], media }]);
  await raise(2);
  await work();
  clock.advance(9);
  await work();
  expect(sentBy(world)).toEqual(['+336000: Pump 1 fails']);
  clock.advance(1);
  await work();
  expect(sentBy(world)).toEqual(['+331000: Pump 1 fails']);
});

test('a change of the rules applies to alarms that wait already', async ({ client, clock, world, work }) => {
  const { raise, setRules } = await nightShift(client('admin'), [quiet]);
  clock.set('2026-03-01T22:00:00Z');
  await raise(3);
  await work();
  await setRules([]);
  clock.advance(60);
  await work();
  expect(sentBy(world)).toEqual(['+331000: Pump 1 fails']);
});

test('a waiting alarm raises no system alarm, and its timeline shows who is quiet', async ({
  client,
  clock,
  runtime,
  work,
}) => {
  const admin = client('admin');
  const { raise, userId } = await nightShift(admin, [quiet]);
  clock.set('2026-03-01T22:00:00Z');
  const id = await raise(4);
  for (let minute = 0; minute < 5; minute++) {
    await work();
    clock.advance(60);
  }
  const { items } = (await admin.get(`/alarms/${id}/timeline`)).json<{
    items: { notice?: { kind: string; userId: number } }[];
  }>();
  expect(items.flatMap(({ notice }) => notice ?? [])).toMatchObject([{ kind: 'quiet', userId }]);
  const systemAlarms = await inTenant(runtime.database, 1, listRaisedSystemAlarms);
  expect(systemAlarms).toEqual([]);
});

test('a preview shows the order of the rules, who is quiet, and the call after the quiet hours', async ({
  client,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const rules = [quiet, { priorities: [3], media: [{ kind: 'Email' }, { kind: 'Sms', afterSeconds: 20 }] }];
  const { raise, userId } = await nightShift(admin, rules);
  const alarmId = await raise(3);
  const preview = async (at: string, seconds: number) =>
    (await admin.post('/call/preview', { alarmId, at, seconds })).json();
  const day = await preview('2026-03-02T12:00:00', 40);
  expect(day.calls).toMatchObject([
    { medium: 'Email', time: '2026-03-02T12:00:00+01:00' },
    { medium: 'Sms', time: '2026-03-02T12:00:20+01:00' },
  ]);
  const night = await preview('2026-03-02T05:58:00', 130);
  expect(night.notices).toMatchObject([{ kind: 'quiet', userId, until: '2026-03-02T06:00:00+01:00' }]);
  expect(night.calls[0]).toMatchObject({ medium: 'Email', time: '2026-03-02T06:00:00+01:00' });
  const asleep = await preview('2026-03-02T03:00:00', 60);
  expect(asleep).toMatchObject({ calls: [], reason: 'everybody who could be called is quiet' });
});

test('a database refuses quiet hours for priority 1, whoever writes them', async ({ client, runtime }) => {
  const { userId } = await nightShift(client('admin'), []);
  const writing = inTenant(runtime.database, 1, ({ client: database }) =>
    database.query(
      `insert into user_media_rules (tenant_id, user_id, position, name, priorities, days, start_minute, end_minute, media)
       values (1, $1, 0, '', '{1,2}', '{1}', 0, 60, '[]')`,
      [userId],
    ),
  );
  await expect(writing).rejects.toThrow('priority_1_is_never_quiet');
});
