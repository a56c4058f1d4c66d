import { test as base, expect } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { create, granted, openPlant, type Plant, raise } from '../harness/plant.ts';
import { type ProviderStub, startProviderStub } from '../harness/sms/provider-stub.ts';

type AlarmState = { state: number; ackUser: string };
type Attempt = { status: string; user: string };

/** A plant whose calls and messages go through a provider in the cloud. */
type Site = Plant & {
  stub: ProviderStub;
  voice: number;
  /** A person who is called, or gets messages, at a number of their own. */
  hire(name: string, kind: 'Voice' | 'Sms', more?: object): Promise<{ id: number; number: string }>;
  /** Raises an alarm that calls these people one after the other. */
  alarm(people: { id: number }[], path: string): Promise<number>;
  alarmOf(id: number): Promise<AlarmState>;
};

async function openSite(): Promise<Site> {
  const stub = await startProviderStub();
  const port = await freePort();
  const plant = await openPlant('/alertws', {
    ROLES: 'api,hub,dispatch',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    EGRESS_ALLOW: '127.0.0.0/8:*',
  });
  const { client } = plant;
  const { accountSid, authToken, url: baseUrl } = stub;
  const settings = { accountSid, authToken, baseUrl, from: '+33100000000' };
  const channel = (medium: string) =>
    create(client, 'channels', { name: medium, kind: 'http-provider', medium, settings });
  const [voice, sms] = [await channel('Voice'), await channel('Sms')];
  stub.messageUrl = `${plant.baseUrl}/api/v1/channels/${sms}/callback?tenant=1`;
  let hired = 0;
  return {
    ...plant,
    stub,
    voice,
    hire: async (name, kind, more = {}) => {
      hired += 1;
      const number = `+3361000000${hired}`;
      const media = [{ kind, address: number }];
      return {
        id: await create(client, 'users', { username: `user.${hired}`, name, media, ...more }),
        number,
      };
    },
    alarm: async (people, path) => {
      const userIds = people.map(({ id }) => id);
      const group = { name: path, userIds, ackTimeout: 60, attempts: 2, cycles: 1 };
      const alarmActions = [{ type: 'CallGroup', id: await create(client, 'callgroups', group) }];
      return raise(client, { path, alarmMessage: `${path} fails & leaks`, alarmActions });
    },
    alarmOf: async (id) => granted<AlarmState>(await client.get(`/api/v1/alarms/${id}`)),
    close: async () => {
      await stub.stop();
      await plant.close();
    },
  };
}

const test = base
  .extend('opened', { scope: 'file' }, () => openSite())
  .extend('site', { scope: 'file' }, ({ opened }, { onCleanup }) => {
    onCleanup(opened.close);
    return opened;
  });

const soon = { timeout: 15_000 };
const callsTo = (site: Site, { number }: { number: string }) =>
  site.stub.calls.filter(({ to }) => to === number);

test('a person who is called hears the alarm twice, presses 1, and has taken it', async ({ site }) => {
  const ada = await site.hire('Ada', 'Voice');
  site.stub.phones.set(ada.number, { kind: 'answers', keys: ['*', '1'] });
  const id = await site.alarm([ada], 'pump 1');
  await expect.poll(() => site.alarmOf(id), soon).toMatchObject({ state: 1, ackUser: 'Ada' });
  await expect.poll(() => callsTo(site, ada).map(({ status }) => status), soon).toEqual(['completed']);
  const said = callsTo(site, ada)[0]?.said ?? [];
  expect(said.filter((line) => line.includes('pump 1 fails & leaks'))).toHaveLength(2);
  expect(said.at(-1)).toContain('You have taken the alarm');
  expect(site.stub.callbacks.map(({ status }) => status)).not.toContain(403);
});

test('a person who presses 2 gives the alarm to the next one at once', async ({ site }) => {
  const ada = await site.hire('Ada', 'Voice');
  const grace = await site.hire('Grace', 'Voice');
  site.stub.phones.set(ada.number, { kind: 'answers', keys: ['2'] });
  site.stub.phones.set(grace.number, { kind: 'answers', keys: ['1'] });
  const id = await site.alarm([ada, grace], 'pump 2');
  await expect.poll(() => site.alarmOf(id), soon).toMatchObject({ state: 1, ackUser: 'Grace' });
  expect(callsTo(site, ada)).toHaveLength(1);
});

