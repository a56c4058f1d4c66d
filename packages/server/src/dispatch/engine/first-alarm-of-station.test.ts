import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { deliverDue } from './deliver-due.ts';
import type { Dispatch } from './dispatch.ts';
import { escalateDue } from './escalate-due.ts';
import { sendOutbound } from './send-outbound.ts';

async function twoSites(admin: Client) {
  const island = (await admin.post('/stations', { name: 'Island', timeZone: 'Europe/Paris' })).json<number>();
  const groups: number[] = [];
  for (const [index, name] of ['Ada', 'Grace', 'Edith', 'Mary'].entries()) {
    const person = await addPerson(admin, name, { media: [{ kind: 'Sms', address: `+3360000000${index}` }] });
    groups.push(await addGroup(admin, name, { userIds: [person], ackTimeout: 600 }));
  }
  const raise = (path: string, body: object = {}) =>
    admin.post('/alarms', {
      path,
      alarmMessage: path,
      priority: 3,
      alarmActions: [{ type: 'CallGroup', id: groups[Number(/\d+/.exec(path)?.[0] ?? 0) % 4] }],
      ...body,
    });
  return { island, raise };
}

test('the first alarm of a station is sent before the flood of another, and its second is not', async ({
  client,
  world,
  dispatch,
}) => {
  const { island, raise } = await twoSites(client('admin'));
  const escalate = () => escalateDue(dispatch.runtime, dispatch.configuration, 100);
  for (let number = 0; number < 30; number++) await raise(`mainland ${number}`);
  await escalate();
  await raise('island 1', { stationId: island });
  await raise('island 2', { stationId: island });
  await escalate();
  for (const one of await deliverDue(dispatch, 2)) await sendOutbound(dispatch, one);
  expect(world.sent.map(({ text }) => text).toSorted()).toEqual(['island 1', 'mainland 0']);
});

/** Raises a flood on the mainland and one alarm on the island; returns the texts of the first two calls. */
async function firstTwo({ raise, island }: Awaited<ReturnType<typeof twoSites>>, dispatch: Dispatch) {
  const escalate = () => escalateDue(dispatch.runtime, dispatch.configuration, 100);
  for (let number = 0; number < 8; number++) await raise(`mainland ${number}`);
  await escalate();
  await raise('island 2', { stationId: island });
  await escalate();
  const outbound = await deliverDue(dispatch, 2);
  return outbound.map(({ message }) => message.text).toSorted();
}

test('after a failed first call the next alarm of the station counts as the first', async ({
  client,
  world,
  dispatch,
  work,
}) => {
  const sites = await twoSites(client('admin'));
  world.answer = () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 500' });
  await sites.raise('island 1', { stationId: sites.island });
  await work();
  expect(world.sent).toHaveLength(1);
  expect(await firstTwo(sites, dispatch)).toEqual(['island 2', 'mainland 0']);
});

test.for([
  { seconds: 300, calls: ['mainland 0', 'mainland 1'] },
  { seconds: 601, calls: ['island 2', 'mainland 0'] },
])(
  '$seconds s after a call the next ones are for $calls',
  async ({ seconds, calls }, { client, clock, dispatch, work }) => {
    const admin = client('admin');
    const sites = await twoSites(admin);
    const id = (await sites.raise('island 1', { stationId: sites.island })).json<number>();
    await work();
    await admin.post(`/alarms/${id}/acknowledge`, {});
    clock.advance(seconds);
    expect(await firstTwo(sites, dispatch)).toEqual(calls);
  },
);
