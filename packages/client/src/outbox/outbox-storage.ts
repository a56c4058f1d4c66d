import type { OutboxItem } from './outbox-item.ts';

/** Where the items are kept while the page is closed. */
export type OutboxStorage = {
  /** In any order. */
  list(): Promise<OutboxItem[]>;
  /** Adds the item, or replaces the one with its id. */
  put(item: OutboxItem): Promise<void>;
  remove(id: string): Promise<void>;
};

/** Keeps items until the page is closed. */
export function createMemoryStorage(): OutboxStorage {
  const items = new Map<string, OutboxItem>();
  return {
    list: async () => [...items.values()],
    put: async (item) => void items.set(item.id, structuredClone(item)),
    remove: async (id) => void items.delete(id),
  };
}
