import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Phones } from '../dispatch-chaos/chaos-people.ts';
import { gatherEvidence, handOverAt, openChannels, openTenant } from '../dispatch-chaos/chaos-run.ts';
import type { ChaosSite } from '../dispatch-chaos/chaos-site.ts';
import type { ChaosSize } from '../dispatch-chaos/chaos-size.ts';
import { type AlarmScript, playAlarm } from '../dispatch-chaos/chaos-traffic.ts';
import type { ClientLog } from '../dispatch-chaos/client-log.ts';
import { acknowledgeAll } from '../dispatch-chaos/drain.ts';
import type { Evidence } from '../dispatch-chaos/evidence.ts';
import type { Fault } from '../dispatch-chaos/fault-schedule.ts';
import { injectFaults } from '../dispatch-chaos/inject-faults.ts';

/**
 * Groups and actions of the alarms. There are nine groups: the phones of 0 ring for ever, those of 1 press a wrong code, all
 * others are busy. In 2 one team is on duty, in 3 and 5 nobody; 0 relieves 1, 4 relieves 5, 6 relieves 7; 8 is the fallback.
 */
const scripts: readonly [number, AlarmScript['followUp']][] = [
  [0, 'acknowledged'],
  [0, 'reset'],
  [1, 'nothing'],
  [2, 'nothing'],
  [3, 'nothing'],
  [0, 'masked'],
  [4, 'acknowledged'],
  [5, 'nothing'],
  [0, 'masked briefly'],
  [6, 'acknowledged'],
  [7, 'repeated'],
  [8, 'acknowledged and reset'],
];

const size: ChaosSize = {
  seeds: [],
  plants: 1,
  alarms: scripts.length,
  seconds: 2,
  actSeconds: 2,
  outageSeconds: 0,
  maskSeconds: 8,
};
const seed = 1;
const actMs = 2_000;
/** Observed time after everything was acknowledged. */
const afterSeconds = 9;

/** A small deterministic run: each alarm has its script, and nobody answers a call. */
export async function runDirected(
  site: ChaosSite,
  { log, faults, openSeconds }: { log: ClientLog; faults: readonly Fault[]; openSeconds: number },
): Promise<Evidence> {
  const begun = Date.now();
  await openChannels(site);
  const [login] = site.tenants;
  if (!login) throw new Error('there is no tenant');
  const staff = { tenantId: login.tenantId, alarms: 0, seed, handOver: handOverAt(begun, 3_600) };
  const tenant = await openTenant(site, login, { ...staff, phones: phonesWithoutCode, isEven: true });
  const traffic = { seed, size, log, tenants: [tenant] };
  const raise = async ([group, followUp]: (typeof scripts)[number], number: number) => {
    await sleep((number * size.seconds * 1_000) / scripts.length);
    const groupId = tenant.groups[group]?.id ?? 0;
    const script = { number, followUp, afterMs: actMs, priority: 1, groupId, delay: 0 };
    await playAlarm({ ...traffic, isTwice: true }, tenant, script);
  };
  const [windows] = await Promise.all([
    injectFaults(site, faults),
    sleep(openSeconds * 1_000),
    ...scripts.map(raise),
  ]);
  await endAll(site, traffic);
  return gatherEvidence(site, { seed, log, tenants: [tenant], windows, begun });
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

/** No phone gives the right code. */
function phonesWithoutCode(_: (below: number) => number, group: number): Phones {
  const Sms = [{ kind: 'accepts' as const }];
  if (group === 0) return { Voice: [{ kind: 'accepts' }], Sms };
  if (group === 1) return { Voice: [{ kind: 'answers', press: '000000' }], Sms };
  return { Voice: [{ kind: 'busy' }], Sms };
}
