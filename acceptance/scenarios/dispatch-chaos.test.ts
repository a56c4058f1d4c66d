import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openChannels, runChaos } from '../harness/dispatch-chaos/chaos-run.ts';
import { type ChaosSite, openChaosSite } from '../harness/dispatch-chaos/chaos-site.ts';
import { chaosSize } from '../harness/dispatch-chaos/chaos-size.ts';
import { ClientLog } from '../harness/dispatch-chaos/client-log.ts';
import { storiesOf } from '../harness/dispatch-chaos/duty-stories.ts';
import {
  describeFirstCalls,
  type FirstCalls,
  firstCallsOf,
  p99Of,
  promisedMs,
  tellLatest,
} from '../harness/dispatch-chaos/first-calls.ts';
import { describeRun, faultsOf, replayFaults } from '../harness/dispatch-chaos/judge-run.ts';
import { timesAreJudged } from '../harness/judged-times.ts';

const size = chaosSize(process.env);

test('whatever fails, nobody is forgotten, and nobody is called after somebody has acted', async () => {
  const log = new ClientLog(join(await mkdtemp(join(tmpdir(), 'tocsin-chaos-')), 'clients.jsonl'));
  const calls: FirstCalls = { healthy: [], dispatcherLost: [] };
  const faults: string[] = [];
  const left = [...size.seeds];
  /** The next seed, and the next, as long as there are any. */
  const work = async (site: ChaosSite) => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const { found, of } = await oneRun(site, seed, log);
      calls.healthy.push(...of.healthy);
      calls.dispatcherLost.push(...of.dispatcherLost);
      faults.push(...found.map((fault) => `CHAOS_SEED=${seed}: ${fault}`));
    }
    faults.push(...(await replayFaults(site.databaseUrl)));
  };
  const sites: ChaosSite[] = [];
  // One after the other: two that look for free ports at once may find the same.
  for (let plant = 0; plant < size.plants; plant++) sites.push(await openSite());
  await Promise.all(sites.map(work));
  console.log(describeFirstCalls(calls));
  expect(faults).toEqual([]);
  if (!timesAreJudged) return;
  for (const when of ['healthy', 'dispatcherLost'] as const) {
    const { asked, accepted } = p99Of(calls[when]);
    expect(asked, `asked, ${when}`).toBeLessThanOrEqual(promisedMs[when].asked);
    expect(accepted, `accepted, ${when}`).toBeLessThanOrEqual(promisedMs[when].accepted);
  }
}, 1_200_000);

async function openSite(): Promise<ChaosSite> {
  const site = await openChaosSite();
  onTestFinished(() => site.close());
  await openChannels(site);
  return site;
}

/** What is wrong with a run, so that the others still tell what they have to. */
async function oneRun(
  site: ChaosSite,
  seed: number,
  log: ClientLog,
): Promise<{ found: string[]; of: FirstCalls }> {
  console.log(`seed ${seed}: ${size.alarms} alarms in ${size.seconds} s`);
  try {
    const evidence = await runChaos(site, { seed, size, log });
    const stories = storiesOf(evidence);
    const of = firstCallsOf(evidence, stories);
    console.log(`seed ${seed}: ${describeRun(evidence)}`);
    for (const story of tellLatest(evidence, of.healthy))
      console.log(`seed ${seed}, late in health: ${story}`);
    return { found: faultsOf(evidence, stories), of };
  } catch (error) {
    return { found: [String(error)], of: { healthy: [], dispatcherLost: [] } };
  }
}
