import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { startStorm } from '../harness/client/storm.ts';
import { openLiveTab, shownBy, type Tab, untilEqual, untilState } from '../harness/client/tab.ts';
import { createDatabase } from '../harness/database.ts';
import { startBalancer } from '../harness/hub/balancer.ts';
import { logIn } from '../harness/installation.ts';
import { allowedMs, timesAreJudged } from '../harness/judged-times.ts';
import { type Server, startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

const perSecond = 50;
const noticedWithinMs = 5_000;
const wholeWithinMs = 3_000;

type Site = { databaseUrl: string; server: Server; start(more?: Record<string, string>): Promise<Server> };

/** One server at a fixed port, so that it can be killed and started again. */
async function openSite(): Promise<Site> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const port = String(await freePort());
  const started: Server[] = [];
  const start = async (more: Record<string, string> = {}) => {
    const environment = { DRAIN_MS: '0', ROLES: 'api,hub', PORT: port, ...more };
    const server = await startServer({ databaseUrl: database.url, environment });
    started.push(server);
    return server;
  };
  const server = await start();
  onTestFinished(async () => {
    for (const each of started) await each.kill();
    await database.drop();
  });
  return { databaseUrl: database.url, server, start };
}

async function openTabOf({ baseUrl }: { baseUrl: string }): Promise<Tab> {
  const tab = await openLiveTab(baseUrl);
  onTestFinished(() => tab.close());
  return tab;
}

/** No change was told twice, and none out of order. */
function expectOnce({ seqs }: Tab): void {
  expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
}

/** Without a gap, either. */
function expectAll(tab: Tab): void {
  expectOnce(tab);
  const [first = 0] = tab.seqs;
  expect(tab.seqs).toEqual(tab.seqs.map((_, index) => first + index));
}

test('the list is whole after the server was killed and restarted in a storm', async () => {
  const { server, start } = await openSite();
  const tab = await openTabOf(server);
  const storm = startStorm(await logIn(server), perSecond);
  await sleep(3_000);
  const killedAt = performance.now();
  await server.kill();
  await untilState(tab, 'lost', allowedMs(noticedWithinMs));
  const noticedMs = performance.now() - killedAt;
  const { lostSince, lastHeard } = tab.feed.getSnapshot();
  expect(lostSince).toBe(lastHeard);
  await sleep(2_000);
  const again = await start();
  const returnedAt = performance.now();
  await untilState(tab, 'live', allowedMs(wholeWithinMs));
  const liveMs = performance.now() - returnedAt;
  await storm.stop();
  const second = startStorm(await logIn(again), perSecond);
  await sleep(2_000);
  const { answered } = await second.stop();
  const equalMs = await untilEqual(tab, allowedMs(wholeWithinMs));
  expectAll(tab);
  expect(answered).toBeGreaterThan(0);
  expect(tab.seqs.length).toBeGreaterThan(100);
  console.log(
    `lost after ${noticedMs.toFixed(0)} ms, live ${liveMs.toFixed(0)} ms after the return, equal in ${equalMs.toFixed(0)} ms, ${tab.seqs.length} changes`,
  );
});

test('a server that hangs is noticed within five seconds, and nothing is missed when it goes on', async () => {
  const { server } = await openSite();
  const tab = await openTabOf(server);
  const client = await logIn(server);
  await client.post('/api/v1/alarms', { path: 'pump', alarmMessage: 'too hot' });
  await untilEqual(tab, allowedMs(wholeWithinMs));
  const stoppedAt = performance.now();
  server.signal('SIGSTOP');
  await untilState(tab, 'late', allowedMs(noticedWithinMs));
  await untilState(tab, 'lost', allowedMs(noticedWithinMs));
  console.log(`noticed after ${(performance.now() - stoppedAt).toFixed(0)} ms`);
  expect(performance.now() - stoppedAt).toBeLessThan(allowedMs(noticedWithinMs));
  const waiting = client.post('/api/v1/alarms', { path: 'valve', alarmMessage: 'stuck' });
  server.signal('SIGCONT');
  await waiting;
  await untilState(tab, 'live', allowedMs(10_000));
  await untilEqual(tab, allowedMs(wholeWithinMs));
  expect(shownBy(tab).map(({ path }) => path)).toEqual(['pump', 'valve']);
  expectAll(tab);
});

