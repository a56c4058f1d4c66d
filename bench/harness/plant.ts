import { createDatabase, makeTemplate } from '../../acceptance/harness/database.ts';
import { HttpClient } from '../../acceptance/harness/http/http-client.ts';
import { firstAdmin, startServer } from '../../acceptance/harness/server.ts';
import { startCluster } from '../../tools/postgres-cluster.ts';
import type { BenchContext } from './benchmark.ts';
import type { BodyKind } from './bodies.ts';
import { cpuSeconds, postgresCpuSeconds, postmasterOf } from './cpu-time.ts';
import { type Load, type Outcome, runLoad } from './load.ts';

/** With what a request took of the machine, in milliseconds of CPU. */
export type PlantOutcome = Outcome & { serverCpuMs: number; postgresCpuMs: number };

export type BenchPlant = {
  readonly databaseUrl: string;
  /** Posts alarms; tags that are new in one load are new in every load. */
  load(
    load: Pick<Load, 'clients' | 'seconds' | 'knownTags'> & Partial<Pick<Load, 'rate' | 'body' | 'sweep'>>,
  ): Promise<PlantOutcome>;
};

export type PlantSettings = {
  /** How many tags are raised before. */
  knownTags: number;
  /** Default body of a load. */
  body?: BodyKind;
  /** A cluster to share; absent, it gets one of its own. */
  clusterUrl?: string;
  /** Prepares the empty database before the server starts. */
  prepare?: (databaseUrl: string) => Promise<unknown>;
};

/** A cluster that flushes, ready for `createDatabase`, with room for as many bare clients as there are; gives its URL. */
export async function startFlushingCluster(context: BenchContext): Promise<string> {
  context.progress('starting PostgreSQL with fsync on');
  const settings = ['max_wal_size=8GB', 'shared_buffers=1GB', 'max_connections=400'];
  const cluster = await startCluster({ durable: true, settings });
  context.onCleanup(() => cluster.stop());
  await makeTemplate(cluster.url());
  return cluster.url();
}

/** One server process on a cluster that flushes. */
export async function startPlant(
  context: BenchContext,
  { knownTags, body = 'alarm', clusterUrl, prepare }: PlantSettings,
): Promise<BenchPlant> {
  const database = await createDatabase(clusterUrl ?? (await startFlushingCluster(context)));
  await prepare?.(database.url);
  const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
  context.onCleanup(() => server.stop());
  const admin = new HttpClient(server.baseUrl);
  context.onCleanup(async () => admin.close());
  await admin.logIn(firstAdmin.username, firstAdmin.password);
  const callGroupId = (await admin.post('/api/v1/callgroups', { name: 'Maintenance' })).json<number>();

  const { port } = new URL(server.baseUrl);
  const postmaster = await postmasterOf(database.url);
  const cpu = async () => [await cpuSeconds(server.pid), await postgresCpuSeconds(postmaster)] as const;
  let firstNewTag = 1_000_000;
  const load: BenchPlant['load'] = async (wanted) => {
    firstNewTag += 1_000_000;
    await admin.logIn(firstAdmin.username, firstAdmin.password);
    const before = await cpu();
    const outcome = await runLoad({
      ports: [Number(port)],
      path: '/api/v1/alarms',
      tokens: [admin.token ?? ''],
      body,
      knownShare: 0.7,
      firstNewTag,
      callGroupId,
      seed: firstNewTag,
      ...wanted,
    });
    const after = await cpu();
    const perAnswer = (which: 0 | 1) =>
      ((after[which] - before[which]) * 1_000) / Math.max(1, outcome.answered);
    return { ...outcome, serverCpuMs: perAnswer(0), postgresCpuMs: perAnswer(1) };
  };
  context.progress(`raising ${knownTags} tags once`);
  const { answered } = await load({ clients: 64, seconds: 0, knownTags, sweep: true });
  if (answered !== knownTags) throw new Error(`${answered} of ${knownTags} tags could be raised`);
  return { databaseUrl: database.url, load };
}
