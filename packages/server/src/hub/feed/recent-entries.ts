import type { FeedEntry } from '../subscriptions/feed-entry.ts';

const maxEntries = 4_096;

/** The last entries of a tenant in memory, so that many clients can reconnect without reading the database. */
export class RecentEntries {
  #entries: FeedEntry[] = [];
  /** How many entries were here at the last call of `age`. */
  #old = 0;

  /** Appends entries. After a gap in the journal only the new ones are kept. */
  add(entries: readonly FeedEntry[]): void {
    const [first] = entries;
    const last = this.#entries.at(-1);
    if (first && last && first.seq !== last.seq + 1) this.#entries = [];
    this.#entries.push(...entries);
    if (this.#entries.length > maxEntries * 1.25) this.#drop(this.#entries.length - maxEntries);
  }

  /** Adds earlier entries, if they connect to those here. */
  prepend(entries: readonly FeedEntry[]): void {
    const first = this.#entries[0];
    const before = first ? entries.filter(({ seq }) => seq < first.seq) : entries;
    if (first && before.at(-1)?.seq !== first.seq - 1) return;
    this.#entries.unshift(...before);
    this.#old = 0;
  }

  /** The entries after `seq`, at most `limit`; undefined if some of them are no longer here. */
  after(seq: number, limit: number): readonly FeedEntry[] | undefined {
    const first = this.#entries[0];
    if (!first || seq + 1 < first.seq) return undefined;
    const start = seq + 1 - first.seq;
    return this.#entries.slice(start, start + limit);
  }

  /** The number and time of each entry. */
  marks(): { seq: number; at: number }[] {
    return this.#entries.map(({ seq, at }) => ({ seq, at }));
  }

  /** The time of the entry; undefined if it is not here. */
  timeOf(seq: number): number | undefined {
    const first = this.#entries[0];
    return first && this.#entries[seq - first.seq]?.at;
  }

  clear(): void {
    this.#drop(this.#entries.length);
  }

  /** Called from time to time: drops the entries that were here at the last call. */
  age(): void {
    this.#drop(this.#old);
    this.#old = this.#entries.length;
  }

  #drop(count: number): void {
    this.#entries.splice(0, count);
    this.#old = Math.max(0, this.#old - count);
  }
}
