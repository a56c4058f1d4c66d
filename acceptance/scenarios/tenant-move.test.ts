import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../tools/postgres-cluster.ts';
import { openEdge } from '../harness/cells/edge.ts';
import { HttpClient } from '../harness/http/http-client.ts';
import { Follower } from '../harness/hub/follower.ts';
import { logIn } from '../harness/installation.ts';
import { journalFaults } from '../harness/patroni/check-journal.ts';
import { longestPause, startGateways } from '../harness/patroni/gateways.ts';
import { granted } from '../harness/plant.ts';
import { addTenant, runCommand, secretFile, startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

/** A cell: its own PostgreSQL and server, and one tenant that stays. The second one has the secrets of the first. */
async function openCell(first?: { url: string }) {
  const cluster = await startCluster({ durable: true, settings: ['wal_level=logical'] });
  onTestFinished(() => cluster.stop());
  if (first) {
    await runCommand(cluster.url(), ['migrate']);
    await runCommand(first.url, ['share-secrets', '--to-file', await secretFile(cluster.url())]);
  }
  const server = await startServer({ databaseUrl: cluster.url() });
  onTestFinished(() => server.kill());
  return { url: cluster.url(), server, port: Number(new URL(server.baseUrl).port) };
}

/** A slot that remains keeps the log of PostgreSQL until the disk is full. */
async function remains(sql: pg.Client): Promise<unknown[]> {
  const { rows } = await sql.query(
    `select slot_name from pg_replication_slots union all select pubname from pg_publication
     union all select subname from pg_subscription`,
  );
  return rows;
}

const moved = { name: 'Waterworks', username: 'anna', password: 'a long enough password' };

test('a tenant moves to another cell while it raises alarms, and its clients follow', {
  timeout: 240_000,
}, async () => {
  const one = await openCell();
  const two = await openCell(one);
  await addTenant(one.url, { name: moved.name, admin: moved.username, password: moved.password });
  const edge = await openEdge([one.port, two.port]);
  onTestFinished(() => edge.close());

  const admin = await logIn(edge, moved);
  const { key } = granted<{ key: string }>(
    await admin.post('/api/v1/apikeys', { name: 'Gateway', role: 'engineer' }),
  );
  const gateway = new HttpClient(edge.baseUrl, key);
  onTestFinished(() => [admin, gateway].forEach((client) => client.close()));
  const followers = Array.from(
    { length: 10 },
    (_, index) =>
      new Follower({ ports: [edge.port], token: key, family: index % 2 === 0 ? 'core' : 'classic' }),
  );
  onTestFinished(() => followers.forEach((follower) => follower.stop()));
  await Promise.all(followers.map((follower) => follower.open()));
  await expect.poll(() => followers.every(({ isLive }) => isLive)).toBe(true);
  const traffic = startGateways({ name: 'move', perSecond: 50, gateways: 20, clients: [gateway] });
  await sleep(3_000);

  // A move that fails leaves the tenant where it is, and nothing of it in the other cell.
  const nowhere = await secretFile('postgres://postgres@127.0.0.1:1/postgres');
  await expect(
    runCommand(one.url, [
      'tenant-move',
      moved.name,
      '--to-file',
      await secretFile(two.url),
      '--from-file',
      nowhere,
    ]),
  ).rejects.toThrow(/could not connect/);
  const sql = await connectSql(two.url);
  const tenantsThere = async () =>
    (await sql.query<{ name: string }>('select name from tenants')).rows.length;
  expect(await tenantsThere()).toBe(1);

  const begun = performance.now();
  const toFile = await secretFile(two.url);
  const report = await runCommand(one.url, [
    'tenant-move',
    moved.name,
    '--to-file',
    toFile,
    '--on-switch',
    edge.switchProgram,
  ]);
  const ended = performance.now();
  await sleep(4_000);
  const record = await traffic.stop();

  const { rows } = await sql.query<{ seq: number }>(
    'select seq::integer from tenant_counters where tenant_id = 2',
  );
  const end = rows[0]?.seq ?? 0;
  await expect
    .poll(() => followers.map(({ last }) => last), { timeout: 20_000 })
    .toEqual(followers.map(() => end));
  const answers = [...record.answers].map(([answer, count]) => `${count} × ${answer}`).join(', ');
  const pause = longestPause(record.takenAt, begun, ended + 4_000);
  console.log(
    `${report.trim()}\n${record.taken.length} alarms answered 200, answers ${answers}; longest time without a 200: ` +
      `${pause.toFixed(2)} s; ${followers.length} hub clients have all ${end} entries`,
  );
  expect(await journalFaults(sql, 'move', record.taken, 2)).toEqual([]);
  expect([...record.answers.keys()].filter((answer) => !/^(200$|503 unavailable)/.test(answer))).toEqual([]);
  expect(followers.flatMap(({ faults }) => faults)).toEqual([]);

  // Two cells must never serve the same tenant.
  await expect(runCommand(one.url, ['tenant-move', moved.name, '--to-file', toFile])).rejects.toThrow(
    /has left this cell/,
  );

  // The tenant returns. What the second cell still has can be deleted, without an effect on the first one.
  await runCommand(two.url, ['tenant-move', moved.name, '--to-file', await secretFile(one.url)]);
  const first = new HttpClient(one.server.baseUrl, key);
  onTestFinished(() => first.close());
  granted(await first.post('/api/v1/alarms', { path: 'Home.again', priority: 1 }));
  expect((await gateway.get('/api/v1/alarms?limit=1')).status).toBe(503);
  await runCommand(two.url, ['tenant-delete', moved.name, '--confirm', moved.name]);
  const home = await connectSql(one.url);
  expect(await journalFaults(home, 'move', record.taken, 2)).toEqual([]);
  expect([...(await remains(home)), ...(await remains(sql))]).toEqual([]);
});
