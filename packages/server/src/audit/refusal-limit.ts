import { createRecentlyUsed } from '../common/recently-used.ts';

/** Passes one refusal of a kind per minute, with the number of repetitions since the last; undefined for the others. */
export type RefusalLimit = (kind: string) => { repeated: number } | undefined;

const minuteMs = 60_000;
const maxKinds = 20_000;

/** Repeated refusals must not fill the disk. */
export function createRefusalLimit(nowMs: () => number = () => performance.now()): RefusalLimit {
  const recent = createRecentlyUsed<string, { sinceMs: number; repeated: number }>(maxKinds);
  return (kind) => {
    const last = recent.get(kind);
    if (last && nowMs() - last.sinceMs < minuteMs) {
      last.repeated += 1;
      return undefined;
    }
    recent.set(kind, { sinceMs: nowMs(), repeated: 0 });
    return { repeated: last?.repeated ?? 0 };
  };
}
