import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePrograms } from '../../../tools/needed-programs.ts';
import { freePort, unprivilegedUser } from '../../../tools/postgres-cluster.ts';
import { createDaemon, type Daemon } from './daemon.ts';
import { startEtcd } from './etcd.ts';
import { createMember, type PatroniMember } from './patroni-member.ts';
import { haproxySettings } from './patroni-settings.ts';

/** The roles of the members at one moment, as Patroni sees them. */
export type Roles = { primary: PatroniMember; synchronous: PatroniMember; other: PatroniMember };

/** Three etcd members, three PostgreSQL members with Patroni, and HAProxy, all on the loopback interface. */
export type PatroniCluster = {
  /** Follows the primary. */
  readonly url: string;
  readonly etcd: readonly Daemon[];
  /** Waits until a primary, a synchronous standby and another standby run without lag. */
  untilWhole(): Promise<Roles>;
  /** Moves the primary, as before maintenance. */
  switchOver(from: PatroniMember, to: PatroniMember): Promise<void>;
  stop(): Promise<void>;
};

export async function startPatroniCluster(): Promise<PatroniCluster> {
  requirePrograms('/usr/bin/etcd', '/usr/bin/patroni', '/usr/sbin/haproxy');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-etcd-'));
  const owner = await unprivilegedUser(folder);
  await chmod(folder, 0o700);
  const etcd = await startEtcd(folder, owner);
  await etcd.untilHealthy();
  const members: PatroniMember[] = [];
  for (const name of ['db1', 'db2', 'db3']) members.push(await createMember(name, etcd.hosts));
  for (const member of members) member.start();

  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, haproxySettings(port, members));
  const program = '/usr/sbin/haproxy';
  const haproxy = createDaemon({ name: 'haproxy', program, args: ['-db', '-f', file], folder, owner });
  haproxy.start();
  const stop = async () => {
    for (const member of members) await member.kill();
    for (const daemon of [haproxy, ...etcd.members]) await daemon.kill();
    for (const member of members) await member.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilWhole(members);
  } catch (error) {
    const logs = await Promise.all([...members, haproxy].map((one) => one.log()));
    await stop();
    throw new Error(logs.map((log) => log.slice(-2_000)).join('\n---\n'), { cause: error });
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    etcd: etcd.members,
    untilWhole: () => untilWhole(members),
    switchOver,
    stop,
  };
}

type Seen = { name: string; role: string; state: string; timeline?: number; lag?: number | string };

async function untilWhole(members: readonly PatroniMember[]): Promise<Roles> {
  const deadline = performance.now() + 90_000;
  let seen: Seen[] = [];
  while (performance.now() < deadline) {
    seen = await askCluster(members);
    const running = seen.filter(({ state }) => state === 'running' || state === 'streaming');
    const isLevel = new Set(running.map(({ timeline }) => timeline)).size === 1;
    const hasCaughtUp = running.every(({ lag = 0 }) => lag === 0);
    const withRole = (role: string) => {
      const name = running.find((one) => one.role === role)?.name;
      return members.find((member) => member.name === name);
    };
    const [primary, synchronous, other] = [withRole('leader'), withRole('sync_standby'), withRole('replica')];
    if (primary && synchronous && other && isLevel && hasCaughtUp) return { primary, synchronous, other };
    await sleep(100);
  }
  throw new Error(`the cluster is not whole after 90 s: ${JSON.stringify(seen)}`);
}

/** The view of the first Patroni that answers. */
async function askCluster(members: readonly PatroniMember[]): Promise<Seen[]> {
  for (const { restPort } of members) {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal }).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { members: Seen[] }).members;
  }
  return [];
}

async function switchOver(from: PatroniMember, to: PatroniMember): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${from.restPort}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: from.name, candidate: to.name }),
  });
  if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`);
}
