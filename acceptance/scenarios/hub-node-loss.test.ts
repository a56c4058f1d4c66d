import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpClient } from '../harness/http/http-client.ts';
import { type HubCluster, startHubCluster } from '../harness/hub/cluster.ts';
import { type FollowerProcess, startFollowers } from '../harness/hub/follower-process.ts';
import { followOfficially } from '../harness/hub/official-follower.ts';
import { logIn } from '../harness/installation.ts';
import { timesAreJudged } from '../harness/judged-times.ts';
import { addTenant, firstAdmin, type Server } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';

const clients = Number(process.env['HUB_CLIENTS'] ?? 2_000);
const alarmsPerSecond = Number(process.env['HUB_ALARMS_PER_SECOND'] ?? 200);
const officialClients = 10;
const tenants = Number(process.env['HUB_TENANTS'] ?? 20);
/** Of the clients, those of the classic family. */
const classicShare = 0.1;
const wholeWithinMs = 10_000;

type Tenant = { tenantId: number; token: string; ways: HttpClient[] };

async function openTenants({ databaseUrl, servers }: HubCluster): Promise<Tenant[]> {
  const { password } = firstAdmin;
  const more = Array.from({ length: tenants - 1 }, (_, index) => index + 2);
  for (let start = 0; start < more.length; start += 4) {
    const some = more.slice(start, start + 4);
    await Promise.all(
      some.map((n) => addTenant(databaseUrl, { name: `Tenant ${n}`, admin: `admin.${n}`, password })),
    );
  }
  const owner = await connectSql(databaseUrl);
  const { rows } = await owner.query<{ tenantId: number; username: string }>(
    'select tenant_id::integer as "tenantId", username_key as username from logins order by 1',
  );
  return Promise.all(
    rows.map(async ({ tenantId, username }) => {
      const ways = await Promise.all(servers.map((server) => logIn(server, { username, password })));
      return { tenantId, token: ways[0]?.token ?? '', ways };
    }),
  );
}

/** Raises alarms of all tenants at a steady rate; repeats unanswered ones at the other server. */
function startTraffic(all: readonly Tenant[]): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let sent = 0;
  const raise = async ({ ways }: Tenant, number: number): Promise<void> => {
    const body = { path: `pump ${number}`, alarmMessage: 'too hot' };
    for (let tries = 0; tries < 50; tries++) {
      const way = ways[(number + tries) % ways.length];
      const answer = await way?.post('/api/v1/alarms', body).catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(100);
    }
    throw new Error(`alarm ${number} was never taken`);
  };
  const run = async () => {
    const started = performance.now();
    const raising: Promise<void>[] = [];
    while (!stopping.signal.aborted) {
      const due = Math.floor(((performance.now() - started) / 1_000) * alarmsPerSecond);
      for (; sent < due; sent++) {
        const tenant = all[sent % all.length];
        if (tenant) raising.push(raise(tenant, sent));
      }
      await sleep(20);
    }
    await Promise.all(raising);
    return sent;
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

async function readEnds(owner: pg.Client): Promise<number[]> {
  const { rows } = await owner.query<{ seq: number }>(
    'select seq::integer from tenant_counters order by tenant_id',
  );
  return rows.map(({ seq }) => seq);
}

/** Waits until all clients are connected and have received the journal up to then. */
async function untilWhole(
  crowd: FollowerProcess,
  owner: pg.Client,
  servers: readonly Server[],
): Promise<number> {
  const since = performance.now();
  let ends: number[] | undefined;
  for (;;) {
    const { live, last, faults } = await crowd.report();
    expect(faults).toEqual([]);
    if (live === clients) ends ??= await readEnds(owner);
    const behind = ends && last.filter((seq, index) => seq < (ends?.[index % tenants] ?? 0)).length;
    const ms = performance.now() - since;
    if (behind === 0) return ms;
    if (ms > 60_000) {
      const said = servers.map((server) => server.output().slice(-2_000)).join('\n---\n');
      throw new Error(`after a minute ${clients - live} are away and ${behind} behind:\n${said}`);
    }
    await sleep(100);
  }
}

test('every client has the whole journal after nodes were killed and NATS was away', {
  timeout: 300_000,
}, async () => {
  const cluster = await startHubCluster();
  onTestFinished(() => cluster.close());
  const all = await openTenants(cluster);
  onTestFinished(() => {
    for (const { ways } of all) for (const way of ways) way.close();
  });
  const owner = await connectSql(cluster.databaseUrl);
  const ports = cluster.servers.map(({ baseUrl }) => Number(new URL(baseUrl).port));
  const crowd = await startFollowers(
    Array.from({ length: clients }, (_, index) => ({
      ports: index % 2 === 0 ? ports : ports.toReversed(),
      token: all[index % tenants]?.token ?? '',
      family: index % (1 / classicShare) === 0 ? ('classic' as const) : ('core' as const),
    })),
  );
  onTestFinished(() => crowd.close());
  const officials = await Promise.all(
    all.slice(0, officialClients).map(({ token }) => followOfficially(cluster.balancer.url, token)),
  );
  onTestFinished(async () => void (await Promise.all(officials.map((each) => each.stop()))));

  const traffic = startTraffic(all);
  const whole: Record<string, number> = {};
  await sleep(3_000);
  for (const index of [0, 1] as const) {
    await cluster.servers[index].kill();
    whole[`node ${index} killed`] = await untilWhole(crowd, owner, cluster.servers);
    await cluster.restart(index);
    await sleep(2_000);
  }
  await cluster.nats.stop();
  await sleep(10_000);
  whole['NATS stopped'] = await untilWhole(crowd, owner, cluster.servers);
  await cluster.nats.start();
  await sleep(2_000);
  const sent = await traffic.stop();
  whole['traffic ended'] = await untilWhole(crowd, owner, cluster.servers);

  const ends = await readEnds(owner);
  const { last, begun, faults, reconnects } = await crowd.report();
  console.log(
    `${clients} clients, ${sent} alarms, ${reconnects} reconnects; whole again after ${Object.entries(whole)
      .map(([what, ms]) => `${what}: ${Math.round(ms)} ms`)
      .join(', ')}`,
  );
  expect(faults).toEqual([]);
  expect(last).toEqual(last.map((_, index) => ends[index % tenants]));
  expect(begun.every((seq) => seq >= 0)).toBe(true);
  expect(reconnects).toBeGreaterThanOrEqual(clients);
  for (const [index, { seqs, begun: first }] of officials.entries()) {
    await expect.poll(() => seqs.at(-1), { timeout: 10_000 }).toBe(ends[index]);
    expect(seqs).toEqual(
      Array.from({ length: (ends[index] ?? 0) - first() }, (_, step) => first() + 1 + step),
    );
  }
  if (timesAreJudged) for (const ms of Object.values(whole)) expect(ms).toBeLessThan(wholeWithinMs);
});
