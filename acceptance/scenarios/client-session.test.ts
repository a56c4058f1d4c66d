import { createMemoryStorage, createOutbox, ProblemError } from '@tocsin/client';
import type { Alarm } from '@tocsin/contract';
import { test as base, expect, onTestFinished } from 'vitest';
import { openBrowser } from '../harness/client/browser.ts';
import { openTab, type Tab, untilState } from '../harness/client/tab.ts';
import { create, openPlant, type Plant, raise } from '../harness/plant.ts';
import { firstAdmin } from '../harness/server.ts';

const test = base
  .extend('opened', { scope: 'file' }, (): Promise<Plant> => openPlant('/alertws'))
  .extend('plant', { scope: 'file' }, ({ opened }, { onCleanup }) => {
    onCleanup(() => opened.close());
    return opened;
  });

async function signIn(tab: Tab, { username, password } = firstAdmin): Promise<Tab> {
  await tab.session.logIn(username, password);
  onTestFinished(() => tab.close());
  return tab;
}

test('a page that is loaded again continues its session, until somebody signs out', async ({ plant }) => {
  const browser = openBrowser();
  const first = openTab(plant.baseUrl, browser);
  expect(await first.session.restore()).toBe(false);
  await signIn(first);
  expect(browser.cookies()).toMatch(/^tocsin_session=tcr_1_/);
  const again = openTab(plant.baseUrl, browser);
  expect(again.session.state).toBe('unknown');
  expect(await again.session.restore()).toBe(true);
  expect(again.session).toMatchObject({ state: 'signed-in', user: { id: 1, name: 'admin' } });
  await again.session.logOut();
  expect(again.session.state).toBe('signed-out');
  expect(browser.cookies()).toBe('');
  expect(await openTab(plant.baseUrl, browser).session.restore()).toBe(false);
});

test('tabs without locks that refresh at the same time all stay signed in', async ({ plant }) => {
  const browser = openBrowser();
  await signIn(openTab(plant.baseUrl, browser));
  const tabs = Array.from({ length: 5 }, () => openTab(plant.baseUrl, browser));
  expect(await Promise.all(tabs.map(({ session }) => session.restore()))).toEqual(tabs.map(() => true));
  for (const { session, api } of tabs) {
    await session.accessToken(await session.accessToken());
    await api.get('/meta');
  }
});

test('a refresh whose answer was lost does not end the session', async ({ plant }) => {
  const tab = await signIn(openTab(plant.baseUrl));
  const token = await tab.session.accessToken();
  tab.browser.losesAnswers = true;
  await expect(tab.session.accessToken(token)).rejects.toMatchObject({ status: 0, code: 'no-connection' });
  expect(tab.session.state).toBe('signed-in');
  tab.browser.losesAnswers = false;
  expect(await tab.session.accessToken(token)).not.toBe(token);
});

test('a tab does not act in the name of somebody who has logged in in another one', async ({ plant }) => {
  const browser = openBrowser();
  const [anna, ben] = [openTab(plant.baseUrl, browser), openTab(plant.baseUrl, browser)];
  const login = { username: 'ben', password: 'a long enough password' };
  await create(plant.client, 'users', { ...login, role: 'operator' });
  await signIn(anna);
  anna.feed.start();
  await untilState(anna, 'live');
  await signIn(ben, login);
  await expect(anna.session.accessToken(await anna.session.accessToken())).rejects.toThrow(ProblemError);
  expect(anna.session.state).toBe('signed-out');
  await untilState(anna, 'lost');
  expect(anna.feed.getSnapshot().alarms.size).toBe(0);
  expect(ben.session.user?.name).toBe('ben');
  expect(await ben.session.accessToken(await ben.session.accessToken())).toBeTypeOf('string');
});

test('a wrong password is told, and leaves nobody signed in', async ({ plant }) => {
  const tab = openTab(plant.baseUrl);
  await expect(tab.session.logIn('admin', 'wrong horse battery')).rejects.toMatchObject({
    status: 400,
    code: 'invalid_grant',
    title: 'The user name or password is wrong',
  });
  expect(tab.session.state).toBe('unknown');
});

test('a refusal has the words of the server, and a change needs the version that was read', async ({
  plant,
}) => {
  const { api } = await signIn(openTab(plant.baseUrl));
  const { data: id } = await api.post<number>('/stations', { name: 'North' }, { idempotencyKey: 'north' });
  expect(await api.post('/stations', { name: 'North' }, { idempotencyKey: 'north' })).toMatchObject({
    data: id,
  });
  const { data, etag } = await api.get<{ name: string }>(`/stations/${id}`);
  expect(data.name).toBe('North');
  expect(etag).toBeTypeOf('string');
  await api.put(`/stations/${id}`, { name: 'South' }, { ifMatch: etag });
  await expect(api.put(`/stations/${id}`, { name: 'East' }, { ifMatch: etag })).rejects.toMatchObject({
    status: 412,
    code: 'stale-version',
  });
  await expect(api.post('/stations', { name: 5 })).rejects.toMatchObject({
    status: 400,
    code: 'invalid-request',
    errors: [{ pointer: '/name' }],
  });
  await api.remove(`/stations/${id}`);
  await expect(api.get(`/stations/${id}`)).rejects.toMatchObject({ status: 404 });
});

