import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../tools/postgres-cluster.ts';
import type { HttpClient } from '../harness/http/http-client.ts';
import { reconnectCore } from '../harness/hub/reconnecting-client.ts';
import { logIn } from '../harness/installation.ts';
import { startGateways } from '../harness/patroni/gateways.ts';
import { contentHashes } from '../harness/pgbackrest/content-hashes.ts';
import { openPgBackRest } from '../harness/pgbackrest/pgbackrest.ts';
import { runCommand, startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

/** The recipe has 60 s. */
const archiveTimeoutSeconds = 2;

async function openPlant() {
  const cluster = await startCluster({ durable: true, settings: ['archive_mode=on', 'wal_level=replica'] });
  onTestFinished(() => cluster.stop());
  const backups = await openPgBackRest(cluster);
  onTestFinished(() => backups.remove());
  const sql = await connectSql(cluster.url());
  await sql.query(`alter system set archive_command = '${backups.archiveCommand}'`);
  await sql.query(`alter system set archive_timeout = '${archiveTimeoutSeconds}s'`);
  await sql.query('select pg_reload_conf()');
  await backups.run('stanza-create');
  const server = await startServer({ databaseUrl: cluster.url(), environment: { DRAIN_MS: '0' } });
  onTestFinished(() => server.kill());
  const admin = await logIn(server);
  onTestFinished(() => admin.close());
  return { cluster, backups, sql, server, admin };
}

/** Sends alarms for a while; returns when the last one was answered. */
async function send(client: HttpClient, name: string, seconds: number): Promise<void> {
  const traffic = startGateways({ name, perSecond: 50, gateways: 10, clients: [client] });
  await sleep(seconds * 1_000);
  await traffic.stop();
}

async function readJournal(sql: pg.Client): Promise<{ end: number; at: Date; gaps: number }> {
  const { rows } = await sql.query<{ end: number; at: Date; gaps: number }>(
    'select max(seq)::integer as end, max(at) as at, (max(seq) - count(*))::integer as gaps from journal',
  );
  return rows[0] ?? { end: 0, at: new Date(0), gaps: -1 };
}

/** Recovery needs a commit after its target, to know that it has reached it. */
async function untilArchived(sql: pg.Client): Promise<void> {
  const { rows } = await sql.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
  const archived = async () => {
    const found = await sql.query<{ done: boolean }>(
      'select coalesce(last_archived_wal >= $1, false) as done from pg_stat_archiver',
      [rows[0]?.file],
    );
    return found.rows[0]?.done;
  };
  await expect.poll(archived, { timeout: 60_000 }).toBe(true);
}

/** As an auditor does: an export, the public key, and the command. */
async function verifyAudit(databaseUrl: string, admin: HttpClient): Promise<string> {
  const [trail, key] = [join(tmpdir(), 'drill-trail.ndjson'), join(tmpdir(), 'drill-key.pem')];
  await writeFile(key, await runCommand(databaseUrl, ['audit', 'public-key']));
  await writeFile(trail, (await admin.get('/api/v1/audit/export')).text);
  return runCommand(databaseUrl, ['audit', 'verify', trail, '--public-key', key]);
}

test('after the loss of the disk the plant is as it was at the chosen moment, and clients start again', {
  timeout: 300_000,
}, async () => {
  const { cluster, backups, sql, server, admin } = await openPlant();
  await send(admin, 'before', 2);
  const backupBegan = performance.now();
  await backups.run('--type=full', 'backup');
  const backupSeconds = (performance.now() - backupBegan) / 1_000;
  await send(admin, 'between', 3);
  const client = await reconnectCore(server.baseUrl, admin.token ?? '', { resumes: true });
  onTestFinished(() => client.stop());

  // The moment: nothing is under way, because the server sleeps.
  await sleep(500);
  server.signal('SIGSTOP');
  const wanted = await contentHashes(sql);
  const { rows } = await sql.query<{ moment: string }>('select clock_timestamp()::text as moment');
  const moment = rows[0]?.moment ?? '';
  server.signal('SIGCONT');
  await send(admin, 'later', 4 * archiveTimeoutSeconds);
  const lost = await readJournal(sql);
  await expect.poll(() => client.paths.length).toBeGreaterThan(0);
  await untilArchived(sql);

  // The disk is lost.
  server.signal('SIGSTOP');
  await sql.end();
  const began = performance.now();
  let restoreSeconds = 0;
  await cluster.rebuild(async () => {
    await backups.run('--type=time', `--target=${moment}`, '--target-action=promote', 'restore');
    restoreSeconds = (performance.now() - began) / 1_000;
  });
  const after = await connectSql(cluster.url());
  await expect
    .poll(async () => (await after.query('select pg_is_in_recovery() as is')).rows, { timeout: 30_000 })
    .toEqual([{ is: false }]);
  expect(await contentHashes(after)).toEqual(wanted);
  server.signal('SIGCONT');
  await expect
    .poll(async () => (await fetch(`${server.baseUrl}/readyz`)).status, { timeout: 30_000 })
    .toBe(200);
  const recoverySeconds = (performance.now() - began) / 1_000;

  await expect.poll(() => client.reconnects(), { timeout: 30_000 }).toBe(1);
  expect(await resumeAfter(cluster.url(), lost.end)).toMatchObject({ gap: true });
  expect(await verifyAudit(cluster.url(), admin)).toContain('is whole');
  expect(await readJournal(after)).toMatchObject({ gaps: 0 });
  console.log(
    `full backup ${backupSeconds.toFixed(1)} s; restore to a point in time ${restoreSeconds.toFixed(1)} s, ` +
      `alarms accepted again ${recoverySeconds.toFixed(1)} s after the loss (RTO); all ${Object.keys(wanted).length} tables are equal`,
  );
});

/** What a server tells a client that has seen later entries, when it was started after the restore. */
async function resumeAfter(databaseUrl: string, seq: number): Promise<unknown> {
  const server = await startServer({ databaseUrl, environment: { DRAIN_MS: '0' } });
  onTestFinished(() => server.kill());
  const admin = await logIn(server);
  const connection = new HubConnectionBuilder()
    .withUrl(`${server.baseUrl}/alarmHub`, { accessTokenFactory: () => admin.token ?? '' })
    .configureLogging(LogLevel.None)
    .build();
  await connection.start();
  const answer = await connection.invoke<unknown>('resume', seq);
  await connection.stop();
  admin.close();
  return answer;
}

test('the drill restores the end of the archive, and fails when the repository is damaged', {
  timeout: 300_000,
}, async () => {
  const { cluster, backups, sql, admin } = await openPlant();
  await send(admin, 'before', 1);
  await backups.run('--type=full', 'backup');
  await send(admin, 'later', 4 * archiveTimeoutSeconds);
  const { at } = await readJournal(sql);
  await sql.end();
  await cluster.stop();

  const told = await backups.drill('latest');
  const newest = new Date(/newest journal entry: (\S+)/.exec(told)?.[1] ?? 0);
  const lostSeconds = (at.getTime() - newest.getTime()) / 1_000;
  console.log(`${told.trim().replaceAll('\n', '; ')}; RPO ${lostSeconds.toFixed(1)} s`);
  expect(told).toContain('the restore drill passed');
  expect(lostSeconds).toBeGreaterThanOrEqual(0);
  expect(lostSeconds).toBeLessThan(3 * archiveTimeoutSeconds);

  await rm(join(backups.repository, 'backup', 'tocsin', 'latest', 'pg_data'), { recursive: true });
  await expect(backups.drill('latest')).rejects.toThrow('the restore drill FAILED');
});
