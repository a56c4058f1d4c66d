import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, startCluster } from '../../tools/postgres-cluster.ts';
import { Follower } from '../harness/hub/follower.ts';
import { logIn } from '../harness/installation.ts';
import { journalFaults } from '../harness/patroni/check-journal.ts';
import { startGateways } from '../harness/patroni/gateways.ts';
import { runCommand, type Server, startServer } from '../harness/server.ts';
import { connectSql } from '../harness/sql.ts';
import { previousRelease, unpackPreviousRelease, whyMissing } from '../harness/upgrade/previous-release.ts';

const missing = whyMissing();
if (missing !== undefined) console.log(`upgrade: left out, ${missing}`);

/** Two places for servers behind one address each, as two machines. */
async function openPlaces(databaseUrl: string) {
  const ports = [await freePort(), await freePort()] as const;
  const running = new Map<number, Server>();
  const start = async (place: 0 | 1, program?: string) => {
    const environment = { PORT: String(ports[place]), DRAIN_MS: '500' };
    running.set(place, await startServer({ databaseUrl, environment, ...(program && { program }) }));
  };
  const stop = async (place: 0 | 1) => expect(await running.get(place)?.stop()).toBe(0);
  onTestFinished(async () => void (await Promise.all([...running.values()].map((one) => one.kill()))));
  const server = (place: 0 | 1) => ({ baseUrl: `http://127.0.0.1:${ports[place]}` });
  return { ports, start, stop, server };
}

const sideBySideMs = 4_000;

test.skipIf(missing !== undefined)(
  'servers are replaced one by one under load, from the previous release to this one and back',
  { timeout: 300_000 },
  async () => {
    const previous = await unpackPreviousRelease();
    onTestFinished(() => previous.remove());
    const cluster = await startCluster({ durable: true });
    onTestFinished(() => cluster.stop());
    const { ports, start, stop, server } = await openPlaces(cluster.url());
    await start(0, previous.program);
    await start(1, previous.program);
    const sql = await connectSql(cluster.url());
    const migrations = async () =>
      (await sql.query<{ name: string }>('select name from migrations order by 1')).rows.length;
    const before = await migrations();

    const clients = [await logIn(server(0)), await logIn(server(1))];
    onTestFinished(() => clients.forEach((client) => client.close()));
    const followers = Array.from({ length: 20 }, (_, index) => {
      const token = clients[0]?.token ?? '';
      return new Follower({
        ports: index % 2 === 0 ? ports : ports.toReversed(),
        token,
        family: index % 4 === 0 ? 'classic' : 'core',
      });
    });
    onTestFinished(() => followers.forEach((follower) => follower.stop()));
    await Promise.all(followers.map((follower) => follower.open()));
    await expect.poll(() => followers.every(({ isLive }) => isLive)).toBe(true);
    const traffic = startGateways({ name: 'upgrade', perSecond: 100, gateways: 20, clients });
    await sleep(2_000);

    // Both old servers on the new database.
    await runCommand(cluster.url(), ['migrate']);
    await sleep(sideBySideMs);
    // An old and a new one, two new ones, and one goes back.
    const steps = [
      [0, undefined],
      [1, undefined],
      [0, previous.program],
    ] as const;
    for (const [place, program] of steps) {
      await stop(place);
      await start(place, program);
      await sleep(sideBySideMs);
    }
    const record = await traffic.stop();

    const { rows } = await sql.query<{ seq: number }>('select seq::integer from tenant_counters');
    const end = rows[0]?.seq ?? 0;
    await expect
      .poll(() => followers.map(({ last }) => last), { timeout: 20_000 })
      .toEqual(followers.map(() => end));
    const reconnects = followers.reduce((sum, follower) => sum + follower.reconnects, 0);
    const answers = [...record.answers].map(([answer, count]) => `${count} × ${answer}`).join(', ');
    console.log(
      `from ${previousRelease.version} and back on ${await migrations()} migrations, ${before} of them old: ` +
        `${record.taken.length} alarms answered 200, answers ${answers}; ${followers.length} hub clients with ${reconnects} reconnects miss nothing`,
    );
    expect(await migrations()).toBeGreaterThan(before);
    expect(await journalFaults(sql, 'upgrade', record.taken)).toEqual([]);
    expect(
      [...record.answers.keys()].filter((answer) => !/^(200$|503 |E[A-Z]+$|socket hang up)/.test(answer)),
    ).toEqual([]);
    expect(followers.flatMap(({ faults }) => faults)).toEqual([]);
    expect(reconnects).toBeGreaterThanOrEqual(followers.length);
  },
);
