import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type PostgresCluster, startCluster } from '../../tools/postgres-cluster.ts';
import type { HttpClient } from '../harness/http/http-client.ts';
import {
  type ReconnectingClient,
  reconnectClassic,
  reconnectCore,
} from '../harness/hub/reconnecting-client.ts';
import { logIn } from '../harness/installation.ts';
import { startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

const database = 'plant';
const logged = 'the journal was replaced';

/** Ways to back up the database; each returns its restore. */
const ways: Record<string, (cluster: PostgresCluster) => Promise<() => Promise<void>>> = {
  'an older backup is restored': async (cluster) => {
    const file = join(cluster.folder, 'backup');
    await cluster.run('pg_dump', ['-Fc', '-f', file, '-d', cluster.url(database)]);
    return async () => {
      const sql = await connectSql(cluster.url());
      await sql.query(`drop database ${database} with (force)`);
      await sql.query(`create database ${database}`);
      await sql.end();
      await cluster.run('pg_restore', ['-d', cluster.url(database), file]);
    };
  },
  'a failover loses the last ten entries': (cluster) => cluster.save(),
};

async function openPlant() {
  const cluster = await startCluster({ durable: true });
  onTestFinished(() => cluster.stop());
  const sql = await connectSql(cluster.url());
  await sql.query(`create database ${database}`);
  await sql.end();
  const server = await startServer({ databaseUrl: cluster.url(database), environment: { DRAIN_MS: '0' } });
  onTestFinished(async () => void (await server.stop()));
  const admin = await logIn(server);
  onTestFinished(() => admin.close());
  const token = admin.token ?? '';
  const clients = await Promise.all([
    reconnectCore(server.baseUrl, token, { resumes: false }),
    reconnectCore(server.baseUrl, token, { resumes: true }),
    reconnectClassic(server.baseUrl, token),
  ]);
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.stop()))));
  return { cluster, server, admin, clients };
}

/** Raises an alarm for each number and repeats it until it is accepted, because the database may be away. */
async function raise(admin: HttpClient, name: string, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, index) => `${name}/${index + 1}`);
  for (const path of paths) {
    const post = () => admin.post('/api/v1/alarms', { path }).then(({ status }) => status);
    while ((await post().catch(() => 0)) !== 200) await sleep(100);
  }
  return paths;
}

const heardBy = (clients: readonly ReconnectingClient[]) =>
  Object.fromEntries(clients.map(({ name, paths }) => [name, paths.toSorted()]));

const allOf = (clients: readonly ReconnectingClient[], paths: readonly string[]) =>
  Object.fromEntries(clients.map(({ name }) => [name, paths.toSorted()]));

test.for(Object.keys(ways))(
  'when %s, every client starts again and gets each new alarm once, and the log says so',
  { timeout: 180_000 },
  async (way) => {
    const { cluster, server, admin, clients } = await openPlant();
    const before = await raise(admin, 'before', 20);
    const goBack = await ways[way]?.(cluster);
    const lost = await raise(admin, 'lost', 10);
    await expect
      .poll(() => heardBy(clients), { timeout: 20_000 })
      .toEqual(allOf(clients, [...before, ...lost]));
    const returnsBefore = clients.map((client) => client.reconnects());
    await goBack?.();
    // More than were lost, so that the journal grows past its old end.
    const after = await raise(admin, 'after', 15);
    await expect
      .poll(() => clients.every((client, index) => client.reconnects() > (returnsBefore[index] ?? 0)), {
        timeout: 30_000,
      })
      .toBe(true);
    await expect.poll(() => clients.every((client) => client.isConnected()), { timeout: 20_000 }).toBe(true);
    const later = await raise(admin, 'later', 5);
    const all = [...before, ...lost, ...after, ...later];
    await expect.poll(() => heardBy(clients), { timeout: 30_000 }).toEqual(allOf(clients, all));
    await sleep(2_000);
    expect(heardBy(clients), 'none twice').toEqual(allOf(clients, all));
    expect(server.output().split(logged).length - 1, 'said once').toBe(1);
  },
);
