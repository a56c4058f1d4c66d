import { createRecentlyUsed } from '../../common/recently-used.ts';
import type { FeedEntry } from '../subscriptions/feed-entry.ts';

export type JournalRange = { readonly after: number; readonly limit: number };

/** Reads the entries after a position in a tenant's journal. */
export type ReadJournal = (tenantId: number, range: JournalRange) => Promise<readonly FeedEntry[]>;

export const pageSize = 256;
const maxPages = 64;

/**
 * Old entries in pages with fixed starts, so that a thousand clients that missed the same minutes share each read.
 * Entries never change, so the recently used pages are cached; an incomplete one is dropped when a client needs more.
 */
export class JournalPages {
  readonly #read: ReadJournal;
  #pages = createRecentlyUsed<string, Promise<readonly FeedEntry[]>>(maxPages);

  constructor(read: ReadJournal) {
    this.#read = read;
  }

  /** Some of the entries after `seq`, starting with the next one; empty at the end of the journal. */
  async after(tenantId: number, seq: number): Promise<readonly FeedEntry[]> {
    const start = Math.floor(seq / pageSize) * pageSize;
    const page = await this.#page(tenantId, start);
    const entries = page.filter((entry) => entry.seq > seq);
    // The page was cached before it was complete.
    if (entries.length === 0) this.#pages.delete(keyOf(tenantId, start));
    // After a month was dropped, the next entry may be in another page.
    return entries.length > 0 ? entries : this.#read(tenantId, { after: seq, limit: pageSize });
  }

  /** Drops all pages, because a journal was replaced. */
  forget(): void {
    this.#pages = createRecentlyUsed(maxPages);
  }

  #page(tenantId: number, start: number): Promise<readonly FeedEntry[]> {
    const key = keyOf(tenantId, start);
    const known = this.#pages.get(key);
    if (known) return known;
    const reading = this.#read(tenantId, { after: start, limit: pageSize });
    this.#pages.set(key, reading);
    const forget = () => {
      if (this.#pages.get(key) === reading) this.#pages.delete(key);
    };
    reading.catch(forget);
    return reading;
  }
}

const keyOf = (tenantId: number, start: number) => `${tenantId} ${start}`;
