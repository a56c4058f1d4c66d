import { inject, onTestFinished } from 'vitest';
import { freePort } from '../../../tools/postgres-cluster.ts';
import type { Storm } from '../client/storm.ts';
import { createDatabase } from '../database.ts';
import type { HttpClient } from '../http/http-client.ts';
import { logIn } from '../installation.ts';
import { type Server, startServer } from '../server.ts';
import { startPlantStorm } from './plant-storm.ts';
import { buildWaterworks, raiseNight, type Waterworks } from './waterworks.ts';

/** The waterworks with a server that can be killed, started again, and joined by a second one on the same database. */
export type StormSite = {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly client: HttpClient;
  readonly works: Waterworks;
  /** 50 changes a second until the end of the test; a storm of another `firstTag` raises other alarms. */
  startStorm(firstTag?: number): Storm;
  kill(): Promise<void>;
  /** At the same port. */
  restart(): Promise<void>;
  startOther(): Promise<Server>;
  close(): Promise<void>;
};

export async function openStormSite(): Promise<StormSite> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const port = String(await freePort());
  const servers: Server[] = [];
  const start = async (more: Record<string, string>) => {
    const environment = { DRAIN_MS: '0', ROLES: 'api,hub', ...more };
    const server = await startServer({ databaseUrl: database.url, environment });
    servers.push(server);
    return server;
  };
  let main = await start({ PORT: port });
  const client = await logIn(main);
  const works = await buildWaterworks({ client });
  await raiseNight({ client }, works);
  return {
    databaseUrl: database.url,
    baseUrl: main.baseUrl,
    client,
    works,
    startStorm: (firstTag = 0) => {
      const storm = startPlantStorm(client, works, { firstTag });
      onTestFinished(async () => void (await storm.stop()));
      return storm;
    },
    kill: () => main.kill(),
    restart: async () => {
      main = await start({ PORT: port });
    },
    startOther: () => start({}),
    close: async () => {
      client.close();
      await Promise.all(servers.map((server) => server.kill()));
      await database.drop();
    },
  };
}
