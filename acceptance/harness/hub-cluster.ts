import { inject } from 'vitest';
import { createDatabase } from './database.ts';
import { type Balancer, startBalancer } from './hub-balancer.ts';
import { type Nats, startNats } from './hub-nats.ts';
import { type Server, startServer } from './server.ts';

export type HubCluster = {
  readonly databaseUrl: string;
  readonly servers: readonly [Server, Server];
  readonly nats: Nats;
  /** In front of both servers, without affinity. */
  readonly balancer: Balancer;
  /** Starts a server anew where the killed one was. */
  restart(index: 0 | 1): Promise<void>;
  close(): Promise<void>;
};

/** Two servers on one database, with NATS between them and a plain balancer in front. */
export async function startHubCluster(environment: Record<string, string> = {}): Promise<HubCluster> {
  const [database, nats] = await Promise.all([createDatabase(inject('durableClusterUrl')), startNats()]);
  const start = (more: Record<string, string> = {}) =>
    startServer({
      databaseUrl: database.url,
      environment: {
        DRAIN_MS: '0',
        NATS_URL: nats.url,
        HUB_CONNECTIONS_PER_CALLER: '20000',
        ...environment,
        ...more,
      },
    });
  const servers: [Server, Server] = [await start(), await start()];
  const portOf = ({ baseUrl }: Server) => Number(new URL(baseUrl).port);
  const balancer = await startBalancer(servers.map(portOf));
  return {
    databaseUrl: database.url,
    servers,
    nats,
    balancer,
    restart: async (index) => {
      servers[index] = await start({ PORT: String(portOf(servers[index])) });
    },
    close: async () => {
      await balancer.close();
      await Promise.all(servers.map((server) => server.stop()));
      await nats.stop();
      await database.drop();
    },
  };
}
