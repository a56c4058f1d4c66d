import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Phones } from '../dispatch-chaos/chaos-people.ts';
import { gatherEvidence, handOverAt, openChannels, openCustomer } from '../dispatch-chaos/chaos-run.ts';
import type { ChaosSite } from '../dispatch-chaos/chaos-site.ts';
import type { ChaosSize } from '../dispatch-chaos/chaos-size.ts';
import { type Life, liveThrough } from '../dispatch-chaos/chaos-traffic.ts';
import type { ClientLog } from '../dispatch-chaos/client-log.ts';
import { acknowledgeAll } from '../dispatch-chaos/drain.ts';
import type { Evidence } from '../dispatch-chaos/evidence.ts';
import type { Fault } from '../dispatch-chaos/fault-schedule.ts';
import { unleash } from '../dispatch-chaos/nemesis.ts';

/**
 * Of the nine groups that are made: the phones of 0 ring for ever, those of 1 do not know the code, and all others are
 * busy. Of 2 one team is on duty, of 3 and 5 nobody is; 1 is relieved by 0, 5 by 4 and 7 by 6; 8 is that of last resort.
 */
const lives: readonly [number, Life['fate']][] = [
  [0, 'taken'],
  [0, 'reset'],
  [1, 'nothing'],
  [2, 'nothing'],
  [3, 'nothing'],
  [0, 'masked'],
  [4, 'taken'],
  [5, 'nothing'],
  [0, 'masked shortly'],
  [6, 'taken'],
  [7, 'repeated'],
  [8, 'mended'],
];

const size: ChaosSize = {
  seeds: [],
  plants: 1,
  alarms: lives.length,
  seconds: 2,
  actSeconds: 2,
  outageSeconds: 0,
  maskSeconds: 8,
};
const seed = 1;
const actMs = 2_000;
/** How long is looked at what happens after everything was acknowledged. */
const afterSeconds = 9;

/** A small run in which nothing is left to chance: each alarm has its fate, and nobody ever answers. */
export async function runDirected(
  site: ChaosSite,
  { log, faults, openSeconds }: { log: ClientLog; faults: readonly Fault[]; openSeconds: number },
): Promise<Evidence> {
  const begun = Date.now();
  await openChannels(site);
  const [tenant] = site.tenants;
  if (!tenant) throw new Error('there is no tenant');
  const staff = { tenantId: tenant.tenantId, alarms: 0, seed, handOver: handOverAt(begun, 3_600) };
  const customer = await openCustomer(site, tenant, { ...staff, phones: deafPhones, isEven: true });
  const traffic = { seed, size, log, customers: [customer] };
  const raise = async ([group, fate]: (typeof lives)[number], number: number) => {
    await sleep((number * size.seconds * 1_000) / lives.length);
    const groupId = customer.groups[group]?.id ?? 0;
    const life = { number, fate, afterMs: actMs, priority: 1, groupId, delay: 0 };
    await liveThrough({ ...traffic, isTwice: true }, customer, life);
  };
  const [windows] = await Promise.all([
    unleash(site, faults),
    sleep(openSeconds * 1_000),
    ...lives.map(raise),
  ]);
  await endAll(site, traffic);
  return gatherEvidence(site, { seed, log, customers: [customer], windows, begun });
}

async function endAll(
  { databaseUrl }: ChaosSite,
  traffic: Parameters<typeof acknowledgeAll>[1],
): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await acknowledgeAll(database, traffic);
    await sleep(afterSeconds * 1_000);
  } finally {
    await database.end();
  }
}

/** Nobody ever gives the code. */
function deafPhones(_: (sides: number) => number, group: number): Phones {
  const Sms = [{ kind: 'accepts' as const }];
  if (group === 0) return { Voice: [{ kind: 'accepts' }], Sms };
  if (group === 1) return { Voice: [{ kind: 'answers', press: '000000' }], Sms };
  return { Voice: [{ kind: 'busy' }], Sms };
}
