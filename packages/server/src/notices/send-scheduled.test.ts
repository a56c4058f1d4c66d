import { expect } from 'vitest';
import { addGroup, addPerson, addPhones } from '../calls/testing/people.fixture.ts';
import { test } from '../dispatch/testing/dispatch.fixture.ts';
import { createConfigurationCache } from '../escalations/configuration-cache.ts';
import type { Client } from '../testing/app.fixture.ts';
import { sendScheduledNotices } from './send-scheduled.ts';

const telephone = (address: string) => ({ kind: 'Voice' as const, address });
const mail = { kind: 'Email' as const, address: 'ada@plant.example' };
const sms = { kind: 'Sms' as const, address: '+336' };

const settings = (admin: Client, body: object) =>
  admin.put('/dispatch/settings', { fallbackCallGroupId: 0, ...body });

/** A group with one team, on duty every day from 18:00 to 22:00. */
const evening = (admin: Client, userIds: readonly number[]) =>
  addGroup(admin, 'Evening', {
    teams: [{ id: 1, name: 'Evening', userIds: [...userIds] }],
    roster: {
      slotMinutes: 60,
      slots: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ teamId: 1, day, start: '18:00', end: '22:00' })),
    },
  });

test('everybody is reminded of their duty once, by their quietest medium, never by telephone', async ({
  client,
  runtime,
  world,
  work,
  clock,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada', { media: [telephone('+331'), sms, mail] });
  const grace = await addPerson(admin, 'Grace', { media: [telephone('+332')] });
  await evening(admin, [ada, grace]);
  await settings(admin, { shiftReminderMinutes: 30 });
  // 17:20 in Paris.
  clock.advance(10 * 3_600 + 20 * 60);
  const run = () => sendScheduledNotices(runtime, createConfigurationCache());
  await run();
  await work();
  expect(world.sent).toEqual([]);
  clock.advance(15 * 60);
  await run();
  await work();
  expect(world.sent).toMatchObject([
    { address: mail.address, text: 'You are on call from 18:00 (Evening).', answer: undefined },
  ]);
  clock.advance(10);
  await Promise.all([run(), run()]);
  await work();
  expect(world.sent, 'also after a restart, and with two servers').toHaveLength(1);
  clock.advance(86_400);
  await run();
  await work();
  expect(world.sent, 'the next duty is another one').toHaveLength(2);
});

test('before a shift people are tested instead, if the tenant wants it', async ({
  client,
  runtime,
  world,
  work,
  clock,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada', { media: [telephone('+331'), mail] });
  await evening(admin, [ada]);
  await settings(admin, { shiftReminderMinutes: 60, reachability: { beforeShiftMinutes: 30 } });
  clock.advance(10 * 3_600 + 40 * 60);
  await sendScheduledNotices(runtime, createConfigurationCache());
  await work();
  expect(world.sent.map(({ address, notice }) => [address, notice])).toEqual([
    ['+331', 'test'],
    [mail.address, 'test'],
  ]);
});

test('people of call groups are tested every few days, one after the other', async ({
  client,
  runtime,
  world,
  work,
  clock,
}) => {
  const admin = client('admin');
  const userIds = [];
  for (const index of [1, 2, 3])
    userIds.push(await addPerson(admin, `P${index}`, { media: [telephone(`+33${index}`)] }));
  await addPerson(admin, 'Clerk', { media: [telephone('+339')] });
  await addGroup(admin, 'All', { userIds });
  await settings(admin, { reachability: { everyDays: 2, at: '10:00' } });
  world.answer = ({ attemptId }) => ({ kind: 'delivered', reference: attemptId });
  const round = async () => {
    await Promise.all([1, 2].map(() => sendScheduledNotices(runtime, createConfigurationCache())));
    await work();
    clock.advance(10);
    return world.sent.splice(0).map(({ address }) => address);
  };
  expect(await round(), '07:00 in Paris').toEqual([]);
  clock.advance(3 * 3_600);
  expect([await round(), await round(), await round(), await round()]).toEqual([
    ['+331'],
    ['+332'],
    ['+333'],
    [],
  ]);
  clock.advance(86_400);
  expect(await round()).toEqual([]);
  clock.advance(86_400);
  expect(await round()).toEqual(['+331']);
});
