import pg from 'pg';
import { createDatabase, makeTemplate } from '../acceptance/harness/database.ts';
import { HttpClient } from '../acceptance/harness/http/http-client.ts';
import { firstAdmin, startServer } from '../acceptance/harness/server.ts';
import { startCluster } from '../tools/postgres-cluster.ts';
import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import { askOften } from './harness/sql/ask-often.ts';
import { measureEmbeddedValues } from './harness/sql/embedded-values.ts';
import { type PlainQuery, plainQueries } from './harness/sql/history-queries.ts';
import { queryDatabase } from './harness/sql/query-database.ts';
import { writePast } from './harness/sql/write-past.ts';

type Measured = { name: string; p95: number; plain: number; total: number };

const past = { tags: 5_000, months: 66, users: 30 };

/** Histories, totals, statistics, interventions and key figures at growing sizes through HTTP, compared with plain SQL. */
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
    const plants: Plant[] = [];
    for (const size of sizes) plants.push(await fill(context, cluster.url(), size));
    // Writes back dirty pages before the measurement.
    await queryDatabase(cluster.url(), 'checkpoint');
    for (const { client } of plants) await client.logIn(firstAdmin.username, firstAdmin.password);
    const measured = new Map<number, Measured[]>(sizes.map((size) => [size, []]));
    for (const index of plainQueries({ ...past, occurrences: 1 }).keys()) {
      for (const [size, one] of await measureQuery(context, plants, index)) measured.get(size)?.push(one);
    }
    return [
      ...figuresOf(sizes, measured, context.smoke),
      ...(await measureEmbeddedValues(context, cluster.url(), past)),
    ];
  },
};

type Plant = { size: number; client: HttpClient; bare: pg.Client; queries: PlainQuery[] };

async function fill(context: BenchContext, clusterUrl: string, size: number): Promise<Plant> {
  context.progress(`${size.toLocaleString('en')} occurrences: filling`);
  const database = await createDatabase(clusterUrl);
  const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
  context.onCleanup(() => server.stop());
  const client = new HttpClient(server.baseUrl);
  context.onCleanup(async () => client.close());
  await writePast(database.url, { ...past, occurrences: size }, context.progress);
  const bare = new pg.Client({ connectionString: database.url });
  await bare.connect();
  context.onCleanup(() => bare.end());
  await bare.query("set timezone = 'UTC'; set jit = off; select set_config('tocsin.tenant', '1', false)");
  return { size, client, bare, queries: plainQueries({ ...past, occurrences: size }) };
}

/** One query at all sizes alternately, so that other load of the machine affects all of them. */
async function measureQuery(
  { smoke, progress }: BenchContext,
  plants: readonly Plant[],
  index: number,
): Promise<Map<number, Measured>> {
  const measured = new Map<number, Measured>();
  for (let round = 0; round < (smoke ? 1 : 3); round++) {
    for (const { size, client, bare, queries } of plants) {
      const query = queries[index];
      if (!query) continue;
      const { p95, total } = await askOften(client, query.path, smoke ? 3 : 40);
      const before = measured.get(size);
      const plain = before?.plain ?? (await askPlain(bare, query, total));
      measured.set(size, { name: query.name, p95: Math.min(p95, before?.p95 ?? p95), plain, total });
    }
  }
  for (const [size, { name, p95, plain, total }] of measured)
    progress(
      `${size.toLocaleString('en')}: ${name}: p95 ${p95.toFixed(1)} ms, plain ${plain.toFixed(0)} ms (total ${total})`,
    );
  return measured;
}

/** The quickest of three, in milliseconds; the total must be the same. */
async function askPlain(bare: pg.Client, query: PlainQuery, total: number): Promise<number> {
  let plain = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3; tries++) {
    const start = performance.now();
    await bare.query(query.page);
    const { rows } = await bare.query<{ total: string }>(query.total);
    plain = Math.min(plain, performance.now() - start);
    if (Number(rows[0]?.total) !== total)
      throw new Error(`${query.name}: ${total} is not the ${rows[0]?.total} of plain SQL`);
  }
  return plain;
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
