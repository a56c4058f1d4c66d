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
import { storiesOf } from '../harness/dispatch-chaos/duty-stories.ts';
import { faultsOf } from '../harness/dispatch-chaos/judge-run.ts';

/** Those that run at a time: most of the time they wait. */
const sideBySide = 7;
/** Nobody is spared in so small a plant, and the times to acknowledge are short. */
const bounds = { askedMs: 10_000, askedAgainMs: 10_000, gapMs: 15_000 };
const waitMs = 600_000;

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

/** One after the other: servers that start at the same time are slow to. */
function opening<Result>(open: () => Promise<Result>): Promise<Result> {
  const next = opened.then(open, open);
  opened = next;
  return next;
}

/** When it is its turn. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= sideBySide) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** What the checker says of a small run with the server broken like that. */
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
  'a server that is whole stands the same run',
  () => inTurn(async () => expect(await judge({ name: 'none', patches: [], openSeconds: 28 })).toEqual([])),
  waitMs,
);

test.concurrent.each(breaks)(
  'it is found that $name',
  ({ found, ...how }) =>
    inTurn(async () => {
      const faults = await judge(how);
      console.log(
        `${how.name}: ${faults.length} faults, such as ${faults.find((fault) => found.test(fault)) ?? faults[0]}`,
      );
      expect(faults).toContainEqual(expect.stringMatching(found));
    }),
  waitMs,
);
