import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openChannels, runChaos } from '../harness/dispatch-chaos/chaos-run.ts';
import { type ChaosSite, openChaosSite } from '../harness/dispatch-chaos/chaos-site.ts';
import { chaosSize } from '../harness/dispatch-chaos/chaos-size.ts';
import { ClientLog } from '../harness/dispatch-chaos/client-log.ts';
import { storiesOf } from '../harness/dispatch-chaos/escalation-stories.ts';
import {
  describeFirstCalls,
  describeLatest,
  type FirstCalls,
  firstCallsOf,
  limitMs,
  p99Of,
} from '../harness/dispatch-chaos/first-calls.ts';
import { describeRun, faultsOf, replayFaults } from '../harness/dispatch-chaos/judge-run.ts';
import { timesAreJudged } from '../harness/judged-times.ts';

const size = chaosSize(process.env);

test('under all faults every escalation calls, and nobody is called after an acknowledgment', async () => {
  const log = new ClientLog(join(await mkdtemp(join(tmpdir(), 'tocsin-chaos-')), 'clients.jsonl'));
  const calls: FirstCalls = { healthy: [], dispatcherLost: [] };
  const faults: string[] = [];
  const left = [...size.seeds];
  /** Runs the remaining seeds one after the other. */
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
  // One after the other, because concurrent starts may choose the same free port.
  for (let plant = 0; plant < size.plants; plant++) sites.push(await openSite());
  await Promise.all(sites.map(work));
  console.log(describeFirstCalls(calls));
  expect(faults).toEqual([]);
  if (!timesAreJudged) return;
  for (const when of ['healthy', 'dispatcherLost'] as const) {
    const { asked, accepted } = p99Of(calls[when]);
    expect(asked, `asked, ${when}`).toBeLessThanOrEqual(limitMs[when].asked);
    expect(accepted, `accepted, ${when}`).toBeLessThanOrEqual(limitMs[when].accepted);
  }
}, 1_200_000);

async function openSite(): Promise<ChaosSite> {
  const site = await openChaosSite();
  onTestFinished(() => site.close());
  await openChannels(site);
  return site;
}

/** The faults of a run; an error counts as one, so that the other runs go on. */
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
    for (const story of describeLatest(evidence, of.healthy))
      console.log(`seed ${seed}, late without a fault: ${story}`);
    return { found: faultsOf(evidence, stories), of };
  } catch (error) {
    return { found: [String(error)], of: { healthy: [], dispatcherLost: [] } };
  }
}
