import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { RunningServer } from '../../serve.ts';
import { type Caller, type HubSite, logIn } from './hub.fixture.ts';

/** A simulated phone company, the orders it got, and its immediate answer to each: `queued` means that it rings. */
type Phones = { readonly url: string; says: string; readonly orders: Order[] };
type Order = { readonly attemptId: string; readonly code: string };

/** Signs its reports. */
export const phoneSecret = Buffer.alloc(32, 7).toString('base64');

/** Starts a phone company that accepts every order. */
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

/** A server that calls people, and a call group with one member. */
type NightShift = {
  readonly server: RunningServer;
  readonly admin: Caller;
  readonly phones: Phones;
  readonly ada: number;
  readonly groupId: number;
  /** Raises an alarm that calls the group. */
  call(path: string, more?: object): Promise<number>;
  /** Raises an alarm that calls another person, because a telephone takes one call at a time. */
  callOther(path: string, more?: object): Promise<number>;
};

export async function openNightShift(site: HubSite): Promise<NightShift> {
  const phones = await startPhones();
  const server = await site.start({ egressAllow: ['127.0.0.0/8:*'] });
  const admin = await logIn(server);
  const shift = await addShift(admin, phones);
  return { server, admin, phones, ...shift };
}

/** Creates Ada, their telephone and a call group, in the tenant of the caller. */
export async function addShift(
  admin: Caller,
  phones: Phones,
  username = 'ada',
): Promise<Pick<NightShift, 'ada' | 'groupId' | 'call' | 'callOther'>> {
  await admin.post('/channels', {
    name: 'Phones',
    kind: 'simulated',
    medium: 'Voice',
    settings: { url: phones.url, callbackSecret: phoneSecret },
  });
  let people = 0;
  const hire = async (login: string, name: string) => {
    people += 1;
    const media = [{ kind: 'Voice', address: `+3310000000${people}` }];
    const userId = await admin.post<number>('/users', { username: login, name, role: 'operator', media });
    const group = { name: `Shift of ${name}`, userIds: [userId], ackTimeout: 600, attempts: 5, cycles: 1 };
    return { userId, groupId: await admin.post<number>('/callgroups', group) };
  };
  const raise = (path: string, id: number, more: object = {}) =>
    admin.raise(path, { alarmActions: [{ type: 'CallGroup', id }], ...more });
  const { userId: ada, groupId } = await hire(username, 'Ada');
  return {
    ada,
    groupId,
    call: (path, more) => raise(path, groupId, more),
    callOther: async (path, more) =>
      raise(path, (await hire(`${username}-${people}`, `Bea ${people}`)).groupId, more),
  };
}
