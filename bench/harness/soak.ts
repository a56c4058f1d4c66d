import { createDatabase } from '../../acceptance/harness/database.ts';
import { HttpClient } from '../../acceptance/harness/http/http-client.ts';
import { firstAdmin, startServer } from '../../acceptance/harness/server.ts';
import { freePort } from '../../tools/postgres-cluster.ts';
import type { BenchContext } from './benchmark.ts';
import { startFlushingCluster } from './plant.ts';
import { askWorker } from './worker.ts';

/** Alarms that are raised at a steady rate, acknowledged and reset. */
export type SoakLoad = {
  port: number;
  token: string;
  callGroupId: number;
  clients: number;
  seconds: number;
  /** Alarms raised a second; as many are acknowledged and reset. */
  rate: number;
  /** Number of tags, more than are active at once. */
  tags: number;
  /** When an alarm is acknowledged and when it is reset after its raise, in either order. */
  answerSeconds: { least: number; most: number };
  seed: number;
};

export type SoakOutcome = {
  raised: number;
  acknowledged: number;
  reset: number;
  refused: number;
  p99: number;
};

export type SoakPlant = {
  readonly databaseUrl: string;
  readonly metricsUrl: string;
  load(load: Omit<SoakLoad, 'port' | 'token' | 'callGroupId' | 'seed'>): Promise<SoakOutcome>;
};

/** One server process on a cluster that flushes, with its metrics, and a key that outlives any log-in. */
export async function startSoakPlant(context: BenchContext): Promise<SoakPlant> {
  const database = await createDatabase(await startFlushingCluster(context));
  const adminPort = await freePort();
  const server = await startServer({
    databaseUrl: database.url,
    environment: { DRAIN_MS: '0', ADMIN_PORT: String(adminPort) },
  });
  context.onCleanup(() => server.stop());
  const admin = new HttpClient(server.baseUrl);
  await admin.logIn(firstAdmin.username, firstAdmin.password);
  const callGroupId = (await admin.post('/api/v1/callgroups', { name: 'Maintenance' })).json<number>();
  const made = await admin.post('/api/v1/apikeys', { name: 'SCADA', role: 'operator' });
  const { key: token } = made.json<{ key: string }>();
  admin.close();
  const port = Number(new URL(server.baseUrl).port);
  return {
    databaseUrl: database.url,
    metricsUrl: `http://127.0.0.1:${adminPort}/metrics`,
    load: (wanted) =>
      askWorker<SoakOutcome>(new URL('./soak-worker.ts', import.meta.url), {
        port,
        token,
        callGroupId,
        seed: 1,
        ...wanted,
      }),
  };
}
