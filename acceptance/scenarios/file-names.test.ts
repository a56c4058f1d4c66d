import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FileTrace, traceFiles } from '../harness/file-names/file-trace.ts';
import { hostileNames } from '../harness/file-names/hostile-names.ts';
import { openReceiver, type Receiver } from '../harness/file-names/receiver.ts';
import { type SmallMailServer, startSmallMailServer } from '../harness/mail/small-mail-server.ts';
import { create, granted, openPlant, type Plant, read } from '../harness/plant.ts';

const secret = randomBytes(24).toString('hex');
const libraryName = 'evacuation plan.txt';
const libraryText = `Leave by the north gate ${randomBytes(12).toString('hex')}`;

let folder: string;
let plant: Plant;
let mail: SmallMailServer;
let receiver: Receiver;
let trace: FileTrace | undefined;
/** The name in the library is the control: it must arrive as an attachment. */
let names: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-bait-'));
  const path = join(folder, 'siren.wav');
  await writeFile(path, secret);
  [mail, receiver] = await Promise.all([startSmallMailServer(), openReceiver()]);
  names = [libraryName, ...hostileNames({ path, url: receiver.url }, process.cwd())];
  plant = await openPlant('', { ROLES: 'api,hub,dispatch', EGRESS_ALLOW: '127.0.0.0/8:*' });
  const { client } = plant;
  const content = Buffer.from(libraryText).toString('base64');
  await create(client, 'mediafiles', { name: libraryName, contentType: 'text/plain', content });
  const settings = { host: '127.0.0.1', port: mail.port, security: 'none', from: 'alarm@plant.example' };
  await create(client, 'channels', { name: 'Mail', kind: 'email', settings });
  const hook = { secret: randomBytes(32).toString('base64') };
  await create(client, 'channels', { name: 'Hooks', kind: 'webhook', settings: hook });
  trace = await traceFiles(plant.pid);
});

afterAll(async () => {
  await trace?.stop();
  await plant.close();
  await Promise.all([mail.stop(), receiver.close(), rm(folder, { recursive: true })]);
});

const occasions = ['alarm', 'reset', 'ack'] as const;
const sound = (parameter: string) => ({ type: 'PlaySound', parameter });

/** A body with the name in one file member. */
const members: Record<string, (name: string) => object> = {
  ...Object.fromEntries(
    occasions.flatMap((occasion) =>
      ['VocalMessageFile', 'AttachedFile'].map((kind) => {
        const member = `${occasion}${kind}`;
        return [member, (name: string) => ({ [member]: name })];
      }),
    ),
  ),
  'alarmActions parameter': (name) => ({ alarmActions: [sound(name)] }),
};

test('there are at least forty hostile names', () => {
  expect(new Set(names).size).toBeGreaterThan(40);
  expect(names).toHaveLength(new Set(names).size);
});

test.for(Object.keys(members))('no alarm is refused for its %s', async (member) => {
  for (const [index, name] of names.entries()) {
    const body = { path: `${member}/${index}`, ...members[member]?.(name) };
    const answer = await plant.client.post('/api/v1/alarms', body);
    expect([name.slice(0, 80), answer.status]).toEqual([name.slice(0, 80), 200]);
  }
});

test('no scenario is refused for the sound of an action', async () => {
  for (const [index, name] of names.entries())
    expect(
      await create(plant.client, 'scenarios', { name: `Scenario ${index}`, alarmActions: [sound(name)] }),
    ).toBeGreaterThan(0);
});

test('a name that is not in the library is mentioned in the timeline of the alarm', async () => {
  const { client } = plant;
  const alarmAttachedFile = '../../etc/passwd';
  const id = await create(client, 'alarms', { path: 'mentioned', alarmAttachedFile });
  const timeline = JSON.stringify(await read(client, `alarms/${id}/timeline`));
  expect(timeline).toContain('not in the media library: ../../etc/passwd');
});

type Called = { userIds: number[]; groupId: number };

/** Two people per name, so that no flood is combined into one message without its files. */
async function hire(index: number): Promise<Called> {
  const { client } = plant;
  const person = (kind: string, address: string) =>
    create(client, 'users', { username: `${kind}.${index}`, role: 'operator', media: [{ kind, address }] });
  const userIds = [
    await person('Email', `guard.${index}@plant.example`),
    await person('Webhook', `${receiver.url}/hook`),
  ];
  const group = { name: `Group ${index}`, mode: 'Broadcast', userIds, ackTimeout: 600, attempts: 1 };
  return { userIds, groupId: await create(client, 'callgroups', group) };
}

async function untilSent(count: number): Promise<void> {
  const sent = () => [mail.mails.length, receiver.hooks.length];
  await expect.poll(sent, { timeout: 45_000, interval: 100 }).toEqual([count, count]);
}

test('messages of alarms and calls carry files of the library, and none from anywhere else', async () => {
  const { client } = plant;
  const people = await Promise.all(names.map((_, index) => hire(index)));
  const alarms = await Promise.all(
    names.map((name, index) => {
      const actions = [{ type: 'CallGroup', id: people[index]?.groupId }, sound(name)];
      const body = occasions.map((occasion) => ({
        [`${occasion}Actions`]: actions,
        [`${occasion}VocalMessageFile`]: name,
        [`${occasion}AttachedFile`]: name,
      }));
      return create(client, 'alarms', Object.assign({ path: `sent/${index}` }, ...body));
    }),
  );
  await untilSent(names.length);
  for (const verb of ['acknowledge', 'reset'])
    await Promise.all(alarms.map((id) => client.post(`/api/v1/alarms/${id}/${verb}`, {}).then(granted)));
  await untilSent(3 * names.length);
  for (const member of ['msgFile', 'msgAudio'] as const) {
    const calls = names.map((name, index) =>
      client.post('/api/v1/call/users', {
        userIds: people[index]?.userIds,
        msgText: 'Come',
        [member]: name,
      }),
    );
    for (const answer of await Promise.all(calls)) expect(granted(answer)).toBe(true);
  }
  await untilSent(5 * names.length);

  const attached = Buffer.from(libraryText).toString('base64').slice(0, 40);
  expect(mail.mails.filter((text) => text.includes(attached))).toHaveLength(4);
  expect(mail.mails.filter((text) => text.includes('Content-Disposition: attachment'))).toHaveLength(4);
  const forms = [secret, Buffer.from(secret).toString('base64').slice(0, 40)];
  const everything = [...mail.mails, ...receiver.hooks];
  for (const form of forms) expect(everything.filter((text) => text.includes(form))).toEqual([]);
  expect(mail.mails.filter((text) => /^Bcc:/im.test(text))).toEqual([]);
  expect(receiver.otherPaths).toEqual([]);
});

test('no file was opened, and none looked for, by any of these names', async () => {
  const calls = (await trace?.stop()) ?? [];
  trace = undefined;
  // The connections to the mail server show that the trace is complete.
  const connections = calls.filter((call) => call.includes(`htons(${mail.port})`));
  expect(connections.length).toBeGreaterThan(0);
  const suspicious = [
    folder.slice(-16),
    'siren',
    '/proc/self',
    '/dev/',
    'share',
    'pipe',
    '%2f',
    'CON',
    'aaaa',
  ];
  const opened = calls.filter((call) => !call.includes('connect(') && /"[^"]+"/.test(call));
  expect(opened.filter((call) => suspicious.some((part) => call.includes(part)))).toEqual([]);
});
