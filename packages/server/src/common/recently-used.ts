/** A bounded cache: it has at least the `maxSize / 2` entries used last, and at most `maxSize`. */
export type RecentlyUsed<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
};

/**
 * Keeps two generations and drops the old one as a whole. Entries are not evicted one by one: a long-lived Map with many
 * deletions keeps a chain of old hash tables, and their entries, in memory until a full garbage collection. Each entry
 * counts as its weight, by default 1; the weight of a value must not change.
 */
export function createRecentlyUsed<Key, Value>(
  maxSize: number,
  weigh: (value: Value) => number = () => 1,
): RecentlyUsed<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  let size = 0;

  const drop = (key: Key) => {
    const before = young.get(key);
    if (before === undefined) return;
    size -= weigh(before);
    young.delete(key);
  };
  const set = (key: Key, value: Value) => {
    const before = young.get(key);
    size += weigh(value) - (before === undefined ? 0 : weigh(before));
    young.set(key, value);
    if (size * 2 < maxSize) return;
    old = young;
    young = new Map();
    size = 0;
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
      drop(key);
      old.delete(key);
    },
  };
}
