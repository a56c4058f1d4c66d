import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedEntry } from '../subscriptions/feed-entry.ts';
import { EarlyEntries } from './early-entries.ts';
import { type JournalPages, type JournalRange, pageSize } from './journal-pages.ts';
import { RecentEntries } from './recent-entries.ts';

export type TenantFeedParts = {
  readonly tenantId: number;
  readonly pages: JournalPages;
  readonly readJournal: (range: JournalRange) => Promise<readonly FeedEntry[]>;
  /** The same, for entries that another server has written. */
  readonly readNew: (range: JournalRange) => Promise<readonly FeedEntry[]>;
  /** Reads the end of the tenant's journal from the database. */
  readonly readEnd: () => Promise<number>;
  /** Gets every entry once, in the order of `seq`. */
  readonly onEntries: (entries: readonly FeedEntry[]) => void;
  /** Whether `onEntries` can take more. The rest is read from the journal later. */
  readonly hasRoom: () => boolean;
  /** The journal was read for entries of another server; `unannounced` of them came without a node message. */
  readonly onRead: (unannounced: number) => void;
  readonly onError: (error: unknown) => void;
  /** An entry differs from the one passed on under its number: the feed stops until the journal was compared. */
  readonly onMismatch: () => void;
};

/** Between two reads: node messages that arrive meanwhile share the next one. The first after a pause is read at once. */
const betweenReadsMs = 25;
/** After a read that found nothing, or failed. Only an old node message, sent again after a restore, leads to one. */
const afterNothingMs = 250;
/** Entries that are read into memory together when a client asks for one of them. */
const maxPreloaded = 1_000;

/**
 * Puts a tenant's journal into order. Entries come only from this server's writer or from the journal. Node messages
 * and the poll say only that there is more to read; they may be late, doubled, lost or wrong.
 */
export class TenantFeed {
  readonly #parts: TenantFeedParts;
  readonly #recent = new RecentEntries();
  readonly #early = new EarlyEntries();
  /** The last entry passed on; infinite before the start. */
  #position = Number.POSITIVE_INFINITY;
  /** The time of that entry; undefined until one was passed on or compared. */
  #positionAt: number | undefined;
  /** The highest end of the journal that was reported by anybody. */
  #reportedEnd = 0;
  /** The highest end that this server's writer or a node message has announced. */
  #announcedEnd = 0;
  /** Runs between two reads. */
  #pause: NodeJS.Timeout | undefined;
  #preloading: Promise<void> | undefined;
  #isReading = false;
  /** Counts the rewinds: a page that was read before one belongs to the old journal. */
  #rewinds = 0;
  #mismatches = 0;
  #resolvedMismatches = 0;
  #isClosed = false;

  constructor(parts: TenantFeedParts) {
    this.#parts = parts;
  }

  /** The last entry that was passed on. */
  get position(): number {
    return this.#position;
  }

