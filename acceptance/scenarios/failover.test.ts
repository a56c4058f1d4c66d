import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../tools/postgres-cluster.ts';
import { startMovingProxy } from '../harness/console/moving-proxy.ts';
import { postMarked } from '../harness/http/marked-alarm.ts';
import { logIn } from '../harness/installation.ts';
import { startServer } from '../harness/server.ts';
import { startStandby } from '../harness/standby.ts';

/** Two servers of PostgreSQL behind one address, as with HAProxy. */
async function openPair() {
  const cluster = await startCluster({ durable: true });
  onTestFinished(() => cluster.stop());
  const proxy = await startMovingProxy(cluster.port);
  onTestFinished(() => proxy.close());
  const databaseUrl = `postgres://postgres@${new URL(proxy.baseUrl).host}/postgres`;
  const server = await startServer({ databaseUrl, environment: { DRAIN_MS: '0' } });
  onTestFinished(async () => void (await server.stop()));
  const standby = await startStandby(cluster);
  onTestFinished(() => standby.stop());
  const client = await logIn(server);
  onTestFinished(() => client.close());
  return { cluster, proxy, server, standby, client };
}

/** The address is moved before the standby has ended its recovery, as a health check that is too early does. */
test('while a standby takes over, senders are told to wait; then alarms go on, and the log names the new primary', async () => {
  const { cluster, proxy, server, standby, client } = await openPair();
  const send = (mark: string) => postMarked(client, mark, 'pump');
  const readiness = async () => (await fetch(`${server.baseUrl}/readyz`)).status;
  const changes = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('the primary of the database has changed'));
  expect((await send('before')).status).toBe(200);
  expect(await readiness()).toBe(200);

  proxy.moveTo(standby.port);
  await expect.poll(readiness).toBe(503);
  const refused = await send('meanwhile');
  expect(refused.answer?.json()).toMatchObject({ status: 503, code: 'unavailable' });
  const station = await client.post('/api/v1/stations', { name: 'Kobe' });
  expect(station.json()).toMatchObject({ status: 503, code: 'unavailable' });
  expect(changes()).toEqual([]);

  await standby.promote();
  await expect.poll(readiness).toBe(200);
  await expect.poll(async () => (await send('meanwhile')).status).toBe(200);
  await expect.poll(changes).toHaveLength(1);
  expect(JSON.parse(changes()[0] ?? '')).toMatchObject({
    level: 40,
    former: { server: `127.0.0.1:${cluster.port}`, timeline: 1 },
    primary: { server: `127.0.0.1:${standby.port}`, timeline: 2 },
  });
});
