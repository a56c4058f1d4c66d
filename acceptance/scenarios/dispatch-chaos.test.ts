import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openChannels, runChaos } from '../harness/dispatch-chaos/chaos-run.ts';
import { openChaosSite } from '../harness/dispatch-chaos/chaos-site.ts';
import { chaosSize } from '../harness/dispatch-chaos/chaos-size.ts';
import { checkDuties, checkHistory, checkKept, checkRest } from '../harness/dispatch-chaos/check-alarms.ts';
import {
  checkDoubles,
  checkMet,
  checkNoGivingUp,
  checkSilence,
  type DutyStory,
  storiesOf,
} from '../harness/dispatch-chaos/check-calls.ts';
import { ClientLog } from '../harness/dispatch-chaos/client-log.ts';
import type { Evidence } from '../harness/dispatch-chaos/evidence.ts';
import { JournalReader, replay } from '../harness/journal-reader.ts';
import { timesAreJudged } from '../harness/judged-times.ts';
import { connectSql } from '../harness/sql.ts';

const size = chaosSize(process.env);

function faultsOf(evidence: Evidence, stories: readonly DutyStory[]): string[] {
  return [
    ...checkKept(evidence),
    ...checkDuties(evidence),
    ...checkMet(evidence, stories),
    ...checkNoGivingUp(evidence, stories),
    ...checkSilence(evidence, stories),
    ...checkDoubles(evidence),
    ...checkHistory(evidence),
    ...checkRest(evidence),
  ];
}

/** How late first calls were handed over, of alarms that fell due while things were as `isThen` says. */
function lateness(stories: readonly DutyStory[], isThen: (due: number) => boolean): number[] {
  return stories
    .filter(({ duty, asked }) => asked !== undefined && isThen(duty.firstDue))
    .map(({ duty, asked }) => (asked ?? 0) - duty.firstDue)
    .toSorted((one, other) => one - other);
}

const quantile = (values: readonly number[], share: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Of all runs together: nothing is wrong, or a dispatcher is gone and all else is well. */
function timesOf({ windows }: Evidence, stories: readonly DutyStory[]) {
  const inWindow = (due: number, kind: RegExp) =>
    windows.some((window) => kind.test(window.kind) && due > window.from - 1_000 && due < window.to + 1_000);
  return {
    healthy: lateness(stories, (due) => !inWindow(due, /./)),
    dispatcherLost: lateness(
      stories,
      (due) => inWindow(due, /dispatcher/) && !inWindow(due, /database|company/),
    ),
  };
}

test('whatever fails, nobody is forgotten, and nobody is called after somebody has acted', async () => {
  const site = await openChaosSite();
  onTestFinished(() => site.close());
  await openChannels(site);
  const log = new ClientLog(join(await mkdtemp(join(tmpdir(), 'tocsin-chaos-')), 'clients.jsonl'));
  const times = { healthy: [] as number[], dispatcherLost: [] as number[] };
  for (const seed of size.seeds) {
    console.log(`seed ${seed}: ${size.alarms} alarms in ${size.seconds} s`);
    const evidence = await runChaos(site, { seed, size, log });
    const stories = storiesOf(evidence);
    const of = timesOf(evidence, stories);
    times.healthy.push(...of.healthy);
    times.dispatcherLost.push(...of.dispatcherLost);
    const struck = Map.groupBy(evidence.windows, ({ kind }) => kind);
    console.log(
      `seed ${seed}: ${evidence.alarms.length} alarms, ${evidence.attempts.length} attempts, ` +
        `${evidence.attempts.filter(({ outcome }) => outcome === 'unknown').length} unknown, ` +
        `${evidence.attempts.filter(({ lateRace }) => lateRace).length} races; ` +
        [...struck].map(([kind, some]) => `${some.length} × ${kind}`).join(', '),
    );
    expect(faultsOf(evidence, stories), `CHAOS_SEED=${seed}`).toEqual([]);
  }
  await expectReplay(site.cluster.url());

  const [healthy, lost] = [times.healthy, times.dispatcherLost].map((values) =>
    quantile(
      values.toSorted((one, other) => one - other),
      0.99,
    ),
  );
  console.log(
    `first call handed over, p99: ${healthy} ms in health (${times.healthy.length} alarms), ` +
      `${lost} ms with a dispatcher gone (${times.dispatcherLost.length})`,
  );
  if (!timesAreJudged) return;
  expect(healthy).toBeLessThanOrEqual(2_000);
  expect(lost).toBeLessThanOrEqual(20_000);
}, 1_200_000);

/** I11: whoever replays the journal from empty has the present state. */
async function expectReplay(databaseUrl: string): Promise<void> {
  for (const tenantId of [1, 2]) {
    const reader = await JournalReader.open(databaseUrl, tenantId);
    await reader.follow(() => true);
    const replayed = [...replay(reader.rows)].toSorted(([a], [b]) => a - b);
    expect(replayed).toEqual(await statesOf(databaseUrl, tenantId));
  }
}

async function statesOf(databaseUrl: string, tenantId: number): Promise<[number, number][]> {
  const database = await connectSql(databaseUrl);
  const { rows } = await database.query<{ tag: number; state: number }>(
    'select tag_id::integer as tag, state & 3 as state from alarms where tenant_id = $1 order by tag_id',
    [tenantId],
  );
  return rows.map(({ tag, state }) => [tag, state]);
}
