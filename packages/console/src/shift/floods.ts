import { floodRule } from '../flood/flood-rule.ts';

const { windowMs, most, few } = floodRule;

export type FloodSpan = { readonly from: number; readonly to: number; readonly alarms: number };

/** How many of the ascending times are in the ten minutes that end with the one at an index. */
function inWindow(times: readonly number[], index: number): number {
  const end = times[index] ?? 0;
  let count = 0;
  while ((times[index - count] ?? Number.NEGATIVE_INFINITY) > end - windowMs) count += 1;
  return count;
}

/** The floods among some raises, in any order. A flood begins with the first alarm of its ten minutes. */
export function floodsOf(raises: readonly number[]): readonly FloodSpan[] {
  const times = raises.toSorted((a, b) => a - b);
  const floods: { first: number; last: number }[] = [];
  let open = false;
  for (const index of times.keys()) {
    const count = inWindow(times, index);
    const latest = floods.at(-1);
    if (open && latest && count >= few) latest.last = index;
    else open = false;
    if (!open && count > most) {
      floods.push({ first: index - count + 1, last: index });
      open = true;
    }
  }
  return floods.map(({ first, last }) => ({
    from: times[first] ?? 0,
    to: times[last] ?? 0,
    alarms: last - first + 1,
  }));
}
