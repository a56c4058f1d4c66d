import { createDatabase } from '../../acceptance/harness/database.ts';
import { HttpClient } from '../../acceptance/harness/http/http-client.ts';
import { addTenant, firstAdmin, startServer } from '../../acceptance/harness/server.ts';
import type { BenchContext } from './benchmark.ts';
import { type Load, type Outcome, runLoad } from './load.ts';
import { startFlushingCluster } from './plant.ts';
import { queryDatabase } from './sql/query-database.ts';

export type Installation = {
  readonly databaseUrl: string;
  /** Posts alarms of these tenants (numbered from 1), over all servers; tags that are new are so in every load. */
  load(tenants: readonly number[], load: Pick<Load, 'clients' | 'seconds' | 'rate'>): Promise<Outcome>;
  /** How many posts of each tenant were answered with 200, in all loads so far. */
  readonly answered: ReadonlyMap<number, number>;
};

/** Several server processes on one database of a cluster that flushes, with `knownTags` tags raised in each tenant. */
export async function startInstallation(
  context: BenchContext,
  { servers, tenants, knownTags }: { servers: number; tenants: number; knownTags: number },
): Promise<Installation> {
  const database = await createDatabase(await startFlushingCluster(context));
  const running = await Promise.all(
    Array.from({ length: servers }, () =>
      startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } }),
    ),
  );
  context.onCleanup(() => Promise.all(running.map((server) => server.stop())));
  context.progress(`making ${tenants} tenants`);
  await addTenants(database.url, tenants);
  const tokens = await logInToAll(database.url, running[0]?.baseUrl ?? '');

  const answered = new Map<number, number>();
  let firstNewTag = 1_000_000;
  const load: Installation['load'] = async (wanted, size) => {
    firstNewTag += 1_000_000;
    const outcome = await runLoad({
      ports: running.map((server) => Number(new URL(server.baseUrl).port)),
      path: '/api/v1/alarms',
      tokens: wanted.map((tenant) => tokens.get(tenant) ?? ''),
      body: 'event',
      knownTags,
      knownShare: 0.7,
      firstNewTag,
      callGroupId: 1,
      seed: firstNewTag,
      ...size,
    });
    wanted.forEach((tenant, index) => {
      answered.set(tenant, (answered.get(tenant) ?? 0) + (outcome.answeredPerToken[index] ?? 0));
    });
    return outcome;
  };
  return { databaseUrl: database.url, load, answered };
}

/** Adds the other tenants, a few at a time. */
async function addTenants(databaseUrl: string, tenants: number): Promise<void> {
  const atOnce = 4;
  for (let first = 2; first <= tenants; first += atOnce) {
    const numbers = Array.from(
      { length: Math.min(atOnce, tenants - first + 1) },
      (_, index) => first + index,
    );
    const { password } = firstAdmin;
    await Promise.all(
      numbers.map((number) =>
        addTenant(databaseUrl, { name: `Tenant ${number}`, admin: `admin.${number}`, password }),
      ),
    );
  }
}

/** The token of each tenant's administrator, who has made the call group that alarms name. */
async function logInToAll(databaseUrl: string, baseUrl: string): Promise<Map<number, string>> {
  const tokens = new Map<number, string>();
  const logins = await queryDatabase<{ tenant: number; username: string }>(
    databaseUrl,
    'select tenant_id::integer as tenant, username_key as username from logins order by 1',
  );
  for (const { tenant, username } of logins) {
    const client = new HttpClient(baseUrl);
    await client.logIn(username, firstAdmin.password);
    const made = await client.post('/api/v1/callgroups', { name: 'Maintenance' });
    client.close();
    if (made.text !== '1') throw new Error(`${username} got no call group 1: ${made.status} ${made.text}`);
    tokens.set(tenant, client.token ?? '');
  }
  return tokens;
}

export type Kept = {
  tenant: number;
  tags: number;
  /** Journal entries of alarms raised and repeated by the administrators, who send the loads. */
  raised: number;
  /** Numbers missing in the journal. */
  gaps: number;
};

/** Rows of each tenant in the database. */
export function readKept(databaseUrl: string): Promise<Kept[]> {
  return queryDatabase<Kept>(
    databaseUrl,
    `select id::integer as tenant,
       (select count(*)::integer from tags t where t.tenant_id = n.id) as tags,
       (select count(*)::integer from journal j where j.tenant_id = n.id
         and j.kind in ('raised', 'repeated') and j.actor ~ '^admin') as raised,
       (select (greatest(coalesce(max(j.seq), 0), (select h.seq from tenant_counters h where h.tenant_id = n.id))
           - count(distinct j.seq))::integer
         from journal j where j.tenant_id = n.id) as gaps
     from tenants n order by id`,
  );
}
