import { createDatabase, makeTemplate } from '../../acceptance/harness/database.ts';
import { OldClient } from '../../acceptance/harness/old-client.ts';
import { firstAdmin, startServer } from '../../acceptance/harness/server.ts';
import { startCluster } from '../../tools/postgres-cluster.ts';
import type { BenchContext } from './benchmark.ts';
import { type Load, type Outcome, runLoad } from './load.ts';

export type BenchPlant = {
  readonly databaseUrl: string;
  /** Posts alarms; tags that are new in one load are new in every load. */
  load(
    load: Pick<Load, 'clients' | 'seconds' | 'knownTags'> & Partial<Pick<Load, 'rate' | 'body'>>,
  ): Promise<Outcome>;
};

export type PlantSettings = {
  /** How many tags are raised before. */
  knownTags: number;
  /** A cluster to share; absent, it gets one of its own. */
  clusterUrl?: string;
  /** What is done to its empty database before the server starts. */
  prepare?: (databaseUrl: string) => Promise<unknown>;
};

/** A cluster that flushes, ready for `createDatabase`; gives its URL. */
export async function startFlushingCluster(context: BenchContext): Promise<string> {
  context.progress('starting PostgreSQL with fsync on');
  const cluster = await startCluster({ durable: true, settings: ['max_wal_size=8GB', 'shared_buffers=1GB'] });
  context.onCleanup(() => cluster.stop());
  await makeTemplate(cluster.url());
  return cluster.url();
}

/** One server process on a cluster that flushes. */
export async function startPlant(
  context: BenchContext,
  { knownTags, clusterUrl, prepare }: PlantSettings,
): Promise<BenchPlant> {
  const database = await createDatabase(clusterUrl ?? (await startFlushingCluster(context)));
  await prepare?.(database.url);
  const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
  context.onCleanup(() => server.stop());
  const admin = new OldClient(server.baseUrl);
  context.onCleanup(async () => admin.close());
  await admin.logIn(firstAdmin.username, firstAdmin.password);
  const callGroupId = (await admin.post('/api/v1/callgroups', { name: 'Maintenance' })).json<number>();

  const { port } = new URL(server.baseUrl);
  let firstNewTag = 1_000_000;
  const load: BenchPlant['load'] = async (wanted) => {
    firstNewTag += 1_000_000;
    await admin.logIn(firstAdmin.username, firstAdmin.password);
    return runLoad({
      ports: [Number(port)],
      path: '/api/v1/alarms',
      tokens: [admin.token ?? ''],
      body: 'alarm',
      knownShare: 0.7,
      firstNewTag,
      callGroupId,
      seed: firstNewTag,
      ...wanted,
    });
  };
  context.progress(`raising ${knownTags} tags once`);
  while (
    (await admin.get('/api/v1/alarms?limit=0')).json<{ paging: { total: number } }>().paging.total < knownTags
  ) {
    await load({ clients: 64, seconds: context.smoke ? 1 : 3, knownTags });
  }
  return { databaseUrl: database.url, load };
}
