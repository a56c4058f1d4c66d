import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startCluster } from '../../tools/postgres-cluster.ts';
import { breakServer } from '../harness/broken-servers/break-server.ts';
import { type Break, breaks } from '../harness/broken-servers/breaks.ts';
import { runDirected } from '../harness/broken-servers/directed-run.ts';
import { createDatabase, makeTemplate } from '../harness/database.ts';
import { openSite } from '../harness/dispatch-chaos/chaos-site.ts';
import { watchSettings } from '../harness/dispatch-chaos/claim-watch.ts';
import { ClientLog } from '../harness/dispatch-chaos/client-log.ts';
import { storiesOf } from '../harness/dispatch-chaos/escalation-stories.ts';
import { faultsOf } from '../harness/dispatch-chaos/judge-run.ts';
import { sampleOf } from '../harness/sample.ts';

/** Runs at the same time; most of the time they wait. */
const sideBySide = 7;
/** Shorter than the usual bounds: so small a plant throttles nobody, and its timeouts are short. */
const bounds = { askedMs: 10_000, askedAgainMs: 10_000, gapMs: 15_000 };
const waitMs = 600_000;
/** Runs of a broken server within which its fault must be found. */
const mostRuns = 3;

let cluster: PostgresCluster;
let folder: string;
beforeAll(async () => {
  cluster = await startCluster({ settings: watchSettings });
  folder = await mkdtemp(join(tmpdir(), 'tocsin-chaos-'));
  await makeTemplate(cluster.url());
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

let running = 0;
const waiting: (() => void)[] = [];

let opened: Promise<unknown> = Promise.resolve();

/** Starts servers one after the other, because concurrent starts are slow. */
function opening<Result>(open: () => Promise<Result>): Promise<Result> {
  const next = opened.then(open, open);
  opened = next;
  return next;
}

/** Waits for a free slot. */
async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= sideBySide) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** The faults that the checker finds in a small run of a broken server. */
async function judge({
  roles = ['api,dispatch'],
  faults = [],
  openSeconds = 12,
  ...how
}: Omit<Break, 'found'>) {
  const database = await createDatabase(cluster.url());
  const site = await opening(() => openSite({ databaseUrl: database.url, roles, ...breakServer(how) }));
  try {
    const log = new ClientLog(join(folder, `${database.url.split('/').at(-1)}.jsonl`));
    const evidence = await runDirected(site, { log, faults, openSeconds });
    return faultsOf(evidence, storiesOf(evidence), bounds).filter((fault) => !fault.startsWith('chaos:'));
  } finally {
    await site.close();
    await database.drop();
  }
}

test.concurrent(
  'an unbroken server passes the same run',
  () =>
    oneAtATime(async () => expect(await judge({ name: 'none', patches: [], openSeconds: 28 })).toEqual([])),
  waitMs,
);

test.concurrent.each(sampleOf(breaks, 5))(
  'the checker finds the fault: $name',
  ({ found, ...how }) =>
    oneAtATime(async () => {
      let faults: string[] = [];
      // Some faults show only if a server is stopped at the right moment, which a busy machine can miss.
      for (let run = 1; run <= mostRuns && !faults.some((fault) => found.test(fault)); run += 1) {
        faults = await judge(how);
        const one = faults.find((fault) => found.test(fault)) ?? faults[0];
        console.log(`${how.name}, run ${run}: ${faults.length} faults, such as ${one}`);
      }
      expect(faults).toContainEqual(expect.stringMatching(found));
    }),
  waitMs,
);