test('a connection is replaced before its token ends, and nobody notices', async () => {
  const { server } = await openSite();
  const tab = await openTabOf(server);
  // From the next token on. The client replaces the connection after half of this time.
  tab.browser.changeGrant = (grant) => ({ ...grant, expires_in: 36 });
  tab.feed.stop();
  // Listeners are told a moment later; until then the state is that of the former connection.
  await untilState(tab, 'lost');
  await tab.session.accessToken(await tab.session.accessToken());
  tab.feed.start();
  await untilState(tab, 'live');
  const begun = tab.states.length;
  const reads = () => tab.browser.sent.filter((line) => line === 'GET /api/v1/alarms').length;
  const before = reads();
  const storm = startStorm(await logIn(server), perSecond);
  await expect.poll(reads, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + 2);
  await sleep(1_000);
  await storm.stop();
  await untilEqual(tab, allowedMs(wholeWithinMs));
  const noticed = tab.states.slice(begun).map(({ state }) => state);
  // A busy machine may keep the server silent for a heartbeat, which a client must tell.
  expect(timesAreJudged ? noticed : noticed.filter((state) => state === 'lost')).toEqual([]);
  expectAll(tab);
});

test('a token that the server refuses is replaced, and the request sent again', async () => {
  const { server } = await openSite();
  const tab = await openTabOf(server);
  let spoiled = 0;
  tab.browser.changeGrant = (grant) =>
    spoiled++ === 0 ? { ...grant, access_token: `${grant.access_token}x` } : grant;
  await tab.session.accessToken(await tab.session.accessToken());
  const { data } = await tab.api.get<{ user: { name: string } }>('/meta');
  expect(data.user.name).toBe('admin');
  expect(spoiled).toBe(2);
});

test('after a sleep the list is read again', async () => {
  const { server } = await openSite();
  const tab = await openTabOf(server);
  const storm = startStorm(await logIn(server), perSecond);
  await sleep(1_000);
  const reads = () => tab.browser.sent.filter((line) => line === 'GET /api/v1/alarms').length;
  const before = reads();
  tab.sleepFor(8 * 3_600_000);
  await expect.poll(reads, { timeout: allowedMs(noticedWithinMs) }).toBeGreaterThan(before);
  await untilState(tab, 'live', allowedMs(wholeWithinMs));
  await storm.stop();
  await untilEqual(tab, allowedMs(wholeWithinMs));
  expectOnce(tab);
});

test('the list is whole after the node has changed', async () => {
  const { server, start } = await openSite();
  const other = await start({ PORT: String(await freePort()) });
  const ports = [server, other].map(({ baseUrl }) => Number(new URL(baseUrl).port));
  const balancer = await startBalancer(ports);
  onTestFinished(() => balancer.close());
  const tab = await openTabOf({ baseUrl: balancer.url });
  const storm = startStorm(await logIn(other), perSecond);
  await sleep(2_000);
  await server.kill();
  await sleep(3_000);
  await start();
  await other.kill();
  await storm.stop();
  await untilState(tab, 'live', allowedMs(10_000));
  await untilEqual(tab, allowedMs(wholeWithinMs));
  expectAll(tab);
  expect(tab.seqs.length).toBeGreaterThan(50);
});

test('after a gap in the journal the list is read again', async () => {
  const { databaseUrl, server, start } = await openSite();
  const other = await start({ PORT: String(await freePort()) });
  const client = await logIn(other);
  const raise = (path: string) => client.post('/api/v1/alarms', { path, alarmMessage: 'too hot' });
  await raise('before');
  const tab = await openTabOf(server);
  await server.kill();
  for (const path of ['first', 'second', 'third']) await raise(path);
  const { id } = shownBy(tab)[0] ?? { id: 0 };
  await client.post(`/api/v1/alarms/${id}/acknowledge`);
  await client.post('/api/v1/alarms', { path: 'before', raised: false });
  await raise('last');
  const owner = await connectSql(databaseUrl);
  await owner.query('delete from journal where seq < (select max(seq) from journal)');
  await start();
  await untilState(tab, 'live', allowedMs(10_000));
  await untilEqual(tab, allowedMs(wholeWithinMs));
  expect(shownBy(tab).map(({ path }) => path)).toEqual(['first', 'second', 'third', 'last']);
});
