import { createRecentlyUsed } from '../recently-used.ts';

export type BriefCacheSettings = { lifeMs: number; largest: number; now: () => Date };

/** Asks for the value of a key, through `load` when the last answer is older than the cache keeps it. */
export type BriefCache<Value> = (key: string, load: () => Promise<Value>) => Promise<Value>;

/**
 * Keeps what was loaded for a moment, counted from before it was loaded: no answer is ever older than `lifeMs`.
 * Those who ask for the same key at once share one load, and a load that fails is not kept.
 */
export function createBriefCache<Value>({ lifeMs, largest, now }: BriefCacheSettings): BriefCache<Value> {
  const entries = createRecentlyUsed<string, { since: number; value: Promise<Value> }>(largest);

  return (key, load) => {
    const since = now().getTime();
    const kept = entries.get(key);
    // A clock that was set back must not keep an answer alive for longer.
    if (kept && since >= kept.since && since - kept.since < lifeMs) return kept.value;

    const value = load();
    entries.set(key, { since, value });
    value.catch(() => {
      if (entries.get(key)?.value === value) entries.delete(key);
    });
    return value;
  };
}
