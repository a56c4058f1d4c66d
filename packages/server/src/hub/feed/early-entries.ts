import type { FeedEntry } from '../subscriptions/feed-entry.ts';

/** Entries beyond this are read from the journal when the feed gets there. */
const maxEntries = 2_000;

/** Entries that came before an earlier one, and wait for it. */
export class EarlyEntries {
  readonly #entries = new Map<number, FeedEntry>();

  add(entries: readonly FeedEntry[], afterSeq: number): void {
    for (const entry of entries) {
      if (entry.seq > afterSeq && this.#entries.size < maxEntries) this.#entries.set(entry.seq, entry);
    }
  }

  /** Removes and returns the entries that follow `seq` without a gap, for as long as there is room. */
  takeAfter(seq: number, hasRoom: () => boolean): FeedEntry[] {
    if (this.#entries.size === 0) return [];
    const ready: FeedEntry[] = [];
    for (let next = seq + 1; hasRoom(); next++) {
      const entry = this.#entries.get(next);
      if (!entry) break;
      ready.push(entry);
    }
    const last = seq + ready.length;
    for (const each of this.#entries.keys()) if (each <= last) this.#entries.delete(each);
    return ready;
  }

  clear(): void {
    this.#entries.clear();
  }
}
