import pg from 'pg';
import { createDatabase, makeTemplate } from '../acceptance/harness/database.ts';
import { OldClient } from '../acceptance/harness/old-client.ts';
import { firstAdmin, startServer } from '../acceptance/harness/server.ts';
import { startCluster } from '../tools/postgres-cluster.ts';
import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import { writePast } from './harness/past.ts';
import { type PlainQuery, plainQueries } from './harness/plain-history.ts';

type Measured = { name: string; p95: number; plain: number; total: number };

const past = { tags: 5_000, months: 24, users: 30 };

/** Histories, totals, statistics and interventions as they grow, through HTTP, beside the plain SQL for the same. */
export const benchmark: Benchmark = {
  name: 'history',
  title: 'reading histories at growing sizes, against the plain SQL for the same question',
  run: async (context) => {
    const sizes = context.smoke ? [2_000, 20_000] : [100_000, 1_000_000, 10_000_000];
    const cluster = await startCluster({
      settings: ['shared_buffers=2GB', 'max_wal_size=16GB', 'checkpoint_timeout=1h'],
    });
    context.onCleanup(() => cluster.stop());
    await makeTemplate(cluster.url());
    const measured = new Map<number, Measured[]>();
    for (const size of sizes) measured.set(size, await measureSize(context, cluster.url(), size));
    return figuresOf(sizes, measured, context.smoke);
  },
};

async function measureSize(context: BenchContext, clusterUrl: string, size: number): Promise<Measured[]> {
  context.progress(`${size.toLocaleString('en')} occurrences: filling`);
  const database = await createDatabase(clusterUrl);
  const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
  const client = new OldClient(server.baseUrl);
  await client.logIn(firstAdmin.username, firstAdmin.password);
  await writePast(database.url, { ...past, occurrences: size }, context.progress);
  const bare = new pg.Client({ connectionString: database.url });
  await bare.connect();
  await bare.query("set timezone = 'UTC'; set jit = off; select set_config('tocsin.tenant', '1', false)");
  const measured: Measured[] = [];
  for (const query of plainQueries(size)) {
    const result = await measureQuery(client, bare, query, context.smoke ? 3 : 40);
    measured.push(result);
    context.progress(
      `  ${query.name}: p95 ${result.p95.toFixed(1)} ms, plain ${result.plain.toFixed(0)} ms (total ${result.total})`,
    );
  }
  await bare.end();
  client.close();
  await server.stop();
  await database.drop();
  return measured;
}

async function measureQuery(
  client: OldClient,
  bare: pg.Client,
  query: PlainQuery,
  turns: number,
): Promise<Measured> {
  const times: number[] = [];
  let total = -1;
  for (let turn = 0; turn < turns + 5; turn++) {
    const start = performance.now();
    const answer = await client.get(`/api/v1/alarms/${query.path}`);
    const milliseconds = performance.now() - start;
    if (answer.status !== 200) throw new Error(`${query.path}: ${answer.status} ${answer.text}`);
    total = answer.json<{ paging: { total: number } }>().paging.total;
    // The first few fill caches of plans and pages.
    if (turn >= 5) times.push(milliseconds);
  }
  let plain = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3; turn++) {
    const start = performance.now();
    await bare.query(query.page);
    const { rows } = await bare.query<{ total: string }>(query.total);
    plain = Math.min(plain, performance.now() - start);
    if (Number(rows[0]?.total) !== total)
      throw new Error(`${query.name}: ${total} is not the ${rows[0]?.total} of plain SQL`);
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return { name: query.name, p95, plain, total };
}

function figuresOf(
  sizes: readonly number[],
  measured: ReadonlyMap<number, Measured[]>,
  smoke: boolean,
): Figure[] {
  const smallest = measured.get(sizes[0] ?? 0) ?? [];
  const largest = measured.get(sizes.at(-1) ?? 0) ?? [];
  return largest.flatMap(({ name, p95, plain }, index): Figure[] => {
    const before = smallest[index]?.p95 ?? 1;
    const steps = sizes.map((size) => measured.get(size)?.[index]?.p95.toFixed(1)).join(' → ');
    return [
      {
        name: `${name}: p95 at the largest`,
        value: p95,
        unit: 'ms',
        ...(!smoke && { goal: { atMost: 50 } }),
        note: `plain SQL ${plain.toFixed(0)} ms`,
      },
      {
        name: `${name}: growth`,
        value: p95 / before,
        unit: '×',
        ...(!smoke && { goal: { atMost: 1.5 } }),
        note: `${steps} ms`,
      },
    ];
  });
}
