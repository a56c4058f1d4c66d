import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../harness/http/http-client.ts';
import { postMarked, type SentAlarm } from '../harness/http/marked-alarm.ts';
import { installPair, logIn } from '../harness/installation.ts';
import { allowedMs } from '../harness/judged-times.ts';
import type { Server } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

const senders = 16;

async function twoServers() {
  const installation = await installPair({ drainMs: 1_000 });
  onTestFinished(() => installation.close());
  const [leaving, staying] = installation.servers;
  const clientOf = (server: Server, token?: string) => {
    const client = new HttpClient(server.baseUrl, token);
    onTestFinished(() => client.close());
    return client;
  };
  const admin = await logIn(staying);
  onTestFinished(() => admin.close());
  return { leaving, staying: admin, database: await connectSql(installation.databaseUrl), clientOf };
}

/** Posts alarms one by one on keep-alive connections until the server accepts no more. */
async function sendUntilRefused(client: HttpClient, sender: number): Promise<SentAlarm[]> {
  const sent: SentAlarm[] = [];
  for (let number = 1; ; number++) {
    const alarm = await postMarked(client, `sender ${sender} alarm ${number}`, `pump ${sender}`);
    sent.push(alarm);
    if (alarm.error === 'ECONNREFUSED') return sent;
  }
}

/** The marks in the journal. */
async function stored(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ mark: string }>(
    "select alarm->>'value' as mark from journal order by seq",
  );
  return rows.map(({ mark }) => mark);
}

test('a server that stops under load loses no request', async () => {
  const { leaving, staying, database, clientOf } = await twoServers();
  const clients = Array.from({ length: senders }, () => clientOf(leaving, staying.token));
  const sending = clients.map(sendUntilRefused);
  await sleep(1_500);
  const probe = clientOf(leaving);
  expect((await probe.get('/readyz')).status).toBe(200);

  const stopping = leaving.stop();
  await sleep(300);
  const ready = await probe.get('/readyz');
  expect(ready.json()).toMatchObject({ status: 503, code: 'unavailable' });
  expect(ready.headers).toMatchObject({ connection: 'close', 'retry-after': expect.any(String) });
  expect((await probe.get('/livez')).status).toBe(200);
  expect(await stopping).toBe(0);

  const sent = (await Promise.all(sending)).flat();
  const answered = sent.filter(({ status }) => status === 200);
  const unanswered = sent.filter(({ status }) => status === 0);
  const errors = Map.groupBy(unanswered, ({ error }) => error);
  console.log(
    `${answered.length} alarms answered, not taken: ${[...errors].map(([error, { length }]) => `${length} ${error}`).join(', ')}`,
  );
  expect(answered.length + unanswered.length).toBe(sent.length);
  expect(answered.length).toBeGreaterThan(senders * 10);
  // It answered until the end: each sender reconnected after a closed connection and was served.
  expect(answered.filter(({ answer }) => answer?.headers.connection === 'close').length).toBeGreaterThan(
    senders,
  );

  // Each answered alarm is stored once, and no other.
  expect((await stored(database)).toSorted()).toEqual(answered.map(({ mark }) => mark).toSorted());
  for (const { body, headers } of unanswered) {
    expect((await staying.post('/api/v1/alarms', body, { headers })).status).toBe(200);
  }
  expect((await stored(database)).toSorted()).toEqual(sent.map(({ mark }) => mark).toSorted());
});

test('a request in progress when the server stops is answered', async () => {
  const { leaving, staying, database, clientOf } = await twoServers();
  const client = clientOf(leaving, staying.token);
  await database.query('begin');
  await database.query('select seq from tenant_counters for update');
  const waiting = [1, 2, 3].map((number) => postMarked(client, `alarm ${number}`, `pump ${number}`));
  await sleep(300);
  const stopping = leaving.stop();
  // Longer than the drain time: by now it only waits for these requests.
  await sleep(2_500);
  await database.query('commit');
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await stopping).toBe(0);
});

test('connections without a complete request do not delay the stop', async () => {
  const { leaving, staying } = await twoServers();
  const port = Number(new URL(leaving.baseUrl).port);
  const open = async (...texts: string[]): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    for (const text of texts) {
      socket.write(text);
      await sleep(200);
    }
    return socket;
  };
  const whole = 'GET /livez HTTP/1.1\r\nHost: plant\r\n\r\n';
  const half = 'GET /livez HTTP/1.1\r\nHost: pl';
  const headers = `Host: plant\r\nAuthorization: Bearer ${staying.token}\r\nContent-Type: application/json`;
  const halfBody = `POST /api/v1/alarms HTTP/1.1\r\n${headers}\r\nContent-Length: 100\r\n\r\n{"path"`;
  await Promise.all([
    open(),
    open(whole),
    open(half),
    open(whole, half),
    open(halfBody),
    open(whole, halfBody),
  ]);
  const started = performance.now();
  expect(await leaving.stop()).toBe(0);
  expect(performance.now() - started).toBeLessThan(allowedMs(10_000));
});
