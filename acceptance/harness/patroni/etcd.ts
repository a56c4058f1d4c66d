import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { createDaemon, type Daemon, type Owner } from './daemon.ts';

export type Etcd = {
  /** Addresses of the members, as Patroni wants them. */
  readonly hosts: string;
  readonly members: readonly Daemon[];
  untilHealthy(): Promise<void>;
};

/** Starts three members on the loopback interface. */
export async function startEtcd(folder: string, owner: Owner): Promise<Etcd> {
  const names = ['etcd1', 'etcd2', 'etcd3'];
  const ports = await Promise.all(
    names.map(async (name) => ({ name, client: await freePort(), peer: await freePort() })),
  );
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const everybody = ports.map(({ name, peer }) => `${name}=${url(peer)}`).join(',');
  const members = ports.map(({ name, client, peer }) => {
    const settings = {
      name,
      'data-dir': `${folder}/${name}`,
      'listen-client-urls': url(client),
      'advertise-client-urls': url(client),
      'listen-peer-urls': url(peer),
      'initial-advertise-peer-urls': url(peer),
      'initial-cluster': everybody,
      'initial-cluster-token': 'tocsin',
      'initial-cluster-state': 'new',
      'enable-v2': 'true',
    };
    const args = Object.entries(settings).map(([option, value]) => `--${option}=${value}`);
    return createDaemon({ name, program: '/usr/bin/etcd', args, folder, owner });
  });
  for (const member of members) member.start();
  return {
    hosts: ports.map(({ client }) => `127.0.0.1:${client}`).join(','),
    members,
    untilHealthy: async () => {
      for (const { client } of ports) await untilHealthy(url(client));
    },
  };
}

async function untilHealthy(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error(`the etcd member ${url} is not healthy after 30 s`);
}
