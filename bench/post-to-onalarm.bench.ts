import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../acceptance/harness/database.ts';
import { HttpClient } from '../acceptance/harness/http/http-client.ts';
import { firstAdmin, startServer } from '../acceptance/harness/server.ts';
import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import { alarmBody } from './harness/bodies.ts';
import { ClientPool } from './harness/client-pool.ts';
import { cpuSeconds, postgresCpuSeconds, postmasterOf } from './harness/cpu-time.ts';
import type { Figure } from './harness/figure.ts';
import { type HubProcess, startProcess } from './harness/hub/hub-process.ts';
import type { SubscribersReport } from './harness/hub/subscribers.ts';
import { postBytes, type Reply } from './harness/lean-client.ts';
import { startFlushingCluster } from './harness/plant.ts';
import { quantile, sorted } from './harness/quantile.ts';

type Size = {
  subscribers: number;
  timed: number;
  perSecond: number;
  seconds: number;
  rounds: number;
  warmUpSeconds: number;
};

async function run(context: BenchContext): Promise<Figure[]> {
  const size: Size = context.smoke
    ? { subscribers: 20, timed: 5, perSecond: 50, seconds: 2, rounds: 1, warmUpSeconds: 1 }
    : { subscribers: 1_000, timed: 50, perSecond: 500, seconds: 10, rounds: 5, warmUpSeconds: 20 };
  const database = await createDatabase(await startFlushingCluster(context));
  const environment = { DRAIN_MS: '0', HUB_CONNECTIONS_PER_CALLER: '20000' };
  const server = await startServer({ databaseUrl: database.url, environment });
  context.onCleanup(() => server.stop());
  const admin = new HttpClient(server.baseUrl);
  await admin.logIn(firstAdmin.username, firstAdmin.password);
  admin.close();
  const token = admin.token ?? '';
  const port = Number(new URL(server.baseUrl).port);

  const crowd = startProcess(new URL('./harness/hub/subscribers-worker.ts', import.meta.url));
  context.onCleanup(() => crowd.stop());
  context.progress(`opening ${size.subscribers} subscribers`);
  await crowd.ask({ kind: 'open', port, token, subscribers: size.subscribers, timed: size.timed });
  const pool = await ClientPool.open(port, 64);
  context.onCleanup(async () => pool.close());
  const postmaster = await postmasterOf(database.url);
  const spent = async (): Promise<Spent> => ({
    server: await cpuSeconds(server.pid),
    subscribers: await cpuSeconds(crowd.pid),
    PostgreSQL: await postgresCpuSeconds(postmaster),
    posting: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  });
  return measure(context, size, { crowd, pool, token, spent });
}

/** CPU seconds of each process. */
type Spent = Record<'server' | 'subscribers' | 'PostgreSQL' | 'posting', number>;

type RoundReport = SubscribersReport & { answerP50: number; answerP99: number };

async function measure(
  context: BenchContext,
  { subscribers, timed, perSecond, seconds, rounds, warmUpSeconds }: Size,
  {
    crowd,
    pool,
    token,
    spent,
  }: { crowd: HubProcess; pool: ClientPool; token: string; spent: () => Promise<Spent> },
): Promise<Figure[]> {
  const reports: RoundReport[] = [];
  let posted = 0;
  // The first round warms up (some 20 s of compilation); it is printed and not judged.
  for (let round = 0; round <= rounds; round++) {
    await crowd.ask({ kind: 'reset' });
    const before = await spent();
    const start = performance.now();
    const answers = await post(pool, token, {
      first: posted,
      perSecond,
      seconds: round === 0 ? warmUpSeconds : seconds,
    });
    const answered = answers.length;
    posted += answered;
    const report = await untilDelivered(crowd, answered * timed);
    if (round > 0)
      reports.push({ ...report, answerP50: quantile(answers, 0.5), answerP99: quantile(answers, 0.99) });
    const shares = sharesOf(before, await spent(), (performance.now() - start) / 1_000);
    context.progress(`${answered} alarms, p50 ${report.p50} ms, p99 ${report.p99} ms; cores: ${shares}`);
  }
  const last = reports.at(-1);
  if (!last) throw new Error('nothing was measured');
  const { faults, lowest, highest, minBytes, maxBytes } = last;
  if (faults.length > 0) throw new Error(`not every subscriber had every alarm once: ${faults.join('; ')}`);
  if (minBytes !== maxBytes) throw new Error(`some have ${minBytes} bytes, others ${maxBytes}`);
  if (lowest !== posted || highest !== posted) throw new Error(`${posted} were raised, ${lowest} arrived`);
  return figuresOf(
    reports,
    `${subscribers} subscribers, ${timed} of them timed, ${perSecond} alarms/s`,
    posted,
  );
}

function figuresOf(reports: readonly RoundReport[], size: string, posted: number): Figure[] {
  const ofMiddle = (read: (report: RoundReport) => number) => median(reports.map(read));
  const p99 = ofMiddle((report) => report.p99);
  const p50 = ofMiddle((report) => report.p50);
  const answerP50 = ofMiddle((report) => report.answerP50);
  const answerP99 = ofMiddle((report) => report.answerP99);
  const note = `median of ${reports.map((report) => report.p99).join(', ')}; ${size}`;
  return [
    { name: 'POST to onAlarm, p99', value: p99, unit: 'ms', goal: { atMost: 60 }, note },
    { name: 'POST to onAlarm, p50', value: p50, unit: 'ms' },
    { name: 'POST to its answer, p50', value: answerP50, unit: 'ms' },
    { name: 'POST to its answer, p99', value: answerP99, unit: 'ms' },
    { name: 'alarms in order and once, at every subscriber', value: posted, unit: 'alarms' },
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** How much of a core each took. */
function sharesOf(before: Spent, after: Spent, seconds: number): string {
  const names = Object.keys(after) as (keyof Spent)[];
  return names.map((name) => `${name} ${((after[name] - before[name]) / seconds).toFixed(2)}`).join(', ');
}

/** New tags at a steady rate, whether or not answers keep up; gives the milliseconds to each answer, in rising order. */
async function post(
  pool: ClientPool,
  token: string,
  { first, perSecond, seconds }: { first: number; perSecond: number; seconds: number },
): Promise<Float64Array> {
  const start = performance.now();
  const replies: Promise<Reply>[] = [];
  while (replies.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - start) / 1_000) * perSecond));
    while (replies.length < due) {
      const tag = first + replies.length + 1;
      // The sending time in tenths of a millisecond, from which subscribers compute the delay.
      const value = String(Math.round((performance.timeOrigin + performance.now()) * 10));
      replies.push(
        pool.send(postBytes('/api/v1/alarms', token, { ...alarmBody(tag, 1), alarmActions: [], value })),
      );
    }
    await sleep(1);
  }
  const answers = await Promise.all(replies);
  const refused = answers.filter(({ status }) => status !== 200);
  if (refused.length > 0) throw new Error(`${refused.length} alarms were refused`);
  return sorted(answers.map(({ milliseconds }) => milliseconds));
}

async function untilDelivered(crowd: HubProcess, wanted: number): Promise<SubscribersReport> {
  for (let tries = 0; tries < 600; tries++) {
    const report = await crowd.ask<SubscribersReport>({ kind: 'report' });
    const isWhole = report.delivered >= wanted && report.minBytes === report.maxBytes;
    if (isWhole || report.faults.length > 0) return report;
    await sleep(100);
  }
  throw new Error('not all alarms arrived within a minute');
}

export const benchmark: Benchmark = {
  name: 'post-to-onalarm',
  title: 'From POST /alarms to onAlarm at every subscriber',
  run,
};
