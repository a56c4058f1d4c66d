import { create } from '../plant.ts';
import type { CallPolicy } from './call-policy.ts';
import { anyPhones, createPeople, type Staff } from './chaos-people.ts';
import { type ChaosSite, logInEverywhere } from './chaos-site.ts';
import type { ChaosSize } from './chaos-size.ts';
import { type ChaosTenant, makeTraffic } from './chaos-traffic.ts';
import type { ClientLog } from './client-log.ts';
import { drain } from './drain.ts';
import { type Evidence, readDatabase } from './evidence.ts';
import { faultSchedule } from './fault-schedule.ts';
import { type HistoryReport, readHistoryReports } from './history-report.ts';
import { type FaultWindow, injectFaults } from './inject-faults.ts';

/** One run: creates users, makes traffic and injects faults, waits until calling has ended, and collects the evidence. */
export async function runChaos(
  site: ChaosSite,
  { seed, size, log }: { seed: number; size: ChaosSize; log: ClientLog },
): Promise<Evidence> {
  const begun = Date.now();
  const alarms = size.alarms / site.tenants.length;
  const handOver = handOverAt(begun, size.seconds);
  const tenants = await Promise.all(
    site.tenants.map((tenant) =>
      openTenant(site, tenant, { tenantId: tenant.tenantId, alarms, seed, handOver, phones: anyPhones }),
    ),
  );
  const traffic = { seed, size, tenants, log };
  const [windows] = await Promise.all([injectFaults(site, faultSchedule(seed, size)), makeTraffic(traffic)]);
  await drain(site, traffic);
  return gatherEvidence(site, { seed, log, tenants, windows, begun });
}

export type RunRecord = {
  seed: number;
  log: ClientLog;
  tenants: readonly ChaosTenant[];
  windows: FaultWindow[];
  /** Start of the run. Epoch milliseconds. */
  begun: number;
};

/** Collects the evidence of a run that has ended. */
export async function gatherEvidence(
  site: ChaosSite,
  { seed, log, tenants, windows, begun }: RunRecord,
): Promise<Evidence> {
  const historyReports = await readAllHistoryReports(site, tenants, begun);
  for (const { clients } of tenants) for (const client of clients) client.close();
  const stored = await readDatabase(site.databaseUrl, seed);
  const company = [...(await site.companies.Voice.log()), ...(await site.companies.Sms.log())];
  return { ...stored, historyReports, windows, clients: log.read(seed), company, policy: policyOf(tenants) };
}

function policyOf(tenants: readonly ChaosTenant[]): CallPolicy {
  return {
    groups: tenants.flatMap(({ groups }) => groups),
    fallbackIds: new Map(tenants.map(({ tenantId, groups }) => [tenantId, groups.at(-1)?.id ?? 0])),
    numbers: new Map(
      tenants.flatMap(({ tenantId, numbers }) =>
        [...numbers].map(([userId, number]) => [`${tenantId} ${userId}`, number] as const),
      ),
    ),
  };
}

/** Rounded up to whole seconds, because rosters have no fractions. */
export function handOverAt(begun: number, seconds: number): number {
  return Math.ceil(begun / 1_000 + seconds) * 1_000;
}

export async function openTenant(
  site: ChaosSite,
  tenant: ChaosSite['tenants'][number],
  staff: Staff,
): Promise<ChaosTenant> {
  const clients = await logInEverywhere(site, tenant);
  const [client] = clients;
  if (!client) throw new Error('no API server');
  const people = await createPeople(client, site.companies, staff);
  return { tenantId: tenant.tenantId, clients, ...people };
}

/** Reads the reports of each tenant from one of the API servers. */
async function readAllHistoryReports(
  site: ChaosSite,
  tenants: readonly ChaosTenant[],
  begun: number,
): Promise<HistoryReport[]> {
  const historyReports: HistoryReport[] = [];
  for (const { tenantId, clients } of tenants) {
    const client = clients[tenantId % clients.length];
    if (!client) throw new Error('no API server');
    historyReports.push(
      ...(await readHistoryReports(client, { databaseUrl: site.databaseUrl, tenantId, begun })),
    );
  }
  return historyReports;
}

/** Creates the channels of each tenant, once for all runs. */
export async function openChannels(site: ChaosSite): Promise<void> {
  for (const tenant of site.tenants) {
    const [client] = await logInEverywhere(site, tenant);
    if (!client) throw new Error('no API server');
    for (const [medium, { url }] of Object.entries(site.companies)) {
      const settings = { url, callbackSecret: site.callbackSecret };
      await create(client, 'channels', { name: medium, kind: 'simulated', medium, settings });
    }
    client.close();
  }
}
