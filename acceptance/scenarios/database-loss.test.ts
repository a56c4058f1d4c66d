import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type PostgresCluster, startCluster } from '../../tools/postgres-cluster.ts';
import { type Answer, HttpClient } from '../harness/http/http-client.ts';
import { postMarked, type SentAlarm } from '../harness/http/marked-alarm.ts';
import { logIn } from '../harness/installation.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { firstAdmin, type Server, startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

const senders = 12;
const maxMs = 6_000;
const maxRecoveryMs = allowedMs(5_000);

/** A server with its own PostgreSQL, which the test can stop. */
async function plantOfItsOwn(): Promise<{ cluster: PostgresCluster; server: Server; client: HttpClient }> {
  const cluster = await startCluster({ durable: true });
  onTestFinished(() => cluster.stop());
  const server = await startServer({ databaseUrl: cluster.url(), environment: { DRAIN_MS: '0' } });
  onTestFinished(async () => void (await server.stop()));
  const client = await logIn(server);
  onTestFinished(() => client.close());
  return { cluster, server, client };
}

/** Posts alarms one by one; repeats those answered 503 with their key until they are accepted. */
async function sendSteadily(client: HttpClient, sender: number, isOver: () => boolean): Promise<SentAlarm[]> {
  const sent: SentAlarm[] = [];
  for (let number = 1; !isOver(); number++) {
    let alarm: SentAlarm;
    do {
      alarm = await postMarked(client, `sender ${sender} alarm ${number}`, `pump ${sender}`);
      sent.push(alarm);
      await sleep(alarm.status === 200 ? 5 : 50);
    } while (alarm.status === 503);
    if (alarm.status !== 200) return sent;
  }
  return sent;
}

type Read = { path: string; answer: Answer | undefined; error: string; ms: number };

/** Other requests, log-ins included. */
async function readConsistently(
  server: Server,
  token: string | undefined,
  isOver: () => boolean,
): Promise<Read[]> {
  const client = new HttpClient(server.baseUrl, token);
  const reads: Read[] = [];
  const paths = ['/api/v1/alarms', '/api/v1/alarms/histories', '/api/v1/meta', 'log-in'];
  for (let number = 0; !isOver(); number++) {
    const path = paths[number % paths.length] ?? '';
    const started = performance.now();
    const asked =
      path === 'log-in' ? client.logIn(firstAdmin.username, firstAdmin.password) : client.get(path);
    const { answer, error } = await asked.then(
      (answer) => ({ answer, error: '' }),
      (error: unknown) => ({ answer: undefined, error: String(error) }),
    );
    reads.push({ path, answer, error, ms: performance.now() - started });
    await sleep(20);
  }
  client.close();
  return reads;
}

/** The fault of an answer that is not 200; undefined if it reports the outage correctly. */
function faultOf({ answer, error, ms }: Pick<SentAlarm, 'answer' | 'error' | 'ms'>): string | undefined {
  if (!answer) return `no answer: ${error}`;
  if (ms > maxMs) return `answered ${answer.status} after ${Math.round(ms)} ms`;
  if (answer.status === 200) return undefined;
  if (answer.status !== 503) return `answered ${answer.status} ${answer.text}`;
  if (!answer.headers['content-type']?.startsWith('application/problem+json')) return 'no problem';
  if (!/^\d+$/.test(answer.headers['retry-after'] ?? '')) return 'no Retry-After';
  const { code } = answer.json<{ code: string }>();
  return ['unavailable', 'outcome-unknown'].includes(code) ? undefined : `code ${code}`;
}

test('during a database outage every answer says so, and afterwards all requests work', async () => {
  const { cluster, server, client } = await plantOfItsOwn();
  let over = false;
  const isOver = () => over;
  const sending = Array.from({ length: senders }, (_, index) => sendSteadily(client, index, isOver));
  const reading = readConsistently(server, client.token, isOver);
  await sleep(1_000);

  const lostAt = performance.now();
  await cluster.restart({ downMs: 4_000 });
  const backAt = performance.now();
  await sleep(maxRecoveryMs + 1_000);
  over = true;
  const sent = (await Promise.all(sending)).flat();
  const reads = await reading;

  const away = sent.filter(({ status }) => status === 503);
  const unknown = away.filter(({ answer }) => answer?.text.includes('outcome-unknown'));
  const firstAgain = sent
    .filter(({ status, sentAt, ms }) => status === 200 && sentAt + ms > backAt)
    .reduce((first, { sentAt, ms }) => Math.min(first, sentAt + ms), Number.POSITIVE_INFINITY);
  const slowest = Math.max(...sent.map(({ ms }) => ms), ...reads.map(({ ms }) => ms));
  console.log(
    `${sent.length - away.length} alarms taken, ${away.length} times 503 (${unknown.length} of unknown outcome) in ` +
      `${((backAt - lostAt) / 1_000).toFixed(1)} s without database; slowest answer ${Math.round(slowest)} ms; ` +
      `first alarm ${Math.round(firstAgain - backAt)} ms after it was back`,
  );
  expect(sent.flatMap((one) => faultOf(one) ?? [])).toEqual([]);
  expect(reads.flatMap((one) => (faultOf(one) === undefined ? [] : `${one.path}: ${faultOf(one)}`))).toEqual(
    [],
  );
  expect(away.length).toBeGreaterThan(senders);
  expect(reads.some(({ answer }) => answer?.status === 503)).toBe(true);
  expect(firstAgain - backAt).toBeLessThan(maxRecoveryMs);
  expect(
    sent.filter(({ sentAt }) => sentAt > backAt + maxRecoveryMs).every(({ status }) => status === 200),
  ).toBe(true);

  // The same process still serves, and every alarm answered 200 is stored once.
  expect((await client.get('/readyz')).status).toBe(200);
  const database = await connectSql(cluster.url());
  const { rows } = await database.query<{ mark: string }>("select alarm->>'value' as mark from journal");
  const taken = sent.filter(({ status }) => status === 200);
  expect(rows.map(({ mark }) => mark).toSorted()).toEqual(taken.map(({ mark }) => mark).toSorted());
  expect(await server.stop()).toBe(0);
});

test('a server without its database is alive, not ready, and stops on request', async () => {
  const { cluster, server, client } = await plantOfItsOwn();
  const restarting = cluster.restart({ downMs: 3_000 });
  await sleep(1_000);
  const ready = await client.get('/readyz');
  expect(ready.json()).toMatchObject({ status: 503, code: 'unavailable' });
  expect((await client.get('/livez')).status).toBe(200);
  expect(await server.stop()).toBe(0);
  await restarting;
});
