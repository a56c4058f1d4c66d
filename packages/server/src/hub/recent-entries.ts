import type { FeedEntry } from './feed-entry.ts';

const mostEntries = 4_096;

/** The last entries of a tenant, so that many clients that come back at once need the database for none of them. */
export class RecentEntries {
  #entries: FeedEntry[] = [];
  /** How many there were when time last passed. */
  #old = 0;

  /** Entries that follow those here; after a hole in the journal only the new ones are kept. */
  add(entries: readonly FeedEntry[]): void {
    const [first] = entries;
    const last = this.#entries.at(-1);
    if (first && last && first.seq !== last.seq + 1) this.#entries = [];
    this.#entries.push(...entries);
    if (this.#entries.length > mostEntries * 1.25) this.#drop(this.#entries.length - mostEntries);
  }

  /** Entries that come before those here, and up to them. */
  prepend(entries: readonly FeedEntry[]): void {
    const first = this.#entries[0];
    const before = first ? entries.filter(({ seq }) => seq < first.seq) : entries;
    if (first && before.at(-1)?.seq !== first.seq - 1) return;
    this.#entries.unshift(...before);
    this.#old = 0;
  }

  /** The entries after `seq`, at most `limit`; undefined when some of them are not here any more. */
  after(seq: number, limit: number): readonly FeedEntry[] | undefined {
    const first = this.#entries[0];
    if (!first || seq + 1 < first.seq) return undefined;
    const start = seq + 1 - first.seq;
    return this.#entries.slice(start, start + limit);
  }

  /** What is here, by number and time. */
  marks(): { seq: number; at: number }[] {
    return this.#entries.map(({ seq, at }) => ({ seq, at }));
  }

  /** When the entry took place; undefined when it is not here. */
  timeOf(seq: number): number | undefined {
    const first = this.#entries[0];
    return first && this.#entries[seq - first.seq]?.at;
  }

  clear(): void {
    this.#drop(this.#entries.length);
  }

  /** Called from time to time: forgets what was here at the last call already. */
  age(): void {
    this.#drop(this.#old);
    this.#old = this.#entries.length;
  }

  #drop(count: number): void {
    this.#entries.splice(0, count);
    this.#old = Math.max(0, this.#old - count);
  }
}
