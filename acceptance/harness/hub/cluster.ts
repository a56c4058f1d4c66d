import { inject } from 'vitest';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { createDatabase } from '../database.ts';
import { type Server, startServer } from '../server.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Nats, startNats } from './nats.ts';

export type HubCluster = {
  readonly databaseUrl: string;
  readonly servers: readonly [Server, Server];
  readonly nats: Nats;
  /** A balancer without affinity in front of both servers. */
  readonly balancer: Balancer;
  /** The value of a metric of a server. */
  metric(index: 0 | 1, name: string): Promise<number>;
  /** Starts a server again on the port of the killed one. */
  restart(index: 0 | 1): Promise<void>;
  close(): Promise<void>;
};

/** Starts two servers on one database, with NATS between them and a balancer in front. */
export async function startHubCluster(
  environment: Record<string, string> = {},
  natsUser?: { name: string; password: string },
): Promise<HubCluster> {
  const [database, nats] = await Promise.all([
    createDatabase(inject('durableClusterUrl')),
    startNats(natsUser),
  ]);
  const adminPorts = [await freePort(), await freePort()] as const;
  const start = (index: 0 | 1, more: Record<string, string> = {}) =>
    startServer({
      databaseUrl: database.url,
      environment: {
        DRAIN_MS: '0',
        NATS_URL: nats.url,
        ADMIN_PORT: String(adminPorts[index]),
        HUB_CONNECTIONS_PER_CALLER: '20000',
        ...environment,
        ...more,
      },
    });
  const servers: [Server, Server] = [await start(0), await start(1)];
  const portOf = ({ baseUrl }: Server) => Number(new URL(baseUrl).port);
  const balancer = await startBalancer(servers.map(portOf));
  return {
    databaseUrl: database.url,
    servers,
    nats,
    balancer,
    metric: (index, name) => readMetric(adminPorts[index], name),
    restart: async (index) => {
      servers[index] = await start(index, { PORT: String(portOf(servers[index])) });
    },
    close: async () => {
      await balancer.close();
      await Promise.all(servers.map((server) => server.stop()));
      await nats.stop();
      await database.drop();
    },
  };
}

/** The value of a metric of the server with this admin port. */
export async function readMetric(adminPort: number, name: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
  const line = (await answer.text()).split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`there is no metric ${name}`);
  return Number(line.slice(name.length));
}
