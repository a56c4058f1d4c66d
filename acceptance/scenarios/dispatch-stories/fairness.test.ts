import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import type { HttpClient } from '../../harness/http/http-client.ts';
import { logIn } from '../../harness/installation.ts';
import { allowedMs } from '../../harness/judged-times.ts';
import { type OnCallPlant, openOnCallPlant } from '../../harness/on-call/on-call-plant.ts';
import { startPhoneCompany } from '../../harness/phone-company/phone-company.ts';
import { create, raise } from '../../harness/plant.ts';
import { addTenant, firstAdmin } from '../../harness/server.ts';

// One tenant has 2,000 due calls and a provider that never answers, another one has a single alarm.

const people = 200;
/** At most this many, because more calls for one person would be bundled. */
const alarmsEach = 10;

type Finish = Pick<TestContext, 'onTestFinished'>;

/** Accepts connections and never answers. */
async function blackHole({ onTestFinished }: Finish): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

type Provider = {
  channel: { kind: string; medium: string; settings: object };
  medium: (index: number) => { kind: string; address: string };
};

const providers: Record<string, (context: Finish) => Promise<Provider>> = {
  'phone company': async (context: Finish) => {
    const company = await startPhoneCompany();
    context.onTestFinished(() => company.stop());
    await company.faults({ hangBeforeAccept: true });
    return {
      channel: { kind: 'simulated', medium: 'Voice', settings: { url: company.url, callbackSecret: '' } },
      medium: (index: number) => ({ kind: 'Voice', address: `+3390000${1_000 + index}` }),
    };
  },
  'mail server': async (context: Finish) => {
    const settings = {
      host: '127.0.0.1',
      port: await blackHole(context),
      security: 'none',
      from: 'a@b.example',
    };
    return {
      channel: { kind: 'email', medium: 'Email', settings },
      medium: (index: number) => ({ kind: 'Email', address: `user${index}@b.example` }),
    };
  },
};

async function flood(client: HttpClient, provider: Provider) {
  await create(client, 'channels', { name: 'Never answers', ...provider.channel });
  const userIds: number[] = [];
  for (let index = 0; index < people; index++) {
    const user = { username: `flooded.${index}`, name: `Flooded ${index}`, role: 'operator' };
    userIds.push(await create(client, 'users', { ...user, media: [provider.medium(index)] }));
  }
  const settings = { mode: 'Broadcast', attempts: 5, ackTimeout: 600 };
  const id = await create(client, 'callgroups', { name: 'Everybody', userIds, ...settings });
  for (let index = 0; index < alarmsEach; index++)
    await raise(client, { path: `flood/${index}`, alarmActions: [{ type: 'CallGroup', id }] });
}

async function otherCustomer(plant: OnCallPlant): Promise<HttpClient> {
  const login = { username: 'flooded.admin', password: firstAdmin.password };
  await addTenant(plant.databaseUrl, {
    name: 'Flooded',
    admin: login.username,
    password: login.password,
  });
  return logIn(plant, login);
}

for (const [name, open] of Object.entries(providers))
  test(`a ${name} that never answers does not delay other tenants`, async (context) => {
    const plant = await openOnCallPlant();
    context.onTestFinished(() => plant.close());
    const ada = await plant.hire('Ada');
    const groupId = await plant.group([ada], { ackTimeout: 600 });
    const client = await otherCustomer(plant);
    context.onTestFinished(() => client.close());
    await flood(client, await open(context));
    // All send slots of the flooded tenant are in use.
    await sleep(3_000);
    const beforeMs = Date.now();
    await raise(plant.client, { path: 'hall/1', alarmActions: [{ type: 'CallGroup', id: groupId }] });
    const calls = (line: { event: string; to?: string }) =>
      line.event === 'accepted' && line.to === ada.phone;
    const [call] = await plant.log.until(calls, { withinMs: 30_000 });
    expect(Date.parse(call?.at ?? '') - beforeMs).toBeLessThan(allowedMs(2_000));
  });
