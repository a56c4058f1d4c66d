import { createRecentlyUsed } from '../../common/recently-used.ts';

export type ShortLivedCacheSettings = { maxAgeMs: number; maxEntries: number; now: () => Date };

/** Returns the value of a key, through `load` if it is not cached or too old. */
export type ShortLivedCache<Value> = (key: string, load: () => Promise<Value>) => Promise<Value>;

/**
 * The age counts from before the load, so no value is ever older than `maxAgeMs`. Concurrent callers share one load, and
 * a load that fails is not cached.
 */
export function createShortLivedCache<Value>({
  maxAgeMs,
  maxEntries,
  now,
}: ShortLivedCacheSettings): ShortLivedCache<Value> {
  const entries = createRecentlyUsed<string, { loadedAt: number; value: Promise<Value> }>(maxEntries);

  return (key, load) => {
    const loadedAt = now().getTime();
    const cached = entries.get(key);
    // A clock that was set back must not extend the life of a value.
    if (cached && loadedAt >= cached.loadedAt && loadedAt - cached.loadedAt < maxAgeMs) return cached.value;

    const value = load();
    entries.set(key, { loadedAt, value });
    value.catch(() => {
      if (entries.get(key)?.value === value) entries.delete(key);
    });
    return value;
  };
}
