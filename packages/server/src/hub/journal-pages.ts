import { createRecentlyUsed } from '../recently-used.ts';
import type { FeedEntry } from './feed-entry.ts';

/** Reads what comes after a place in a tenant's journal. */
export type ReadJournal = (
  tenantId: number,
  range: { after: number; limit: number },
) => Promise<readonly FeedEntry[]>;

export const pageSize = 256;
const mostPages = 64;

/**
 * The past in pages that begin at fixed places, so that a thousand clients that missed the same minutes share each
 * read. Whole pages never change: the latest of them are kept for a moment.
 */
export class JournalPages {
  readonly #read: ReadJournal;
  readonly #pages = createRecentlyUsed<string, Promise<readonly FeedEntry[]>>(mostPages);

  constructor(read: ReadJournal) {
    this.#read = read;
  }

  /** Some of the entries after `seq`, from the next one on; none when there is none. */
  async after(tenantId: number, seq: number): Promise<readonly FeedEntry[]> {
    const start = Math.floor(seq / pageSize) * pageSize;
    const page = await this.#page(tenantId, start);
    const entries = page.filter((entry) => entry.seq > seq);
    // After a month was dropped the page that holds the next entry may be another one.
    return entries.length > 0 ? entries : this.#read(tenantId, { after: seq, limit: pageSize });
  }

  #page(tenantId: number, start: number): Promise<readonly FeedEntry[]> {
    const key = `${tenantId} ${start}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const reading = this.#read(tenantId, { after: start, limit: pageSize });
    this.#pages.set(key, reading);
    const forget = () => {
      if (this.#pages.get(key) === reading) this.#pages.delete(key);
    };
    const keepWhole = (entries: readonly FeedEntry[]) =>
      entries.at(-1)?.seq === start + pageSize ? undefined : forget();
    reading.then(keepWhole, forget);
    return reading;
  }
}
