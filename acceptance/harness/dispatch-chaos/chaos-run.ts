import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { create } from '../plant.ts';
import { hirePeople } from './chaos-people.ts';
import { type ChaosSite, logInEverywhere } from './chaos-site.ts';
import type { ChaosSize } from './chaos-size.ts';
import { type Customer, insist, makeTraffic } from './chaos-traffic.ts';
import type { ClientLog } from './client-log.ts';
import { type Evidence, readDatabase } from './evidence.ts';
import { faultSchedule } from './fault-schedule.ts';
import { type Ledger, readLedgers } from './ledger.ts';
import { unleash } from './nemesis.ts';

const drainMs = 90_000;

/** One run: people, traffic and faults, then quiet, then all that is known of it. */
export async function runChaos(
  site: ChaosSite,
  { seed, size, log }: { seed: number; size: ChaosSize; log: ClientLog },
): Promise<Evidence> {
  const begun = Date.now();
  const customers = await Promise.all(
    site.tenants.map((tenant) => openCustomer(site, tenant, { seed, size })),
  );
  const traffic = { seed, size, customers, log };
  const [windows] = await Promise.all([unleash(site, faultSchedule(seed, size)), makeTraffic(traffic)]);
  await drain(site, traffic);
  const ledgers = await readAllLedgers(site, customers, begun);
  for (const { clients } of customers) for (const client of clients) client.close();
  const stored = await readDatabase(site.cluster.url(), seed);
  return { ...stored, ledgers, windows, clients: log.read(seed), company: await site.company.log() };
}

async function openCustomer(
  site: ChaosSite,
  tenant: ChaosSite['tenants'][number],
  { seed, size }: { seed: number; size: ChaosSize },
): Promise<Customer> {
  const { tenantId } = tenant;
  const clients = await logInEverywhere(site, tenant);
  const [client] = clients;
  if (!client) throw new Error('there is no interface');
  const alarms = size.alarms / site.tenants.length;
  const groupIds = await hirePeople(client, site.company, { tenantId, alarms, seed });
  return { tenantId, clients, groupIds };
}

/** Of each tenant, told by whichever interface. */
async function readAllLedgers(
  site: ChaosSite,
  customers: readonly Customer[],
  begun: number,
): Promise<Ledger[]> {
  const ledgers: Ledger[] = [];
  for (const { tenantId, clients } of customers) {
    const client = clients[tenantId % clients.length];
    if (!client) throw new Error('there is no interface');
    ledgers.push(...(await readLedgers(client, { databaseUrl: site.cluster.url(), tenantId, begun })));
  }
  return ledgers;
}

/** The channels of each tenant, once for all runs. */
export async function openChannels(site: ChaosSite): Promise<void> {
  for (const tenant of site.tenants) {
    const [client] = await logInEverywhere(site, tenant);
    if (!client) throw new Error('there is no interface');
    const settings = { url: site.company.url, callbackSecret: site.callbackSecret };
    for (const medium of ['Voice', 'Sms'])
      await create(client, 'channels', { name: medium, kind: 'simulated', medium, settings });
    client.close();
  }
}

/** Until somebody was called for everything; then what nobody has acknowledged is, and all telephones fall silent. */
async function drain(
  site: ChaosSite,
  { seed, log, customers }: Parameters<typeof makeTraffic>[0],
): Promise<void> {
  const database = new pg.Client({ connectionString: site.cluster.url() });
  await database.connect();
  try {
    const count = async (text: string) =>
      Number((await database.query<{ count: string }>(text, [`chaos/${seed}/%`])).rows[0]?.count);
    await until(() => count(uncalled), 'somebody to be called for everything');
    const acknowledge = async ({ tenantId, tagId, path }: OpenAlarm) => {
      const customer = customers.find((one) => one.tenantId === tenantId);
      if (!customer) return;
      const deed = { op: 'acknowledge', key: `${path} at last`, message: '', priority: 0 } as const;
      await insist({ seed, log }, customer, { ...deed, path: `alarms/${tagId}/acknowledge`, body: {} });
    };
    await Promise.all((await openAlarms(database, seed)).map(acknowledge));
    await until(() => count(running), 'all telephones to fall silent').catch(async (error: Error) => {
      const { rows } = await database.query(
        `select d.* from call_attempts d ${ofRun} and d.ended_at is null`,
        [`chaos/${seed}/%`],
      );
      throw new Error(`${error.message}: ${JSON.stringify(rows)}`);
    });
    await sleep(2_500);
  } finally {
    await database.end();
  }
}

const ofRun = 'join tags t on t.tenant_id = d.tenant_id and t.id = d.tag_id where t.path like $1';
const uncalled = `select count(*) from duties d ${ofRun} and d.closed_at is null and not exists (
  select from call_attempts c where c.tenant_id = d.tenant_id and c.duty_id = d.id
    and c.outcome in ('accepted', 'delivered', 'answered', 'acknowledged', 'busy', 'noAnswer', 'refused'))`;
const running = `select count(*) from call_attempts d ${ofRun} and d.ended_at is null`;

type OpenAlarm = { tenantId: number; tagId: number; path: string };

async function openAlarms(database: pg.Client, seed: number): Promise<OpenAlarm[]> {
  const { rows } = await database.query<OpenAlarm>(
    `select t.tenant_id::integer as "tenantId", t.id::integer as "tagId", t.path from tags t
     join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id where t.path like $1 and a.state & 2 = 2`,
    [`chaos/${seed}/%`],
  );
  return rows;
}

async function until(left: () => Promise<number>, what: string): Promise<void> {
  const deadline = performance.now() + drainMs;
  for (;;) {
    const count = await left();
    if (count === 0) return;
    if (performance.now() > deadline) throw new Error(`waited ${drainMs} ms for ${what}: ${count} are left`);
    await sleep(500);
  }
}
