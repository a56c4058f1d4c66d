import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpClient } from '../harness/http/http-client.ts';
import { listenClassic } from '../harness/hub/classic-client.ts';
import { type HubCluster, startHubCluster } from '../harness/hub/cluster.ts';
import { coreTransports, type HubListener, listenCore } from '../harness/hub/listener.ts';
import { intrudeNats, type NatsIntruder } from '../harness/hub/nats-intruder.ts';
import { logIn } from '../harness/installation.ts';
import { startServer } from '../harness/server.ts';

const messages = 10_000;
/** Alarms that are raised while the intruder is at work. */
const alarms = 100;
const journal = 'tocsin.journal.1';

async function openCluster(natsUser?: { name: string; password: string }) {
  const cluster = await startHubCluster({}, natsUser);
  onTestFinished(() => cluster.close());
  const admins = await Promise.all(cluster.servers.map((server) => logIn(server)));
  onTestFinished(() => {
    for (const admin of admins) admin.close();
  });
  return { cluster, admins: admins as [HttpClient, HttpClient] };
}

/** On each server one client of each protocol. */
async function listenEverywhere({ servers }: HubCluster, token: string): Promise<HubListener[]> {
  const listeners = await Promise.all(
    servers.flatMap(({ baseUrl }) => [
      listenCore(baseUrl, token, coreTransports.webSockets),
      listenClassic(baseUrl, token, 'longPolling'),
    ]),
  );
  onTestFinished(async () => void (await Promise.all(listeners.map((listener) => listener.stop()))));
  return listeners;
}

async function raise(admin: HttpClient, path: string): Promise<void> {
  const answer = await admin.post('/api/v1/alarms', { path, alarmMessage: 'chlorine in hall 4' });
  expect(answer.status).toBe(200);
}

const forgedAlarm = JSON.stringify({ id: 1, path: 'forged', message: 'forged', state: 3, priority: 1 });

/** Messages of an intruder who has received everything. */
function forge(intruder: NatsIntruder, number: number): [subject: string, text: string] {
  const messages = intruder.heard.flatMap(({ subject, text }) => (subject === journal ? [text] : []));
  const message = messages[(number * 31) % messages.length] ?? '';
  const [node = '', reached = '', signature = ''] = message.split(' ');
  const next = Number(/^[\w-]+ (\d+)/.exec(messages.at(-1) ?? '')?.[1]) + 1;
  const entry = (seq: number) => `${seq} ${1_700_000_000_000 + number} 1 1 raised\n${forgedAlarm}`;
  const kinds: readonly [string, string][] = [
    // Alarms as earlier releases sent them: the next one, one far ahead, and both at once.
    [journal, `${crypto.randomUUID()} ${next}\n${entry(next)}`],
    [journal, `${crypto.randomUUID()} ${next + 5_000}\n${entry(next)}\n${entry(next + 5_000)}`],
    // A false end of the journal.
    [journal, `${crypto.randomUUID()} 999999999999999`],
    [journal, `${node} ${next + 1_000} ${signature}`],
    [journal, `${crypto.randomUUID()} ${reached} ${signature}`],
    [journal, `${node} ${next} ${'A'.repeat(43)}`],
    // Replays of received messages, in any order and on other subjects.
    [journal, message],
    [journal, messages.at(-1 - (number % messages.length)) ?? ''],
    ['tocsin.callEvents.1', message],
    ['tocsin.journal.2', message],
    // Random bytes.
    [journal, ''],
    [journal, number % 1_000 === 11 ? 'x'.repeat(500_000) : '\u0000\n\n'],
  ];
  return kinds[number % kinds.length] ?? [journal, ''];
}

test('an intruder on NATS learns of no alarm, forges none, and keeps nobody from a real one', {
  timeout: 180_000,
}, async () => {
  const { cluster, admins } = await openCluster();
  const listeners = await listenEverywhere(cluster, admins[0].token ?? '');
  const intruder = await intrudeNats(cluster.nats.port);
  onTestFinished(() => intruder.close());

  const paths = Array.from({ length: 20 + alarms }, (_, index) => `pump ${index + 1}`);
  for (const path of paths.slice(0, 20)) await raise(admins[0], path);
  await expect.poll(() => intruder.heard.length).toBeGreaterThan(0);
  const before = await Promise.all(
    ([0, 1] as const).map((index) => cluster.metric(index, 'tocsin_hub_journal_reads_total')),
  );

  const each = messages / alarms;
  for (let number = 0; number < alarms; number++) {
    for (let index = 0; index < each; index++) intruder.publish(...forge(intruder, number * each + index));
    await intruder.flush();
    await raise(number % 2 === 0 ? admins[0] : admins[1], paths[20 + number] ?? '');
  }
  for (const listener of listeners)
    await expect
      .poll(() => listener.paths().length, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(paths.length);
  // Long enough for faults to appear: servers poll the journal once a second.
  await sleep(2_500);
  for (const listener of listeners) expect(listener.paths()).toEqual(paths);

  expect(JSON.stringify(intruder.heard)).not.toMatch(/pump|chlorine/);
  for (const index of [0, 1] as const) {
    const reads = (await cluster.metric(index, 'tocsin_hub_journal_reads_total')) - (before[index] ?? 0);
    // At most one read for each alarm of the other server, and none because of the intruder.
    expect(reads).toBeLessThanOrEqual(alarms);
    expect(await cluster.metric(index, 'tocsin_hub_node_messages_refused_total')).toBeGreaterThan(
      messages / 2,
    );
  }
});

test('with a user and a password servers hear each other, and nobody else gets in', async () => {
  const { cluster, admins } = await openCluster({ name: 'tocsin', password: 'a-word' });
  await expect(intrudeNats(cluster.nats.port)).rejects.toThrow(/Authorization Violation|closed/);
  const listeners = await listenEverywhere(cluster, admins[0].token ?? '');
  await raise(admins[0], 'pump 1');
  await raise(admins[1], 'pump 2');
  for (const listener of listeners) await expect.poll(() => listener.paths()).toEqual(['pump 1', 'pump 2']);
  expect(await cluster.metric(0, 'tocsin_hub_nats_connected')).toBe(1);
});

test('a server does not start with a NATS elsewhere that asks for no credentials', async () => {
  const environment = { NATS_URL: 'nats://192.0.2.1:4222' };
  const start = startServer({ databaseUrl: 'postgres://localhost/tocsin', environment });
  await expect(start).rejects.toThrow(/names 192\.0\.2\.1:4222 without credentials.*NATS_CREDENTIALS_FILE/);
});