test('somebody who listens hears in their language who else has taken the alarm', async ({ site }) => {
  const ada = await site.hire('Ada', 'Voice', { language: 'de' });
  site.stub.phones.set(ada.number, { kind: 'answers', talkMs: 10_000 });
  const id = await site.alarm([ada], 'pump 3');
  await expect.poll(() => callsTo(site, ada)[0]?.said.at(-1), soon).toContain('drücken Sie');
  granted(await site.client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
  const { ackUser } = await site.alarmOf(id);
  const told = `Den Alarm hat ${ackUser} übernommen. Auf Wiederhören.`;
  await expect.poll(() => callsTo(site, ada)[0]?.said.at(-1), soon).toBe(told);
});

test('a person who gets a text replies with its code, and has taken the alarm', async ({ site }) => {
  const ada = await site.hire('Ada', 'Sms');
  const reply = (text: string) => `ok ${/\d{6}/.exec(text)?.[0]}`;
  site.stub.phones.set(ada.number, { kind: 'texts', reply });
  const id = await site.alarm([ada], 'basin three');
  await expect.poll(() => site.alarmOf(id), soon).toMatchObject({ state: 1, ackUser: 'Ada' });
  expect(site.stub.texts.filter(({ to }) => to === ada.number)).toHaveLength(1);
});

test('a text that does not arrive is shown as failed', async ({ site }) => {
  const ada = await site.hire('Ada', 'Sms');
  site.stub.phones.set(ada.number, { kind: 'texts', errorCode: 30_005 });
  await site.alarm([ada], 'basin four');
  const attempts = async () =>
    granted<{ items: Attempt[] }>(await site.client.get(`/api/v1/call/histories?userId=${ada.id}`)).items;
  await expect.poll(attempts, soon).toMatchObject([{ status: 'Failed' }]);
});

test('forged and repeated call-backs change nothing', async ({ site }) => {
  const { stub } = site;
  const ada = await site.hire('Ada', 'Voice');
  stub.phones.set(ada.number, { kind: 'answers', keys: ['1'] });
  const id = await site.alarm([ada], 'pump 5');
  await expect.poll(() => site.alarmOf(id), soon).toMatchObject({ ackUser: 'Ada' });
  const taken = () =>
    stub.callbacks.find(({ form }) => form.get('To') === ada.number && form.get('Digits') === '1');
  await expect.poll(() => taken()?.status, soon).toBe(200);
  const { url = '', form = new URLSearchParams() } = taken() ?? {};

  // The alarm comes again, and the telephone rings.
  stub.phones.set(ada.number, { kind: 'rings' });
  granted(await site.client.post('/api/v1/alarms', { path: 'pump 5', raised: false }));
  granted(await site.client.post('/api/v1/alarms', { path: 'pump 5', raised: true }));
  await expect.poll(() => callsTo(site, ada).at(-1)?.status, soon).toBe('ringing');
  expect((await stub.callBack(url, form)).status, 'the same report again').toBe(200);

  const ringing = callsTo(site, ada).at(-1);
  const pressed = new URLSearchParams({ CallSid: ringing?.sid ?? '', Digits: '1' });
  const action = new URL(/action="([^"]*)"/.exec(ringing?.twiml ?? '')?.[1]?.replaceAll('&amp;', '&') ?? '');
  const forged = await stub.callBack(action.href, pressed, { authToken: 'guessed' });
  expect(forged.status).toBe(403);
  const unsigned = await fetch(action, { method: 'POST', body: pressed });
  expect(unsigned.status).toBe(403);
  const text = new URLSearchParams({ MessageSid: 'SM1', SmsStatus: 'received', From: ada.number, Body: '1' });
  for (const tenant of ['1', '2', '99'])
    expect((await fetch(stub.messageUrl.replace(/1$/, tenant), { method: 'POST', body: text })).status).toBe(
      403,
    );
  const otherChannel = action.href.replace(`/channels/${site.voice}/`, `/channels/${site.voice + 1}/`);
  expect((await stub.callBack(otherChannel, pressed)).status, 'of another channel').toBe(403);
  expect(await site.alarmOf(id)).toMatchObject({ state: 3, ackUser: '' });
  expect((await stub.callBack(action.href, pressed)).status, 'the genuine one').toBe(200);
  expect(await site.alarmOf(id)).toMatchObject({ state: 1, ackUser: 'Ada' });
});

test('a provider that is busy is asked again when it said, and nobody is passed over', async ({ site }) => {
  const ada = await site.hire('Ada', 'Voice');
  const grace = await site.hire('Grace', 'Voice');
  site.stub.phones.set(ada.number, { kind: 'answers', keys: ['1'] });
  site.stub.refusal = { status: 429, retryAfterSeconds: 1 };
  const id = await site.alarm([ada, grace], 'pump 6');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(callsTo(site, ada)).toEqual([]);
  site.stub.refusal = undefined;
  await expect.poll(() => site.alarmOf(id), soon).toMatchObject({ state: 1, ackUser: 'Ada' });
  expect(callsTo(site, grace)).toEqual([]);
});
