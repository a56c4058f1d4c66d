import type { Benchmark } from './harness/benchmark.ts';
import type { BodyKind } from './harness/bodies.ts';
import type { Figure } from './harness/figure.ts';
import { type BenchPlant, startFlushingCluster, startPlant } from './harness/plant.ts';
import { checkSums, discardSums } from './harness/sql/discard-sums.ts';

type Size = { clients: number; seconds: number; knownTags: number };
/** Alarms a second. */
type Pair = { kept: number; discarded: number };

const events: { body: BodyKind; name: string } = { body: 'event', name: 'events, each an occurrence' };
const alarms: typeof events = { body: 'alarm', name: 'alarms, most of them repeats of active ones' };

/** Cost of the sums that make histories fast to read. */
export const benchmark: Benchmark = {
  name: 'roll-ups',
  title: 'durable alarms a second with the sums of histories kept, against the same without them',
  run: async (context) => {
    const size: Size = context.smoke
      ? { clients: 16, seconds: 1, knownTags: 100 }
      : { clients: 128, seconds: 8, knownTags: 5_000 };
    const rounds = context.smoke ? 1 : 3;
    const clusterUrl = await startFlushingCluster(context);
    const [kept, discarded] = await Promise.all([
      startPlant(context, { ...size, clusterUrl }),
      startPlant(context, { ...size, clusterUrl, prepare: discardSums }),
    ]);
    const figures: Figure[] = [];
    for (const { body, name } of context.smoke ? [events] : [events, alarms]) {
      context.progress(`${name}: the known ones first`);
      for (const plant of [kept, discarded]) await plant.load({ ...size, body });
      const pairs: Pair[] = [];
      for (let round = 1; round <= rounds; round++) {
        const pair = await measurePair([kept, discarded], { ...size, body }, round);
        pairs.push(pair);
        context.progress(
          `round ${round} of ${rounds}: with sums ${Math.round(pair.kept)}/s, without ${Math.round(pair.discarded)}/s`,
        );
      }
      figures.push(ratioOf(name, pairs));
    }
    await checkSums(kept.databaseUrl, true);
    await checkSums(discarded.databaseUrl, false);
    return figures;
  },
};

/** Alternates the order of both sides. */
async function measurePair(
  [kept, discarded]: [BenchPlant, BenchPlant],
  load: Size & { body: BodyKind },
  round: number,
): Promise<Pair> {
  const rateOf = async (plant: BenchPlant) => (await plant.load(load)).perSecond;
  if (round % 2 === 1) return { kept: await rateOf(kept), discarded: await rateOf(discarded) };
  const first = await rateOf(discarded);
  return { kept: await rateOf(kept), discarded: first };
}

function ratioOf(name: string, pairs: readonly Pair[]): Figure {
  const kept = Math.max(...pairs.map((pair) => pair.kept));
  const discarded = Math.max(...pairs.map((pair) => pair.discarded));
  return {
    name: `with sums ÷ without: ${name}`,
    value: kept / discarded,
    unit: '×',
    goal: { atLeast: 0.8 },
    note: `best of ${pairs.length}: ${Math.round(kept)}/s against ${Math.round(discarded)}/s`,
  };
}
