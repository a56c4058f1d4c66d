import type { FeedEntry } from './feed-entry.ts';
import { type JournalPages, pageSize } from './journal-pages.ts';
import { RecentEntries } from './recent-entries.ts';

export type TenantFeedParts = {
  readonly tenantId: number;
  readonly pages: JournalPages;
  readonly readJournal: (range: { after: number; limit: number }) => Promise<readonly FeedEntry[]>;
  /** A fresh look at the end of the tenant's journal. */
  readonly readEnd: () => Promise<number>;
  /** Gets every entry once, in the order of `seq`. */
  readonly onEntries: (entries: readonly FeedEntry[]) => void;
  /** Whether `onEntries` can take more; what it cannot take is read from the journal later. */
  readonly hasRoom: () => boolean;
  /** The journal was read because an entry did not come by itself. */
  readonly onRepair: (entries: number) => void;
  readonly onError: (error: unknown) => void;
};

/** For an entry that is on its way from another server to arrive before it is read from the journal. */
const patienceMs = 15;
/** Entries that came before their turn; beyond, they are read from the journal when it is theirs. */
const mostAhead = 2_000;

/**
 * Puts what is heard of a tenant's journal into order: from the own writer, from other servers and from looking
 * whether there is more. Hearsay may be late, doubled or lost; the journal itself fills every gap.
 */
export class TenantFeed {
  readonly #parts: TenantFeedParts;
  readonly #recent = new RecentEntries();
  readonly #ahead = new Map<number, FeedEntry>();
  /** The last entry passed on; not known before the start. */
  #known = Number.POSITIVE_INFINITY;
  /** The last entry heard of. */
  #seen = 0;
  #timer: NodeJS.Timeout | undefined;
  #repairing = false;
  #closed = false;

  constructor(parts: TenantFeedParts) {
    this.#parts = parts;
  }

  /** The last entry that was passed on. */
  get known(): number {
    return this.#known;
  }

  /** Begins at the end of the journal as it is now. */
  async start(): Promise<void> {
    const end = await this.#parts.readEnd();
    this.#known = end;
    this.#takeAhead();
    if (this.#seen > this.#known) this.#repairSoon();
  }

  /** Entries of one commit, in order. */
  offer(entries: readonly FeedEntry[]): void {
    const last = entries.at(-1);
    if (!last || this.#closed) return;
    this.#seen = Math.max(this.#seen, last.seq);
    const next = entries.findIndex(({ seq }) => seq === this.#known + 1);
    if (next >= 0 && this.#parts.hasRoom()) this.#pass(entries.slice(next));
    else this.#keepAhead(entries);
    this.#takeAhead();
    if (this.#known < this.#seen) this.#repairSoon();
  }

  /** Somebody looked, and the journal goes this far. */
  noticeEnd(seq: number): void {
    this.#seen = Math.max(this.#seen, seq);
    if (this.#known < this.#seen) this.#repairSoon();
  }

  /** Some of the entries after `seq`, for clients: from memory, or from pages that they share. */
  async after(seq: number): Promise<readonly FeedEntry[]> {
    const recent = this.#recent.after(seq, pageSize);
    return recent && recent.length > 0 ? recent : this.#parts.pages.after(this.#parts.tenantId, seq);
  }

  age(): void {
    this.#recent.age();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #pass(entries: readonly FeedEntry[]): void {
    const last = entries.at(-1);
    if (!last) return;
    this.#known = last.seq;
    this.#recent.add(entries);
    this.#parts.onEntries(entries);
  }

  #keepAhead(entries: readonly FeedEntry[]): void {
    // Before the start nothing is known of what will be needed.
    const known = Number.isFinite(this.#known) ? this.#known : 0;
    for (const entry of entries) {
      if (entry.seq > known && this.#ahead.size < mostAhead) this.#ahead.set(entry.seq, entry);
    }
  }

  #takeAhead(): void {
    if (this.#ahead.size === 0 || !Number.isFinite(this.#known)) return;
    const ready: FeedEntry[] = [];
    for (let seq = this.#known + 1; this.#parts.hasRoom(); seq++) {
      const entry = this.#ahead.get(seq);
      if (!entry) break;
      ready.push(entry);
    }
    if (ready.length > 0) this.#pass(ready);
    for (const seq of this.#ahead.keys()) if (seq <= this.#known) this.#ahead.delete(seq);
  }

  #repairSoon(): void {
    if (this.#closed || this.#repairing || this.#timer || !Number.isFinite(this.#known)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#repair();
    }, patienceMs);
    this.#timer.unref();
  }

  /** Ends when nothing is missing, or when there is no room; whoever looks again begins anew. */
  async #repair(): Promise<void> {
    this.#repairing = true;
    try {
      while (!this.#closed && this.#known < this.#seen && this.#parts.hasRoom()) {
        const found = await this.#parts.readJournal({ after: this.#known, limit: pageSize });
        if (found.length === 0) break;
        // Some may have come by themselves while the journal was read.
        const missing = found.filter(({ seq }) => seq > this.#known);
        this.#parts.onRepair(missing.length);
        this.#pass(missing);
        this.#takeAhead();
      }
    } catch (error) {
      this.#parts.onError(error);
    } finally {
      this.#repairing = false;
    }
  }
}
