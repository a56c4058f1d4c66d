import { addSeconds } from '@tocsin/domain';
import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { escalateDue } from '../engine/escalate-due.ts';
import { findRoutes } from '../engine/find-routes.ts';
import { test as withDispatch } from '../testing/dispatch.fixture.ts';
import { dispatchTo, type World, workOff } from '../testing/simulated-dispatch.fixture.ts';
import { systemAlarms } from '../testing/system-alarms.fixture.ts';
import { endSolvedAlarms } from './end-system-alarms.ts';
import { reportSystemAlarms } from './report-system-alarms.ts';

const test = withDispatch;
const phone = (address: string) => ({ media: [{ kind: 'Voice' as const, address }] });

async function change(admin: Client, path: string, body: object): Promise<void> {
  const { id: _, lastChange: __, ...before } = (await admin.get(path)).json();
  const answer = await admin.put(path, { ...before, ...body });
  if (answer.statusCode >= 300) throw new Error(answer.body);
}

/** Nobody is on duty now, at noon on a Wednesday. */
const sundays = {
  teams: (id: number) => [{ id: 1, name: 'Sunday', userIds: [id] }],
  roster: { slotMinutes: 60 as const, slots: [{ teamId: 1, day: 7, start: '10:00', end: '11:00' }] },
};

type Case = {
  name: string;
  /** Causes the fault, for Ada of call group Night. */
  prepare: (admin: Client, ada: number, groupId: number) => Promise<unknown>;
  /** The answer of the provider. */
  answer?: World['answer'];
  path: RegExp;
  says: RegExp;
  end: (admin: Client, ids: { ada: number; groupId: number; alarmId: number }) => Promise<unknown>;
};

const cases: Case[] = [
  {
    name: 'no medium',
    prepare: (admin, ada) => change(admin, `/users/${ada}`, { media: [] }),
    path: /nobody-to-call/,
    says: /^Nobody of call group Night can be called for alarm \d+ \(Boiler 1 overheats\): Ada has no medium$/,
    end: (admin, { ada }) => change(admin, `/users/${ada}`, phone('+331')),
  },
  {
    name: 'no channel',
    prepare: (admin, ada) =>
      change(admin, `/users/${ada}`, { media: [{ kind: 'Pager', address: '+33617' }] }),
    path: /nobody-to-call/,
    says: /^Nobody of call group Night can be called for .*: no channel serves Pager of Ada$/,
    end: (admin, { ada }) => change(admin, `/users/${ada}`, phone('+331')),
  },
  {
    name: 'disabled',
    prepare: (admin, ada) => change(admin, `/users/${ada}`, { enabled: false }),
    path: /nobody-to-call/,
    says: /^Nobody of call group Night can be called for .*: Ada is disabled$/,
    end: (admin, { ada }) => change(admin, `/users/${ada}`, { enabled: true, ...phone('+331') }),
  },
  {
    name: 'nobody on duty',
    prepare: (admin, ada, groupId) =>
      change(admin, `/callgroups/${groupId}`, {
        userIds: [],
        teams: sundays.teams(ada),
        roster: sundays.roster,
      }),
    path: /nobody-on-duty/,
    says: /^Nobody of call group Night is on duty for .*\(Boiler 1 overheats\): everybody in it is called$/,
    end: (admin, { ada, groupId }) =>
      change(admin, `/callgroups/${groupId}`, {
        userIds: [ada],
        teams: [],
        roster: { slotMinutes: 60, slots: [] },
      }),
  },
  {
    name: 'empty group',
    prepare: (admin, _, groupId) => change(admin, `/callgroups/${groupId}`, { userIds: [] }),
    path: /nobody-to-call/,
    says: /^There is nobody in call group Night, which is to be called for alarm/,
    end: (admin, { ada, groupId }) => change(admin, `/callgroups/${groupId}`, { userIds: [ada] }),
  },
  {
    name: 'all failed',
    prepare: async () => {},
    answer: () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 500' }),
    path: /exhausted/,
    says: /^\d calls to Ada of call group Night for alarm \d+ \(Boiler 1 overheats\), and none got through: HTTP 500; the calling goes on$/,
    end: (admin, { alarmId }) => admin.post(`/alarms/${alarmId}/acknowledge`, {}),
  },
  {
    name: 'exhausted',
    prepare: async () => {},
    answer: () => ({ kind: 'noAnswer', reference: '' }),
    path: /exhausted/,
    says: /^\d calls to Ada of call group Night for alarm \d+ \(Boiler 1 overheats\), and nobody has acknowledged; the calling goes on$/,
    end: (admin, { alarmId }) => admin.post(`/alarms/${alarmId}/acknowledge`, {}),
  },
];

