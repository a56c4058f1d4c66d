import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import { coreTransports, listenCore } from '../../harness/hub/listener.ts';
import { allowedMs } from '../../harness/judged-times.ts';
import { type OnCallPlant, openOnCallPlant } from '../../harness/on-call/on-call-plant.ts';
import { systemAlarms, untilSystemAlarms } from '../../harness/on-call/system-alarms.ts';
import { type PhoneCompany, startPhoneCompany } from '../../harness/phone-company/phone-company.ts';
import { create, granted, type Page, raise, read } from '../../harness/plant.ts';
import { startServer } from '../../harness/server.ts';

// Each test has its own plant, because a faulty provider affects all calls.

type Finish = Pick<TestContext, 'onTestFinished'>;

async function ownPlant({ onTestFinished }: Finish, environment = {}): Promise<OnCallPlant> {
  const plant = await openOnCallPlant(environment);
  onTestFinished(() => plant.close());
  return plant;
}

async function otherCompany({ onTestFinished }: Finish): Promise<PhoneCompany> {
  const company = await startPhoneCompany();
  onTestFinished(() => company.stop());
  return company;
}

/** Adds a channel for texts at the other company. */
async function moveTexts({ client, channels }: OnCallPlant, { url }: PhoneCompany): Promise<void> {
  const found = await client.get(`/api/v1/channels/${channels.texts}`);
  const body = { name: 'Texts', kind: 'simulated', medium: 'Sms', settings: { url, callbackSecret: '' } };
  const headers = { 'if-match': found.headers.etag ?? '' };
  granted(await client.send('PUT', `/api/v1/channels/${channels.texts}`, { body, headers }));
}

const callsGroup = (id: number) => ({ alarmActions: [{ type: 'CallGroup', id }] });
const pathOf = (channelId: number) => `tocsin/channels/${channelId}`;

function isDown(channelId: number) {
  return (alarms: readonly { path: string; state: number }[]) =>
    alarms.some(({ path, state }) => path === pathOf(channelId) && state % 2 === 1);
}

function isWell(channelId: number) {
  const down = isDown(channelId);
  return (alarms: readonly { path: string; state: number }[]) => !down(alarms);
}

/** The kinds of timeline entries of an alarm. */
async function lifeOf({ client }: OnCallPlant, path: string): Promise<string[]> {
  const alarm = (await systemAlarms(client)).find((one) => one.path === path);
  const { items } = await read<Page<{ kind: string }>>(client, `alarms/${alarm?.id}/timeline?limit=100`);
  return items.map(({ kind }) => kind).toSorted();
}

test.concurrent('one of three dispatchers reports that a phone company is down, although nobody is called, and one that it works again', async (context) => {
  const keyFile = join(await mkdtemp(join(tmpdir(), 'tocsin-key-')), 'key');
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o400 });
  const plant = await ownPlant(context, { SECRETS_KEY_FILE: keyFile });
  const environment = { ROLES: 'dispatch', EGRESS_ALLOW: '127.0.0.0/8:*', SECRETS_KEY_FILE: keyFile };
  const start = () =>
    startServer({ databaseUrl: plant.databaseUrl, environment: { ...environment, DRAIN_MS: '0' } });
  const others = await Promise.all([start(), start()]);
  for (const server of others) context.onTestFinished(async () => void (await server.stop()));
  const hub = await listenCore(plant.baseUrl, plant.client.token ?? '', coreTransports.webSockets);
  context.onTestFinished(() => hub.stop());
  const { voice, texts } = plant.channels;

  await plant.company.faults({ status: 503 });
  const bothDown = (alarms: Parameters<ReturnType<typeof isDown>>[0]) =>
    isDown(voice)(alarms) && isDown(texts)(alarms);
  expect(await untilSystemAlarms(plant.client, bothDown, 90)).toBeGreaterThan(15);
  await others[0].kill();
  await sleep(20_000);
  await plant.company.faults({});
  await untilSystemAlarms(plant.client, (alarms) => isWell(voice)(alarms) && isWell(texts)(alarms), 60);
  expect(await lifeOf(plant, pathOf(voice))).toEqual(['raised', 'reset']);
  expect(await lifeOf(plant, pathOf(texts))).toEqual(['raised', 'reset']);
  expect(hub.paths().toSorted()).toEqual([pathOf(voice), pathOf(texts)].toSorted());
}, 240_000);

test.concurrent('a phone company that accepts calls and never answers is reported although its health check succeeds, and people get texts at once', async (context) => {
  const plant = await ownPlant(context);
  const texting = await otherCompany(context);
  await moveTexts(plant, texting);
  await plant.company.faults({ hangBeforeAccept: true });
  for (const name of ['Grace', 'Edith', 'Mary']) {
    const groupId = await plant.group([await plant.hire(name)], { ackTimeout: 300, attempts: 3 });
    await raise(plant.client, { path: name, ...callsGroup(groupId) });
  }
  const { voice, texts } = plant.channels;
  const reported = untilSystemAlarms(plant.client, isDown(voice), 90);
  await sleep(12_000);

  const ada = await plant.hire('Ada', { mobile: { kind: 'receives' } });
  const groupId = await plant.group([ada], { ackTimeout: 300, attempts: 3 });
  const raisedMs = Date.now();
  await raise(plant.client, { path: 'Ada', ...callsGroup(groupId) });
  const [text] = await texting.until(({ event, to }) => event === 'accepted' && to === ada.mobile, {
    withinMs: 30_000,
  });
  expect(Date.parse(text?.at ?? '') - raisedMs).toBeLessThan(allowedMs(4_000));

  await reported;
  expect(isWell(texts)(await systemAlarms(plant.client))).toBe(true);
  await plant.company.faults({});
  await untilSystemAlarms(plant.client, isWell(voice), 60);
  expect(await lifeOf(plant, pathOf(voice))).toEqual(['raised', 'reset']);
}, 240_000);

