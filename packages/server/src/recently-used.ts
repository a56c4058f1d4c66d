/** A bounded memory: at least the half of `largest` that was used last is there, and never more than `largest`. */
export type RecentlyUsed<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
};

/**
 * Two generations, of which the old one is dropped whole. Entries are not moved one by one on purpose: a long-lived Map
 * that is deleted from and added to leaves a trail of tables, each pointing at the next, and whatever they held stays in
 * memory until a full collection.
 */
export function createRecentlyUsed<Key, Value>(largest: number): RecentlyUsed<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  const set = (key: Key, value: Value) => {
    young.set(key, value);
    if (young.size * 2 < largest) return;
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
