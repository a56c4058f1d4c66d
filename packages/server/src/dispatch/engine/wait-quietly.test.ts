import { expect } from 'vitest';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { createAuditor } from '../monitoring/audit-escalations.ts';
import { test as base } from '../testing/dispatch.fixture.ts';
import { type World } from '../testing/simulated-dispatch.fixture.ts';
import { systemAlarms } from '../testing/system-alarms.fixture.ts';
import { earlierCalls } from './quiet-time.store.ts';

/** `hear` is a call to Ada about boiler 1, which she hears to its end. */
const test = base.extend('chatter', ({ world, work, technicians, clock }) => {
  world.livesHere = true;
  const raise = (body: object = {}) => technicians.raise({ priority: 2, ...body });
  const reset = () => raise({ raised: false });
  const hear = async (body: object = {}) => {
    const id = (await raise(body)).json<number>();
    await work();
    await report(world, { kind: 'answered', reference: '' });
    await report(world, ended([world.sent.at(-1)?.attemptId ?? '']));
    return id;
  };
  const again = async (body: object = {}) => {
    await reset();
    await work();
    clock.advance(60);
    await raise(body);
    await work();
  };
  return { raise, reset, hear, again };
});

const report = (world: World, outcome: ChannelOutcome) =>
  world.reports.get(world.sent.at(-1)?.attemptId ?? '')?.(outcome);
const ended = (heard?: string[]): ChannelOutcome => ({
  kind: 'ended',
  reference: '',
  reason: '',
  ...(heard && { heard }),
});
const called = ({ sent }: World) => sent.map(({ address }) => address);

test('a tag that comes again is called for when the quiet time is over, and the next person as usual', async ({
  client,
  clock,
  world,
  work,
  chatter,
}) => {
  const id = await chatter.hear();
  await chatter.again();
  expect(called(world)).toEqual(['+331']);
  const reason = 'called about this tag 1 minute ago, waits until 07:05';
  const { items } = (await client('viewer').get('/calls')).json();
  expect(items).toMatchObject([{ attempts: [{ user: 'Ada', status: 'Queued', reason }] }]);
  const timeline = (await client('viewer').get(`/alarms/${id}/timeline`)).json();
  expect(timeline.items).toContainEqual(expect.objectContaining({ kind: 'called', detail: reason }));

  clock.advance(59);
  await work();
  expect(called(world), 'nobody is skipped because Ada knows already').toEqual(['+331']);
  clock.advance(2);
  await work();
  expect(called(world), 'nobody has acted in time').toEqual(['+331', '+332']);
  clock.advance(178);
  await work();
  expect(called(world).filter((address) => address === '+331')).toHaveLength(1);
  clock.advance(1);
  await work();
  expect(called(world).filter((address) => address === '+331')).toHaveLength(2);
});

test('occurrence after occurrence rings once in each quiet time', async ({ clock, world, work, chatter }) => {
  await chatter.hear();
  for (let minute = 0; minute < 4; minute++) await chatter.again();
  expect(called(world)).toEqual(['+331']);
  clock.advance(30);
  await chatter.again();
  expect(called(world)).toEqual(['+331', '+331']);
  await report(world, { kind: 'answered', reference: '' });
  await report(world, ended([world.sent.at(-1)?.attemptId ?? '']));
  await chatter.again();
  await work();
  expect(called(world)).toEqual(['+331', '+331']);
});

test('an alarm that is acknowledged while it waits does not ring', async ({
  client,
  clock,
  world,
  work,
  chatter,
}) => {
  const id = await chatter.hear();
  await chatter.again();
  await client('admin').post(`/alarms/${id}/acknowledge`, {});
  clock.advance(600);
  await work();
  expect(called(world)).toEqual(['+331']);
});

test('an alarm of priority 1, or of a higher priority than the one they heard, rings at once', async ({
  world,
  chatter,
}) => {
  await chatter.hear();
  await chatter.again({ priority: 1 });
  expect(called(world)).toEqual(['+331', '+331']);
  await report(world, { kind: 'answered', reference: '' });
  await report(world, ended([world.sent.at(-1)?.attemptId ?? '']));
  await chatter.again({ priority: 3 });
  expect(called(world), 'a lower one waits').toHaveLength(2);
});

test.for([
  ['did not pick up', [{ kind: 'noAnswer', reference: '' }]],
  ['hung up before anything was said', [{ kind: 'answered', reference: '' }, ended([])]],
  ['may have heard nothing', [{ kind: 'answered', reference: '' }, ended()]],
] as [string, ChannelOutcome[]][])(
  'somebody who %s is called again at once',
  async ([, outcomes], { world, work, chatter }) => {
    await chatter.raise();
    await work();
    for (const outcome of outcomes) await report(world, outcome);
    await chatter.again();
    expect(called(world).slice(0, 2)).toEqual(['+331', '+331']);
  },
);