test('acknowledgments made without a network are sent once, in order, and show both times', async ({
  plant,
}) => {
  const { api, browser, session } = await signIn(openTab(plant.baseUrl));
  const see = async (id: number) => (await api.get<Alarm>(`/alarms/${id}`)).data;
  const paths = ['Out 1', 'Out 2', 'Out 3', 'Out 4'];
  const ids: number[] = [];
  for (const path of paths) ids.push(await raise(plant.client, { path, alarmMessage: path }));
  const seen = await Promise.all(ids.map(see));
  const storage = createMemoryStorage();
  let at = Date.parse('2026-11-17T03:00:00Z');
  const open = () => createOutbox({ storage, api, now: () => at, userId: () => session.user?.id });
  const outbox = open();
  await outbox.start();
  browser.isOnline = false;
  for (const alarm of seen) await outbox.acknowledge(alarm, 'on my way');
  await outbox.sendNow();
  const [first, ...rest] = outbox.getSnapshot().map(({ progress }) => progress);
  expect(first).toEqual({ state: 'waiting', tries: 1, nextTryAt: at + 2_000 });
  expect(rest).toEqual(rest.map(() => ({ state: 'waiting', tries: 0, nextTryAt: undefined })));
  outbox.stop();

  // Meanwhile the second comes again, and the answer to the first is lost on the way.
  for (const raised of [false, true]) {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await plant.client.post('/api/v1/alarms', { path: 'Out 2', raised });
  }
  at += 600_000;
  const later = open();
  browser.isOnline = true;
  await later.start();
  onTestFinished(() => later.stop());
  const accepted = { state: 'accepted', acceptedAt: at, acknowledgedBy: 'admin' };
  expect(later.getSnapshot().map(({ progress }) => progress)).toEqual([
    accepted,
    { state: 'refused', refusedAt: at, reason: { code: 'raised-again' } },
    accepted,
    accepted,
  ]);
  expect(later.getSnapshot()[0]).toMatchObject({ madeAt: at - 600_000, comment: 'on my way' });
  const posts = browser.sent.filter((line) => line.endsWith('/acknowledge'));
  expect(posts).toEqual(
    [ids[0], ids[2], ids[3]].map((id) => `POST /alertws/api/v1/alarms/${id}/acknowledge`),
  );
  expect((await see(ids[1] ?? 0)).ackUser, 'nobody has seen the new occurrence').toBe('');
});

test('an acknowledgment whose answer was lost is sent again and taken once', async ({ plant }) => {
  const { api, browser } = await signIn(openTab(plant.baseUrl));
  const id = await raise(plant.client, { path: 'Lost answer', alarmMessage: 'x' });
  const { data: alarm } = await api.get<Alarm>(`/alarms/${id}`);
  let lost = 0;
  const outbox = createOutbox({
    storage: createMemoryStorage(),
    api: {
      get: api.get,
      post: async (path, body, options) => {
        browser.losesAnswers = lost++ === 0;
        try {
          return await api.post(path, body, options);
        } finally {
          browser.losesAnswers = false;
        }
      },
    },
  });
  await outbox.start();
  onTestFinished(() => outbox.stop());
  await outbox.acknowledge(alarm);
  await outbox.sendNow();
  expect(outbox.getSnapshot()[0]?.progress).toMatchObject({ state: 'waiting', tries: 1 });
  await outbox.sendNow();
  expect(outbox.getSnapshot()[0]?.progress).toMatchObject({ state: 'accepted', acknowledgedBy: 'admin' });
  const { data } = await api.get<{ items: { kind: string }[] }>(`/alarms/${id}/timeline`);
  expect(data.items.filter(({ kind }) => kind === 'acknowledged')).toHaveLength(1);
});

test('the acknowledgment of one person is not sent in the name of another', async ({ plant }) => {
  const { api, browser } = await signIn(openTab(plant.baseUrl));
  const id = await raise(plant.client, { path: 'Whose', alarmMessage: 'x' });
  const { data: alarm } = await api.get<Alarm>(`/alarms/${id}`);
  let userId = 7;
  const outbox = createOutbox({ storage: createMemoryStorage(), api, userId: () => userId });
  await outbox.acknowledge(alarm);
  userId = 1;
  await outbox.start();
  onTestFinished(() => outbox.stop());
  expect(outbox.getSnapshot()[0]?.progress.state).toBe('waiting');
  expect(browser.sent.filter((line) => line.endsWith('/acknowledge'))).toEqual([]);
  userId = 7;
  await outbox.sendNow();
  expect(outbox.getSnapshot()[0]?.progress.state).toBe('accepted');
});
