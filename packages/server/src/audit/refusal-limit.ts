import { createRecentlyUsed } from '../recently-used.ts';

/** Lets one refusal of a kind through a minute, with the number of those since the one before; undefined for the others. */
export type RefusalLimit = (kind: string) => { repeated: number } | undefined;

const minuteMs = 60_000;
const mostKinds = 20_000;

/** Whoever is refused again and again must not be able to fill the disk. */
export function createRefusalLimit(nowMs: () => number = () => performance.now()): RefusalLimit {
  const known = createRecentlyUsed<string, { sinceMs: number; repeated: number }>(mostKinds);
  return (kind) => {
    const last = known.get(kind);
    if (last && nowMs() - last.sinceMs < minuteMs) {
      last.repeated += 1;
      return undefined;
    }
    known.set(kind, { sinceMs: nowMs(), repeated: 0 });
    return { repeated: last?.repeated ?? 0 };
  };
}
