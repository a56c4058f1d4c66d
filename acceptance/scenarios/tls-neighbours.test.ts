import { chmod, chown, copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authority, makeAuthority } from '@tocsin/server/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort, type PostgresCluster, startCluster } from '../../tools/postgres-cluster.ts';
import { createDatabase } from '../harness/database.ts';
import { readMetric } from '../harness/hub/cluster.ts';
import { startNats } from '../harness/hub/nats.ts';
import { type Server, startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

async function newAuthority(name: string): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-authority-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return makeAuthority(name, folder);
}

/** PostgreSQL reads its key only if it owns it. */
async function turnOnTls(cluster: PostgresCluster, authority: Authority): Promise<void> {
  const { certFile, keyFile } = await authority.issue('database', ['DNS:localhost']);
  const { uid, gid } = await stat(cluster.folder);
  for (const [from, name] of [
    [certFile, 'server.crt'],
    [keyFile, 'server.key'],
  ] as const) {
    const to = join(cluster.folder, 'data', name);
    await copyFile(from, to);
    await chown(to, uid, gid);
    await chmod(to, 0o600);
  }
  const owner = await connectSql(cluster.url());
  await owner.query('alter system set ssl = on');
  await owner.query('create database tocsin');
  await owner.end();
  await cluster.restart();
}

test('the certificate of PostgreSQL is verified', { timeout: 120_000 }, async () => {
  const [authority, stranger] = [await newAuthority('Plant'), await newAuthority('Plant')];
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await turnOnTls(cluster, authority);
  const urlOf = (host: string, { caFile }: Authority) =>
    `postgres://postgres@${host}:${cluster.port}/tocsin?sslmode=verify-full&sslrootcert=${caFile}`;
  const start = (databaseUrl: string) => startServer({ databaseUrl });

  await expect(start(urlOf('localhost', stranger))).rejects.toThrow(/certificate/);
  await expect(start(urlOf('127.0.0.1', authority))).rejects.toThrow(/does not match certificate/);
  const server = await start(urlOf('localhost', authority));
  onTestFinished(async () => void (await server.stop()));
  const owner = await connectSql(cluster.url());
  const { rows } = await owner.query<{ ssl: boolean }>(
    "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'tocsin'",
  );
  expect(rows).toEqual([{ ssl: true }]);
});

test('the certificate of NATS is verified', { timeout: 120_000 }, async () => {
  const [authority, stranger] = [await newAuthority('Plant'), await newAuthority('Plant')];
  const nats = await startNats({ name: 'tocsin', password: 'a-word' }, await authority.issue('nats'));
  onTestFinished(() => nats.stop());
  const database = await createDatabase(inject('durableClusterUrl'));
  onTestFinished(() => database.drop());
  const start = async ({ caFile }: Authority) => {
    const adminPort = await freePort();
    const environment = { NATS_URL: nats.url, NATS_CA_FILE: caFile, ADMIN_PORT: String(adminPort) };
    const server: Server = await startServer({ databaseUrl: database.url, environment });
    onTestFinished(async () => void (await server.stop()));
    return { server, isConnected: () => readMetric(adminPort, 'tocsin_hub_nats_connected') };
  };
  const trusting = await start(authority);
  await expect.poll(trusting.isConnected, { timeout: 10_000 }).toBe(1);
  const distrusting = await start(stranger);
  await expect.poll(() => distrusting.server.output(), { timeout: 10_000 }).toMatch(/NATS cannot be reached/);
  expect(await distrusting.isConnected()).toBe(0);
});