test('somebody who gave the alarm to the next person is called again at once', async ({
  world,
  work,
  chatter,
}) => {
  await chatter.raise();
  await work();
  const heard = [world.sent[0]?.attemptId ?? ''];
  await report(world, { kind: 'answered', reference: '' });
  const choice = 'refuse';
  await report(world, { kind: 'pressed', reference: '', choice, heard, proof: { kind: 'leg' } });
  await report(world, ended(heard));
  await chatter.again();
  expect(called(world)).toEqual(['+331', '+331']);
});

test('somebody who took the alarm is not called about it again at once, whatever the provider knows', async ({
  world,
  work,
  chatter,
}) => {
  world.livesHere = false;
  await chatter.raise();
  await work();
  const heard = [world.sent[0]?.attemptId ?? ''];
  await report(world, { kind: 'answered', reference: '' });
  await report(world, { kind: 'pressed', reference: '', choice: 'take', heard, proof: { kind: 'leg' } });
  await report(world, ended());
  await chatter.again();
  expect(called(world)).toEqual(['+331']);
});

test('a provider that only knows what it was given to say proves nothing', async ({
  world,
  work,
  chatter,
}) => {
  world.livesHere = false;
  await chatter.hear();
  await work();
  await chatter.again();
  expect(called(world)).toEqual(['+331', '+331']);
});

test('with a quiet time of 0 every raise rings', async ({ client, world, chatter }) => {
  const settings = { fallbackCallGroupId: 0, tagQuietSeconds: 0 };
  expect((await client('admin').put('/dispatch/settings', settings)).json()).toMatchObject(settings);
  const refused = await client('admin').put('/dispatch/settings', { ...settings, tagQuietSeconds: 3601 });
  expect(refused.statusCode).toBe(400);
  await chatter.hear();
  await chatter.again();
  expect(called(world)).toEqual(['+331', '+331']);
});

test('a text message delays the next text message about the tag, but not the telephone', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const media = [
    { kind: 'Sms', address: '+336' },
    { kind: 'Voice', address: '+331' },
  ] as const;
  const ada = await addPerson(admin, 'Ada', { media: [...media] });
  const groupId = await addGroup(admin, 'Night', { userIds: [ada], ackTimeout: 60, attempts: 2 });
  const actions = [{ type: 'CallGroup', id: groupId }];
  const raise = (body: object = {}) =>
    admin.post('/alarms', { path: 'pump', priority: 3, alarmActions: actions, ...body });
  await raise();
  await work();
  expect(called(world)).toEqual(['+336']);
  await raise({ raised: false });
  clock.advance(20);
  await raise();
  await work();
  expect(called(world)).toEqual(['+336']);
  clock.advance(30);
  await work();
  expect(called(world)).toEqual(['+336', '+331']);
});

test('news that an alarm is over is not a call about the next one', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', { media: [{ kind: 'Sms', address: '+336' }] });
  const actions = [{ type: 'CallGroup', id: await addGroup(admin, 'Night', { userIds: [ada] }) }];
  const body = { path: 'pump', priority: 3, alarmMessage: 'Fails', resetMessage: 'Works' };
  const raise = (more: object = {}) =>
    admin.post('/alarms', { ...body, alarmActions: actions, resetActions: actions, ...more });
  world.answer = () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 500' });
  await raise();
  await work();
  world.answer = ({ attemptId }) => ({ kind: 'accepted', reference: attemptId });
  clock.advance(20);
  await raise({ raised: false });
  await work();
  await raise();
  await work();
  expect(world.sent.slice(-2).map(({ text }) => text)).toEqual(['Works', 'Fails']);
});

test('a call that waits on purpose is not reported as stuck', async ({ runtime, clock, work, chatter }) => {
  const auditor = createAuditor(runtime, createAlarmWriter(runtime));
  await chatter.hear();
  await chatter.again();
  clock.advance(90);
  await work();
  await auditor.run();
  expect(auditor.overdue()).toBe(0);
  expect(await systemAlarms(runtime)).toEqual([]);
});

test('the earlier calls about a tag are found by an index, and not more than the newest are read', async ({
  runtime,
  chatter,
}) => {
  await chatter.hear();
  const plan = await inTenant(runtime.database, 1, async ({ client, now }) => {
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${earlierCalls}`, [
      1,
      [1],
      [1],
      now,
    ]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/Limit[^]*Index Scan Backward using call_attempts_tag/);
  expect(plan).not.toContain('Seq Scan on call_attempts');
  expect(plan).not.toContain('Sort Key: c.id');
});
