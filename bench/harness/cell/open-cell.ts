import pg from 'pg';
import { createDatabase, makeTemplate } from '../../../acceptance/harness/database.ts';
import { HttpClient } from '../../../acceptance/harness/http/http-client.ts';
import { LogWatch } from '../../../acceptance/harness/on-call/log-watch.ts';
import { startPhoneCompany } from '../../../acceptance/harness/phone-company/phone-company.ts';
import { firstAdmin, type Server, startServer } from '../../../acceptance/harness/server.ts';
import { startCluster } from '../../../tools/postgres-cluster.ts';
import type { BenchContext } from '../benchmark.ts';
import { eventBody } from '../bodies.ts';
import { cloneTenants, keyOfTenant } from './clone-tenants.ts';
import { type CellPast, foreverPath, writeCellPast } from './write-cell-past.ts';

export type CellSize = CellPast & {
  /** People of each tenant, each alone in a call group. */
  people: number;
};

export type Cell = {
  readonly databaseUrl: string;
  /** An API key of each tenant. */
  readonly tokens: readonly string[];
  /** Log of the phone company that all tenants call through. */
  readonly phones: LogWatch;
  startNode(): Promise<Server>;
};

const settings = [
  'max_wal_size=8GB',
  'shared_buffers=2GB',
  'max_connections=400',
  'shared_preload_libraries=pg_stat_statements',
];

/** A database of many tenants with a past, on a cluster that flushes, and servers that are started when they are wanted. */
export async function openCell(context: BenchContext, size: CellSize): Promise<Cell> {
  context.progress('starting PostgreSQL with fsync on');
  const cluster = await startCluster({ durable: true, settings });
  context.onCleanup(() => cluster.stop());
  await makeTemplate(cluster.url());
  const { url: databaseUrl } = await createDatabase(cluster.url());
  const company = await startPhoneCompany();
  context.onCleanup(() => company.stop());
  const phones = await LogWatch.open(company.logFile);
  context.onCleanup(() => phones.close());
  const startNode = async () => {
    const environment = { DRAIN_MS: '0', EGRESS_ALLOW: '127.0.0.0/8:*' };
    const server = await startServer({ databaseUrl, environment });
    context.onCleanup(() => server.stop());
    return server;
  };
  const first = await startNode();
  const key = await makeFirstTenant(first.baseUrl, { ...size, phonesUrl: company.url });
  await first.stop();
  await fill(context, databaseUrl, size);
  const tokens = Array.from({ length: size.tenants }, (_, index) => keyOfTenant(key, index + 1));
  return { databaseUrl, tokens, phones, startNode };
}

/** Makes the tenant that all others are copies of; returns its API key. */
async function makeFirstTenant(
  baseUrl: string,
  { people, knownTags, phonesUrl }: CellSize & { phonesUrl: string },
): Promise<string> {
  const client = new HttpClient(baseUrl);
  await client.logIn(firstAdmin.username, firstAdmin.password);
  const make = async (folder: string, body: object) => {
    const answer = await client.post(`/api/v1/${folder}`, body);
    if (answer.status !== 200) throw new Error(`${folder}: ${answer.status} ${answer.text}`);
    return answer;
  };
  await make('channels', { name: 'Texts', kind: 'simulated', medium: 'Sms', settings: { url: phonesUrl } });
  for (let number = 1; number <= people; number++) {
    const media = [{ kind: 'Sms', address: `+336${String(number).padStart(8, '0')}` }];
    const user = await make('users', { username: `user ${number}`, role: 'operator', media });
    const userIds = [user.json<number>()];
    await make('callgroups', { name: `Group ${number}`, userIds, ackTimeout: 600 });
  }
  for (let tag = 0; tag < knownTags; tag++) await make('alarms', eventBody(tag, 1));
  await make('alarms', { path: foreverPath, priority: 1 });
  const { key } = (await make('apikeys', { name: 'Gateway', role: 'machine' })).json<{ key: string }>();
  client.close();
  return key;
}

async function fill({ progress }: BenchContext, databaseUrl: string, size: CellSize): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // Without triggers: sums are built at the end, and the copied rows are complete.
  await client.query(
    "set timezone = 'UTC'; set synchronous_commit = off; set session_replication_role = replica; set work_mem = '256MB'",
  );
  await client.query('create extension pg_stat_statements');
  progress(`making ${size.tenants} tenants`);
  await cloneTenants(client, size.tenants);
  await writeCellPast(client, size, progress);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}