test.concurrent('busy, unanswered, wrong and always failing numbers do not mark a phone company as down', async (context) => {
  const plant = await ownPlant(context);
  const ada = await plant.hire('Ada');
  const people = [
    ada,
    await plant.hire('Busy', { phone: { kind: 'busy' } }),
    await plant.hire('Silent', { phone: { kind: 'silent' } }),
    await plant.hire('Wrong', { phone: { kind: 'errors', status: 404 } }),
    await plant.hire('Failing', { phone: { kind: 'errors', status: 500 } }),
  ];
  const groups: number[] = [];
  for (const one of people) groups.push(await plant.group([one], { cycles: 3 }));
  for (let number = 0; number < 50; number++) {
    const groupId = groups[number % groups.length] ?? 0;
    await raise(plant.client, { path: `pump ${number}`, priority: 2, ...callsGroup(groupId) });
    await sleep(2_000);
    expect(isWell(plant.channels.voice)(await systemAlarms(plant.client))).toBe(true);
  }
  // A telephone that rings gets no second call: the alarms that wait for it follow in one.
  expect(plant.callsTo(ada).length).toBeGreaterThan(2);
  expect(plant.log.lines.filter(({ event }) => event === 'declined').length).toBeGreaterThan(9);
}, 240_000);

test.concurrent('while a phone company is down one call in 15 seconds tries it, and the spare company gets all others at once', async (context) => {
  const plant = await ownPlant(context);
  const second = await otherCompany(context);
  const settings = { url: second.url };
  await create(plant.client, 'channels', {
    name: 'Spare',
    kind: 'simulated',
    medium: 'Voice',
    priority: 2,
    settings,
  });
  await plant.company.faults({ status: 500 });
  const call = async (number: number) => {
    const groupId = await plant.group([await plant.hire(`Person ${number}`)], { ackTimeout: 300 });
    await raise(plant.client, { path: `pump ${number}`, ...callsGroup(groupId) });
  };
  for (let number = 0; number < 5; number++) await call(number);
  await sleep(3_000);
  const declined = () => plant.log.lines.filter(({ event }) => event === 'declined').length;
  const before = declined();
  expect(before).toBeGreaterThan(2);
  const beganMs = Date.now();
  for (let number = 5; number < 35; number++) {
    await call(number);
    await sleep(1_000);
  }
  const seconds = (Date.now() - beganMs) / 1_000;
  expect(declined() - before).toBeGreaterThan(0);
  expect(declined() - before).toBeLessThanOrEqual(Math.ceil(seconds / 15) + 1);
  const taken = await second.until(({ event }) => event === 'accepted', { count: 30, withinMs: 20_000 });
  expect(taken.length).toBeGreaterThanOrEqual(30);
}, 240_000);

test.concurrent('when the telephones do not work the fallback group is informed by text', async (context) => {
  const plant = await ownPlant(context);
  const texting = await otherCompany(context);
  await moveTexts(plant, texting);
  const boss = await plant.hire('Boss', { mobile: { kind: 'receives' } });
  const fallbackCallGroupId = await plant.group([boss], { ackTimeout: 120, attempts: 2 });
  const body = { fallbackCallGroupId };
  granted(await plant.client.send('PUT', '/api/v1/dispatch/settings', { body }));
  await plant.company.faults({ status: 500 });
  const [text] = await texting.until(({ event, to }) => event === 'accepted' && to === boss.mobile, {
    withinMs: 95_000,
  });
  expect(text?.text).toContain('Channel Voice (Voice) does not work: HTTP 500');
  await plant.company.faults({});
  await untilSystemAlarms(plant.client, isWell(plant.channels.voice), 60);
  const calls = await read<Page<object>>(plant.client, 'calls');
  expect(calls.items).toEqual([]);
}, 240_000);

test.concurrent('a phone company that is down and no longer used is no longer reported', async (context) => {
  const plant = await ownPlant(context);
  const { voice } = plant.channels;
  await plant.company.faults({ status: 500 });
  await untilSystemAlarms(plant.client, isDown(voice), 90);
  const { headers } = await plant.client.get(`/api/v1/channels/${voice}`);
  const match = { 'if-match': headers.etag ?? '' };
  const answer = await plant.client.send('DELETE', `/api/v1/channels/${voice}`, { headers: match });
  expect(answer.status).toBeLessThan(300);
  expect(await untilSystemAlarms(plant.client, isWell(voice), 60)).toBeLessThan(15);
}, 240_000);
