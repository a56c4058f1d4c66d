import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { RunningServer } from '../serve.ts';
import { type Caller, type HubSite, logIn } from './hub.fixture.ts';

/** What a phone company was asked for, and what it says of each order at once: `queued` is that it rings. */
type Phones = { readonly url: string; says: string; readonly orders: Order[] };
type Order = { readonly attemptId: string; readonly code: string };

/** Signs what it reports. */
export const phoneSecret = Buffer.alloc(32, 7).toString('base64');

/** A phone company next door that takes every order and does what it is told. */
async function startPhones(): Promise<Phones> {
  const phones = { url: '', says: 'queued', orders: [] as Order[] };
  const server = createServer((request, response) => {
    const isOrder = request.method === 'POST' && !request.url?.endsWith('/hangup');
    if (isOrder) void text(request).then((sent) => phones.orders.push(JSON.parse(sent)));
    else request.resume();
    response.writeHead(isOrder ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ reference: 'r', status: isOrder ? phones.says : 'queued' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  phones.url = `http://127.0.0.1:${address.port}`;
  return phones;
}

/** A server that calls people, with somebody to call. */
type NightShift = {
  readonly server: RunningServer;
  readonly admin: Caller;
  readonly phones: Phones;
  readonly ada: number;
  readonly groupId: number;
  /** Raises an alarm that calls the group. */
  call(path: string, more?: object): Promise<number>;
};

export async function openNightShift(site: HubSite): Promise<NightShift> {
  const phones = await startPhones();
  const server = await site.start({ egressAllow: ['127.0.0.0/8:*'] });
  const admin = await logIn(server);
  const shift = await hireShift(admin, phones);
  return { server, admin, phones, ...shift };
}

/** Ada and her telephone, for the tenant of the caller. */
export async function hireShift(
  admin: Caller,
  phones: Phones,
  username = 'ada',
): Promise<Pick<NightShift, 'ada' | 'groupId' | 'call'>> {
  await admin.post('/channels', {
    name: 'Phones',
    kind: 'simulated',
    medium: 'Voice',
    settings: { url: phones.url, callbackSecret: phoneSecret },
  });
  const media = [{ kind: 'Voice', address: '+33100000001' }];
  const ada = await admin.post<number>('/users', { username, name: 'Ada', role: 'operator', media });
  const group = { name: 'Night shift', userIds: [ada], ackTimeout: 600, attempts: 5, cycles: 1 };
  const groupId = await admin.post<number>('/callgroups', group);
  const alarmActions = [{ type: 'CallGroup', id: groupId }];
  return { ada, groupId, call: (path, more = {}) => admin.raise(path, { alarmActions, ...more }) };
}
