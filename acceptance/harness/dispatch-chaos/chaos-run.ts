import { create } from '../plant.ts';
import type { CallPolicy } from './call-policy.ts';
import { anyPhones, hirePeople, type Staff } from './chaos-people.ts';
import { type ChaosSite, logInEverywhere } from './chaos-site.ts';
import type { ChaosSize } from './chaos-size.ts';
import { type Customer, makeTraffic } from './chaos-traffic.ts';
import type { ClientLog } from './client-log.ts';
import { drain } from './drain.ts';
import { type Evidence, readDatabase } from './evidence.ts';
import { faultSchedule } from './fault-schedule.ts';
import { type Ledger, readLedgers } from './ledger.ts';
import { unleash, type Window } from './nemesis.ts';

/** One run: people, traffic and faults, then quiet, then all that is known of it. */
export async function runChaos(
  site: ChaosSite,
  { seed, size, log }: { seed: number; size: ChaosSize; log: ClientLog },
): Promise<Evidence> {
  const begun = Date.now();
  const alarms = size.alarms / site.tenants.length;
  const handOver = handOverAt(begun, size.seconds);
  const customers = await Promise.all(
    site.tenants.map((tenant) =>
      openCustomer(site, tenant, { tenantId: tenant.tenantId, alarms, seed, handOver, phones: anyPhones }),
    ),
  );
  const traffic = { seed, size, customers, log };
  const [windows] = await Promise.all([unleash(site, faultSchedule(seed, size)), makeTraffic(traffic)]);
  await drain(site, traffic);
  return gatherEvidence(site, { seed, log, customers, windows, begun });
}

export type RunRecord = {
  seed: number;
  log: ClientLog;
  customers: readonly Customer[];
  windows: Window[];
  /** When the run began. Epoch milliseconds. */
  begun: number;
};

/** All that is known of a run; nobody may act any more. */
export async function gatherEvidence(
  site: ChaosSite,
  { seed, log, customers, windows, begun }: RunRecord,
): Promise<Evidence> {
  const ledgers = await readAllLedgers(site, customers, begun);
  for (const { clients } of customers) for (const client of clients) client.close();
  const stored = await readDatabase(site.databaseUrl, seed);
  const company = [...(await site.companies.Voice.log()), ...(await site.companies.Sms.log())];
  return { ...stored, ledgers, windows, clients: log.read(seed), company, policy: policyOf(customers) };
}

function policyOf(customers: readonly Customer[]): CallPolicy {
  return {
    groups: customers.flatMap(({ groups }) => groups),
    fallbackIds: new Map(customers.map(({ tenantId, groups }) => [tenantId, groups.at(-1)?.id ?? 0])),
    numbers: new Map(
      customers.flatMap(({ tenantId, numbers }) =>
        [...numbers].map(([userId, number]) => [`${tenantId} ${userId}`, number] as const),
      ),
    ),
  };
}

/** Whole seconds, as rosters have them. */
export function handOverAt(begun: number, seconds: number): number {
  return Math.ceil(begun / 1_000 + seconds) * 1_000;
}

export async function openCustomer(
  site: ChaosSite,
  tenant: ChaosSite['tenants'][number],
  staff: Staff,
): Promise<Customer> {
  const clients = await logInEverywhere(site, tenant);
  const [client] = clients;
  if (!client) throw new Error('there is no interface');
  const hired = await hirePeople(client, site.companies, staff);
  return { tenantId: tenant.tenantId, clients, ...hired };
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
    ledgers.push(...(await readLedgers(client, { databaseUrl: site.databaseUrl, tenantId, begun })));
  }
  return ledgers;
}

/** The channels of each tenant, once for all runs. */
export async function openChannels(site: ChaosSite): Promise<void> {
  for (const tenant of site.tenants) {
    const [client] = await logInEverywhere(site, tenant);
    if (!client) throw new Error('there is no interface');
    for (const [medium, { url }] of Object.entries(site.companies)) {
      const settings = { url, callbackSecret: site.callbackSecret };
      await create(client, 'channels', { name: medium, kind: 'simulated', medium, settings });
    }
    client.close();
  }
}