  /** The last entry that was passed on. As long as the journal is the same, it has this entry. */
  get lastEntry(): { seq: number; at: number | undefined } {
    return { seq: this.#position, at: this.#positionAt };
  }

  /** The number of entries that are known to exist and were not passed on yet. */
  get behind(): number {
    return Number.isFinite(this.#position) ? Math.max(0, this.#reportedEnd - this.#position) : 0;
  }

  get mismatches(): number {
    return this.#mismatches;
  }

  /** The journal was compared after so many mismatches, and is the same. */
  resolveMismatches(count: number): void {
    this.#resolvedMismatches = Math.max(this.#resolvedMismatches, count);
  }

  noteTime(seq: number, at: number): void {
    if (seq === this.#position) this.#positionAt ??= at;
  }

  /** The latest entries passed on, by number and time. */
  marks(): { seq: number; at: number }[] {
    return this.#recent.marks();
  }

  /** The journal was replaced after `seq`: passes on the new entries from there to `end`. */
  async rewind(seq: number, end: number): Promise<void> {
    this.#rewinds += 1;
    this.#position = seq;
    this.#positionAt = undefined;
    this.#reportedEnd = end;
    this.#resolvedMismatches = this.#mismatches;
    this.#early.clear();
    this.#recent.clear();
    while (this.#isReading) await sleep(betweenReadsMs);
    await this.#readMissing();
  }

  /** Starts at the current end of the journal. */
  async start(): Promise<void> {
    this.#position = await this.#parts.readEnd();
    this.#passEarly();
    this.#catchUp();
  }

  /** Adds the entries of one commit of this server, in order. */
  offer(entries: readonly FeedEntry[]): void {
    const last = entries.at(-1);
    if (!last || this.#isClosed) return;
    this.#reportedEnd = Math.max(this.#reportedEnd, last.seq);
    this.#announcedEnd = Math.max(this.#announcedEnd, last.seq);
    if (entries.some((entry) => entry.seq <= this.#position && !this.#wasPassed(entry)))
      this.#reportMismatch();
    if (this.#hasMismatch) return;
    const next = nextOf(entries, this.#position);
    if (next.length > 0 && this.#parts.hasRoom()) this.#pass(next);
    else this.#early.add(entries, this.#isStarted ? this.#position : 0);
    this.#passEarly();
    // This server commits in order, so a gap holds entries of another server, which can be read.
    this.#catchUp();
  }

  /** Another server announces the end of the journal: at most one more read. */
  onNodeMessage(seq: number): void {
    this.#announcedEnd = Math.max(this.#announcedEnd, seq);
    this.onEnd(seq);
  }

  /** The journal was found to go this far. */
  onEnd(seq: number): void {
    this.#reportedEnd = Math.max(this.#reportedEnd, seq);
    this.#catchUp();
  }

  /** Some of the entries after `seq`, for clients: from memory, or from pages that they share. */
  async after(seq: number): Promise<readonly FeedEntry[]> {
    const recent = this.#recentAfter(seq);
    if (recent) return recent;
    if (this.#position - seq <= maxPreloaded) {
      this.#preloading ??= this.#preload();
      await this.#preloading;
    }
    return this.#recentAfter(seq) ?? this.#parts.pages.after(this.#parts.tenantId, seq);
  }

  /** Called from time to time: forgets the entries that were in memory at the last call. */
  forgetOldEntries(): void {
    this.#recent.age();
    this.#preloading = undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pause);
  }

  #recentAfter(seq: number): readonly FeedEntry[] | undefined {
    const recent = this.#recent.after(seq, pageSize);
    return recent && recent.length > 0 ? recent : undefined;
  }

  /** After a start a thousand clients reconnect for the same last entries: they are read once. */
  async #preload(): Promise<void> {
    const end = this.#position;
    const after = Math.max(0, end - maxPreloaded);
    const found = await this.#parts.readJournal({ after, limit: maxPreloaded });
    this.#recent.prepend(found.filter(({ seq }) => seq <= end));
  }

  get #isStarted(): boolean {
    return Number.isFinite(this.#position);
  }

  get #hasMismatch(): boolean {
    return this.#mismatches > this.#resolvedMismatches;
  }

  #reportMismatch(): void {
    this.#mismatches += 1;
    this.#parts.onMismatch();
  }

  #wasPassed({ seq, at }: FeedEntry): boolean {
    if (!this.#isStarted) return true;
    return (seq === this.#position ? this.#positionAt : this.#recent.timeOf(seq)) === at;
  }

  #pass(entries: readonly FeedEntry[]): void {
    const last = entries.at(-1);
    if (!last) return;
    this.#position = last.seq;
    this.#positionAt = last.at;
    this.#recent.add(entries);
    this.#parts.onEntries(entries);
  }

  #passEarly(): void {
    if (this.#isStarted) this.#pass(this.#early.takeAfter(this.#position, this.#parts.hasRoom));
  }

  get #isBehind(): boolean {
    const isReady = !this.#isClosed && !this.#hasMismatch && this.#isStarted;
    return isReady && this.#position < this.#reportedEnd && this.#parts.hasRoom();
  }

  #catchUp(): void {
    if (!this.#isReading && !this.#pause && this.#isBehind) void this.#readMissing();
  }

  /** Ends when nothing is missing, or when there is no room; the next report starts it again. */
  async #readMissing(): Promise<void> {
    this.#isReading = true;
    let hasFound = true;
    try {
      while (hasFound && this.#isBehind) hasFound = await this.#readPage();
    } catch (error) {
      this.#reportedEnd = this.#position;
      hasFound = false;
      this.#parts.onError(error);
    } finally {
      this.#isReading = false;
    }
    this.#pauseReads(hasFound ? betweenReadsMs : afterNothingMs);
  }

  #pauseReads(pauseMs: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#catchUp();
    }, pauseMs);
    this.#pause.unref();
  }

  /** Returns whether there was anything new. */
  async #readPage(): Promise<boolean> {
    const { seq: position, at: positionAt } = this.lastEntry;
    const reportedEnd = this.#reportedEnd;
    const rewinds = this.#rewinds;
    // Includes the entry that was passed on last: if that one differs, the journal was replaced.
    const found = await this.#parts.readNew({ after: position - 1, limit: pageSize + 1 });
    if (this.#rewinds !== rewinds) return true;
    const last = found[0]?.seq === position ? found[0] : undefined;
    if (last && positionAt !== undefined && last.at !== positionAt) {
      this.#reportMismatch();
      return false;
    }
    // Some may have been offered while the journal was read.
    const missing = found.filter(({ seq }) => seq > this.#position);
    this.#parts.onRead(missing.filter(({ seq }) => seq > this.#announcedEnd).length);
    this.#pass(missing);
    this.#passEarly();
    const hasNew = found.at(-1) !== last;
    // The journal is shorter than reported: the feed does not wait for entries that do not exist.
    if (!hasNew && this.#reportedEnd === reportedEnd) this.#reportedEnd = this.#position;
    return hasNew;
  }
}

/** The entries that follow `position` without a gap. */
function nextOf(entries: readonly FeedEntry[], position: number): readonly FeedEntry[] {
  const start = entries.findIndex(({ seq }) => seq === position + 1);
  if (start < 0) return [];
  const following = entries.slice(start);
  const gap = following.findIndex(({ seq }, index) => seq !== position + 1 + index);
  return gap < 0 ? following : following.slice(0, gap);
}
