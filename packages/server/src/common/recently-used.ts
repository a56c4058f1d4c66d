/** A bounded cache: it has at least the `maxSize / 2` entries used last, and at most `maxSize`. */
export type RecentlyUsed<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
};

/**
 * Keeps two generations and drops the old one as a whole. Entries are not evicted one by one: a long-lived Map with many
 * deletions keeps a chain of old hash tables, and their entries, in memory until a full garbage collection.
 */
export function createRecentlyUsed<Key, Value>(maxSize: number): RecentlyUsed<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  const set = (key: Key, value: Value) => {
    young.set(key, value);
    if (young.size * 2 < maxSize) return;
    old = young;
    young = new Map();
  };
  return {
    get: (key) => {
      const found = young.get(key);
      if (found !== undefined) return found;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
  };
}
