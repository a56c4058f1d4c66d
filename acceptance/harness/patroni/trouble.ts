import { setTimeout as sleep } from 'node:timers/promises';
import { timesAreJudged } from '../judged-times.ts';
import { connectSql } from '../sql.ts';
import { journalFaults } from './check-journal.ts';
import { type FailoverSite, openEscalations } from './failover-site.ts';
import { longestPause, startGateways, type Traffic, type TrafficRecord } from './gateways.ts';
import type { Roles } from './patroni-cluster.ts';
import { isRunning } from './process-family.ts';

/** What happens to the cluster while alarms arrive. */
export type Trouble = {
  /** Begins the marks of the alarms, and the printed line. */
  name: string;
  /** Makes the trouble; returns when its end is due. */
  begin(roles: Roles, traffic: Traffic): Promise<void>;
  /** Brings back what was lost, after the judgement of the pause. */
  repair?(roles: Roles): Promise<void>;
  /** The longest allowed time without a 200. */
  maxPauseSeconds: number;
};

const perSecond = 300;
const gateways = 60;
/** So long 200s must have arrived without a pause before the trouble counts as survived. */
const steadyMs = 4_000;
const giveUpMs = 60_000;

/** Runs the trouble under load, prints its figures, and returns the promises that were broken. */
export async function survive(site: FailoverSite, trouble: Trouble): Promise<string[]> {
  const roles = await site.cluster.untilWhole();
  const { name, maxPauseSeconds } = trouble;
  const traffic = startGateways({ name, perSecond, gateways, clients: site.clients });
  await sleep(3_000);
  const from = performance.now();
  await trouble.begin(roles, traffic);
  await untilSteady(traffic);
  const to = performance.now();
  const backAt = Date.now();
  const record = await traffic.stop();
  const pause = longestPause(record.takenAt, from, to);
  await trouble.repair?.(roles);
  const calledAgain = await untilCalled(site, backAt);
  await site.cluster.untilWhole();

  console.log(
    `${name}: ${record.taken.length} alarms answered 200; longest time without a 200 ${pause.toFixed(1)} s ` +
      `(at most ${maxPauseSeconds} s); answers ${describe(record)}; slowest ${Math.round(record.slowestMs)} ms; ` +
      `all ${openEscalations} escalations called again within ${calledAgain.toFixed(0)} s`,
  );
  const sql = await connectSql(site.cluster.url);
  const strange = [...record.answers.keys()].filter((answer) => !/^(200$|429 |503 )/.test(answer));
  const isLate = timesAreJudged && pause > maxPauseSeconds;
  return [
    ...(await journalFaults(sql, name, record.taken)),
    ...strange.map((answer) => `answered ${answer}`),
    ...site.servers.flatMap(({ pid }) => (isRunning(pid) ? [] : `the server ${pid} has ended`)),
    ...(isLate ? [`no 200 for ${pause.toFixed(1)} s, at most ${maxPauseSeconds} s are allowed`] : []),
  ];
}

/** Waits until every open escalation has called again since then; returns the seconds. */
async function untilCalled(site: FailoverSite, backAt: number): Promise<number> {
  while (site.calledSince(backAt) < openEscalations) {
    if (Date.now() - backAt > giveUpMs)
      throw new Error(`only ${site.calledSince(backAt)} of ${openEscalations} escalations call again`);
    await sleep(100);
  }
  return (Date.now() - backAt) / 1_000;
}

function describe({ answers }: TrafficRecord): string {
  return [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', ');
}

/** Waits until 200s have arrived for a while without a pause of a second. */
export async function untilSteady({ takenAt }: Traffic): Promise<void> {
  const since = performance.now();
  for (;;) {
    await sleep(200);
    const now = performance.now();
    if (now - since >= steadyMs && longestPause(takenAt, now - steadyMs, now) < 1) return;
    if (now - since > giveUpMs) throw new Error('alarms are not accepted again after a minute');
  }
}
