import { seededRandom } from './http/alarm-traffic.ts';

/**
 * A sample of similar cases, in their order, for the run of each change: `SAMPLE_SEED` chooses it, so that another change
 * tries others and the same one repeats its own. All cases without it, as in the nightly run.
 */
export function sampleOf<Case>(
  cases: readonly Case[],
  count: number,
  seed: string | undefined = process.env['SAMPLE_SEED'],
): readonly Case[] {
  if (seed === undefined) return cases;
  const random = seededRandom(Number(seed));
  const left = cases.map((_, place) => place);
  const chosen = new Set<number>();
  while (chosen.size < count && left.length > 0)
    for (const place of left.splice(random(left.length), 1)) chosen.add(place);
  return cases.filter((_, place) => chosen.has(place));
}
