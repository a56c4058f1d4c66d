import type { LightMyRequestResponse } from 'fastify';
import { buildApp } from '../../app.ts';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { type ChannelPool, createChannelPool } from '../../channels/channel-pool.ts';
import { signWebhook } from '../../channels/kinds/webhook-signature.ts';
import { createEgress } from '../../channels/network/egress.ts';
import type { Message } from '../../channels/port/message.ts';
import { createSecretBox } from '../../common/secret-box.ts';
import { notAuthenticated } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { createTenantChannels } from '../engine/tenant-channels.ts';
import { test as withDispatch } from './dispatch.fixture.ts';
import { dispatchTo, type World } from './simulated-dispatch.fixture.ts';

const secret = Buffer.alloc(32, 5).toString('base64');
const box = createSecretBox([Buffer.alloc(32, 9)]);

function configuredChannels({ log, database }: Runtime): ChannelPool {
  return createChannelPool({
    box,
    egressOf: createEgress([]),
    log,
    now: database.clock ?? (() => new Date()),
    readMedia: async () => undefined,
    receive: async () => {},
  });
}

/** `test` with a server that receives the reports of its provider and serves answer links. */
export const test = withDispatch
  .extend('dispatch', ({ runtime, world }): Dispatch => {
    const dispatch = dispatchTo(runtime, world);
    // Call-backs are read by the channels that the test has configured; messages go to the simulated provider.
    const { find } = createTenantChannels(configuredChannels(runtime), runtime.log);
    return { ...dispatch, channels: { ...dispatch.channels, find }, publicUrl: 'https://tocsin.example' };
  })
  .extend('app', async ({ runtime, principals, dispatch }, { onCleanup }): Promise<HttpApp> => {
    const authenticate = async (token: string) => {
      const principal = principals.get(token);
      if (!principal) throw notAuthenticated('unknown token');
      return principal;
    };
    const channels = { box, egressOf: createEgress([]) };
    const calling = { dispatch, running: undefined };
    const app = buildApp(runtime, authenticate, { basePath: '', reference: false, channels, calling });
    onCleanup(() => app.close());
    await app.ready();
    return app;
  })
  .extend('report', ({ app, clock }) => {
    let reports = 0;
    return (report: object, signing: Signing = {}) =>
      sendReport(app, report, { now: clock.now(), id: `report-${++reports}`, ...signing });
  })
  .extend('night', async ({ client, work }) => {
    // Boiler 1 overheats, and Ada's telephone rings.
    const admin = client('admin');
    const people = await nightShift(admin);
    const id = await people.raise();
    await work();
    return { admin, id, ...people };
  });

export type Signing = {
  now?: Date;
  id?: string;
  secret?: string;
  channelId?: number;
  /** Sent instead of what was signed. */
  instead?: object;
};

function sendReport(app: HttpApp, report: object, signing: Signing): Promise<LightMyRequestResponse> {
  const { now = new Date(0), id = '', channelId = 1, instead = report } = signing;
  const body = JSON.stringify(report);
  const headers = signWebhook({ id, body, now }, [signing.secret ?? secret]);
  return app.inject({
    method: 'POST',
    url: `/api/v1/channels/${channelId}/callback`,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(instead),
  });
}

/** Ada and then Grace are called by telephone for boiler 1; both channels have a provider that signs. */
export async function nightShift(admin: Client) {
  for (const medium of ['Voice', 'Sms'] as const) {
    const settings = { url: 'http://127.0.0.1:1', callbackSecret: secret };
    await admin.post('/channels', { name: `PC ${medium}`, kind: 'simulated', medium, settings });
  }
  const voice = (address: string) => ({ media: [{ kind: 'Voice' as const, address }] });
  const ada = await addPerson(admin, 'Ada', voice('+33600000001'));
  const grace = await addPerson(admin, 'Grace', voice('+33600000002'));
  const userIds = [ada, grace];
  const groupId = await addGroup(admin, 'Night', { userIds, ackTimeout: 60, attempts: 3 });
  const raise = async (path = 'boiler/1', more: object = {}) => {
    const alarmActions = [{ type: 'CallGroup', id: groupId }];
    const alarm = { path, alarmMessage: `${path} overheats`, alarmActions, ...more };
    return (await admin.post('/alarms', alarm)).json<number>();
  };
  return { ada, grace, groupId, raise };
}

/** The provider's report of keys pressed during a call. */
export function digits(message: { attemptId: string }, pressed: string) {
  return { attemptId: message.attemptId, reference: 'PC1', event: 'digits', digits: pressed };
}

export function codeOf({ answer }: Message): string {
  if (!answer) throw new Error('the message cannot be answered');
  return answer.code;
}

/** One of the messages that were sent, by default the first. */
export function sentOf({ sent }: World, place = 0): Message {
  const message = sent[place];
  if (!message) throw new Error(`no message ${place} was sent`);
  return message;
}

/** The answer records of all attempts, in order. */
export function answersOf({
  database,
}: Runtime): Promise<{ method: string; intent: string; judgement: string }[]> {
  return inTenant(database, 1, (transaction) =>
    transaction
      .selectFrom('answerRecords')
      .select(['method', 'intent', 'judgement'])
      .orderBy('at')
      .orderBy('attemptId')
      .orderBy('number')
      .execute(),
  );
}