for (const { name, prepare, answer, path, says, end } of cases)
  test(`${name}: said truly, in the transaction that finds it, and taken back within a minute`, async ({
    client,
    clock,
    runtime,
    dispatch,
    world,
  }) => {
    clock.set('2026-04-29T12:00:00Z');
    if (answer) world.answer = answer;
    const admin = client('admin');
    const ada = await addPerson(admin, 'Ada', phone('+331'));
    const settings = { userIds: [ada], attempts: 1, cycles: 1, ackTimeout: 30 };
    const groupId = await addGroup(admin, 'Night', settings);
    await prepare(admin, ada, groupId);
    const body = { path: 'boiler/1', alarmMessage: 'Boiler 1 overheats' };
    const alarmActions = [{ type: 'CallGroup', id: groupId }];
    const alarmId = (await admin.post('/alarms', { ...body, alarmActions })).json<number>();

    // The server that finds the fault dies right after the commit, so only the transaction remains.
    let found = 0;
    for (let pass = 0; pass < 30 && found === 0; pass++) {
      const { events } = await escalateDue(runtime, dispatch.configuration, 10, (transaction) =>
        findRoutes(dispatch, transaction),
      );
      found = events.filter(({ event }) => path.test(alarmKindOf(event))).length;
      if (found === 0) await workOff(dispatch);
      if (found === 0) clock.advance(15);
    }
    expect(await systemAlarms(runtime)).toEqual([]);
    const next = dispatchTo(runtime, world);
    await reportSystemAlarms(runtime, next.writer);
    const told = (await systemAlarms(runtime)).filter((one) => path.test(one.path));
    expect(told).toMatchObject([
      { message: expect.stringMatching(says), state: 3, occurrences: 1, repeats: 0 },
    ]);

    // The alarm stays while the fault lasts.
    clock.advance(30);
    await endSolvedAlarms(next, runtime);
    await reportSystemAlarms(runtime, next.writer);
    expect((await systemAlarms(runtime)).find((one) => path.test(one.path))?.state).toBe(3);
    await end(admin, { ada, groupId, alarmId });
    clock.advance(10);
    await endSolvedAlarms(next, runtime);
    await reportSystemAlarms(runtime, next.writer);
    expect((await systemAlarms(runtime)).find((one) => path.test(one.path))?.state).toBe(2);
  });

function alarmKindOf(event: { kind: string; cause?: string }): string {
  return event.kind === 'nobody-on-duty' && event.cause !== 'off-duty' ? 'nobody-to-call' : event.kind;
}

test('a system alarm whose server died is reported by the next server, once', async ({
  client,
  clock,
  runtime,
  dispatch,
}) => {
  const groupId = await addGroup(client('admin'), 'Night');
  await client('admin').post('/alarms', { alarmActions: [{ type: 'CallGroup', id: groupId }] });
  await escalateDue(runtime, dispatch.configuration, 10);
  const dying = { submit: () => Promise.reject(new Error('killed')) };
  await reportSystemAlarms(runtime, dying);
  await reportSystemAlarms(runtime, dispatch.writer);
  expect(await systemAlarms(runtime)).toEqual([]);
  clock.set(addSeconds(clock.now(), 11).toISOString());
  await reportSystemAlarms(runtime, dispatch.writer);
  await reportSystemAlarms(runtime, dispatch.writer);
  expect(await systemAlarms(runtime)).toMatchObject([
    { path: `tocsin/dispatch/exhausted/1`, occurrences: 1, repeats: 0 },
    { path: `tocsin/dispatch/nobody-to-call/${groupId}`, occurrences: 1, repeats: 0 },
  ]);
});

test('actions that cannot be carried out raise an alarm until they are corrected', async ({
  client,
  runtime,
  dispatch,
}) => {
  const admin = client('admin');
  const alarmActions = [{ type: 'Fax' }, { type: 'CallGroup', id: 1 }];
  expect((await admin.post('/alarms', { path: 'boiler/1', alarmActions })).statusCode).toBe(200);
  const look = async () => {
    await endSolvedAlarms(dispatch, runtime);
    await reportSystemAlarms(runtime, dispatch.writer);
    return (await systemAlarms(runtime)).map(({ path, state }) => [path, state]);
  };
  expect(await look()).toEqual([['tocsin/actions/1', 3]]);
  await addGroup(admin, 'Night');
  expect(await look()).toEqual([['tocsin/actions/1', 3]]);
  await admin.post('/alarms', { path: 'boiler/1', alarmActions: [{ type: 'CallGroup', id: 1 }] });
  expect(await look()).toEqual([['tocsin/actions/1', 2]]);
});
