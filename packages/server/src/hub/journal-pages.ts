import { createRecentlyUsed } from '../recently-used.ts';
import type { FeedEntry } from './feed-entry.ts';

export type JournalRange = { readonly after: number; readonly limit: number };

/** Reads what comes after a place in a tenant's journal. */
export type ReadJournal = (tenantId: number, range: JournalRange) => Promise<readonly FeedEntry[]>;

export const pageSize = 256;
const mostPages = 64;

/**
 * The past in pages that begin at fixed places, so that a thousand clients that missed the same minutes share each
 * read. Entries never change: the latest pages are kept for a moment, the last one until somebody needs more than it has.
 */
export class JournalPages {
  readonly #read: ReadJournal;
  #pages = createRecentlyUsed<string, Promise<readonly FeedEntry[]>>(mostPages);

  constructor(read: ReadJournal) {
    this.#read = read;
  }

  /** Some of the entries after `seq`, from the next one on; none when there is none. */
  async after(tenantId: number, seq: number): Promise<readonly FeedEntry[]> {
    const start = Math.floor(seq / pageSize) * pageSize;
    const page = await this.#page(tenantId, start);
    const entries = page.filter((entry) => entry.seq > seq);
    // A page that was kept before it was whole has no more than it had.
    if (entries.length === 0) this.#pages.delete(keyOf(tenantId, start));
    // After a month was dropped the page that holds the next entry may be another one.
    return entries.length > 0 ? entries : this.#read(tenantId, { after: seq, limit: pageSize });
  }

  /** A journal has become another one. */
  forget(): void {
    this.#pages = createRecentlyUsed(mostPages);
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
