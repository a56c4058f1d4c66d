import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedEntry } from './feed-entry.ts';
import { type JournalPages, type JournalRange, pageSize } from './journal-pages.ts';
import { RecentEntries } from './recent-entries.ts';

export type TenantFeedParts = {
  readonly tenantId: number;
  readonly pages: JournalPages;
  readonly readJournal: (range: JournalRange) => Promise<readonly FeedEntry[]>;
  /** The same for entries that another server has written. */
  readonly readNew: (range: JournalRange) => Promise<readonly FeedEntry[]>;
  /** A fresh look at the end of the tenant's journal. */
  readonly readEnd: () => Promise<number>;
  /** Gets every entry once, in the order of `seq`. */
  readonly onEntries: (entries: readonly FeedEntry[]) => void;
  /** Whether `onEntries` can take more; what it cannot take is read from the journal later. */
  readonly hasRoom: () => boolean;
  /** The journal was read for entries of another server; `untold` is how many of them nobody had told of. */
  readonly onRead: (untold: number) => void;
  readonly onError: (error: unknown) => void;
  /** An entry came again as another one: nothing is passed on until the journal was looked at. */
  readonly onDoubt: () => void;
};

/** Between two reads: hints that come meanwhile share the next one. The first after a pause is answered at once. */
const betweenReadsMs = 25;
/** After a read that found nothing, or failed. Only an old hint, sent again after a backup was restored, leads to one. */
const afterNothingMs = 250;
/** Entries that came before their turn; beyond, they are read from the journal when it is theirs. */
const mostAhead = 2_000;
/** Entries that are read into memory together when somebody asks for one of them. */
const mostSeeded = 1_000;

/**
 * Puts a tenant's journal into order. Entries come from the own writer or are read from the journal, and from nowhere
 * else: other servers, and looking once a second, only say that there is more to read. What they say may be late, doubled,
 * lost or wrong.
 */
export class TenantFeed {
  readonly #parts: TenantFeedParts;
  readonly #recent = new RecentEntries();
  readonly #ahead = new Map<number, FeedEntry>();
  /** The last entry passed on; not known before the start. */
  #known = Number.POSITIVE_INFINITY;
  /** When it took place; not known before an entry was passed on or looked at. */
  #knownAt: number | undefined;
  /** How far the journal is said to go. */
  #seen = 0;
  /** How far the own writer or another server has told of it. */
  #told = 0;
  /** Runs between two reads. */
  #pause: NodeJS.Timeout | undefined;
  #seeding: Promise<void> | undefined;
  #isReading = false;
  /** How often the journal has become another one: what was read before is of the one that was. */
  #stepsBack = 0;
  /** How often an entry came again as another one, and of these how many were looked into. */
  #doubts = 0;
  #settledDoubts = 0;
  #closed = false;

  constructor(parts: TenantFeedParts) {
    this.#parts = parts;
  }

  /** The last entry that was passed on. */
  get known(): number {
    return this.#known;
  }

  /** The last entry that was passed on, as the journal must have it for as long as it is the same journal. */
  get place(): { seq: number; at: number | undefined } {
    return { seq: this.#known, at: this.#knownAt };
  }

  get doubts(): number {
    return this.#doubts;
  }

  /** The journal was looked at when there were so many doubts, and is the same. */
  settleDoubts(doubts: number): void {
    this.#settledDoubts = Math.max(this.#settledDoubts, doubts);
  }

  /** When the entry took place that was passed on last. */
  noteTime(seq: number, at: number): void {
    if (seq === this.#known) this.#knownAt ??= at;
  }

  /** The latest entries passed on, by number and time. */
  marks(): { seq: number; at: number }[] {
    return this.#recent.marks();
  }

  /** The journal has become another one after `seq`: passes on what it has from there to `end`. */
  async stepBack(seq: number, end: number): Promise<void> {
    this.#stepsBack += 1;
    this.#known = seq;
    this.#knownAt = undefined;
    this.#seen = end;
    this.#settledDoubts = this.#doubts;
    this.#ahead.clear();
    this.#recent.clear();
    while (this.#isReading) await sleep(betweenReadsMs);
    await this.#readMissing();
  }

  /** Begins at the end of the journal as it is now. */
  async start(): Promise<void> {
    const end = await this.#parts.readEnd();
    this.#known = end;
    this.#takeAhead();
    this.#catchUp();
  }

  /** Entries of one commit of this server, in order. */
  offer(entries: readonly FeedEntry[]): void {
    const last = entries.at(-1);
    if (!last || this.#closed) return;
    this.#seen = Math.max(this.#seen, last.seq);
    this.#told = Math.max(this.#told, last.seq);
    if (entries.some((entry) => entry.seq <= this.#known && !this.#isPassed(entry))) this.#doubt();
    if (this.#isInDoubt) return;
    const next = nextOf(entries, this.#known);
    if (next.length > 0 && this.#parts.hasRoom()) this.#pass(next);
    else this.#keepAhead(entries);
    this.#takeAhead();
    // Own commits are told in their order, so what is between them is of another server and can be read.
    this.#catchUp();
  }

  /** Another server says that the journal has reached this number: at most one more look at the journal. */
  hint(seq: number): void {
    this.#told = Math.max(this.#told, seq);
    this.noticeEnd(seq);
  }

  /** Somebody looked, and the journal goes this far. */
  noticeEnd(seq: number): void {
    this.#seen = Math.max(this.#seen, seq);
    this.#catchUp();
  }

  /** Some of the entries after `seq`, for clients: from memory, or from pages that they share. */
  async after(seq: number): Promise<readonly FeedEntry[]> {
    const recent = this.#recentAfter(seq);
    if (recent) return recent;
    if (this.#known - seq <= mostSeeded) {
      this.#seeding ??= this.#seed();
      await this.#seeding;
    }
    return this.#recentAfter(seq) ?? this.#parts.pages.after(this.#parts.tenantId, seq);
  }

  age(): void {
    this.#recent.age();
    this.#seeding = undefined;
  }

  #recentAfter(seq: number): readonly FeedEntry[] | undefined {
    const recent = this.#recent.after(seq, pageSize);
    return recent && recent.length > 0 ? recent : undefined;
  }

  /** After a start a thousand clients come back for the same last entries: they are read once. */
  async #seed(): Promise<void> {
    const { readJournal } = this.#parts;
    const end = this.#known;
    const found = await readJournal({ after: Math.max(0, end - mostSeeded), limit: mostSeeded });
    this.#recent.prepend(found.filter(({ seq }) => seq <= end));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#pause);
  }

  get #isInDoubt(): boolean {
    return this.#doubts > this.#settledDoubts;
  }

  #doubt(): void {
    this.#doubts += 1;
    this.#parts.onDoubt();
  }

  #isPassed({ seq, at }: FeedEntry): boolean {
    if (!Number.isFinite(this.#known)) return true;
    return (seq === this.#known ? this.#knownAt : this.#recent.timeOf(seq)) === at;
  }

  #pass(entries: readonly FeedEntry[]): void {
    const last = entries.at(-1);
    if (!last) return;
    this.#known = last.seq;
    this.#knownAt = last.at;
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

  get #isBehind(): boolean {
    const isReady = !this.#closed && !this.#isInDoubt && Number.isFinite(this.#known);
    return isReady && this.#known < this.#seen && this.#parts.hasRoom();
  }

  #catchUp(): void {
    if (!this.#isReading && !this.#pause && this.#isBehind) void this.#readMissing();
  }

  /** Ends when nothing is missing, or when there is no room; whoever looks again begins anew. */
  async #readMissing(): Promise<void> {
    this.#isReading = true;
    let hasFound = true;
    try {
      while (hasFound && this.#isBehind) hasFound = await this.#readPage();
    } catch (error) {
      this.#seen = this.#known;
      hasFound = false;
      this.#parts.onError(error);
    } finally {
      this.#isReading = false;
    }
    this.#rest(hasFound ? betweenReadsMs : afterNothingMs);
  }

  #rest(pauseMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#catchUp();
    }, pauseMs);
    this.#pause.unref();
  }

  /** Whether there was anything new. */
  async #readPage(): Promise<boolean> {
    const [known, knownAt, said, stepsBack] = [this.#known, this.#knownAt, this.#seen, this.#stepsBack];
    // With the entry that was passed on last: if it is another one, so is the journal.
    const found = await this.#parts.readNew({ after: known - 1, limit: pageSize + 1 });
    if (this.#stepsBack !== stepsBack) return true;
    const last = found[0]?.seq === known ? found[0] : undefined;
    if (last && knownAt !== undefined && last.at !== knownAt) {
      this.#doubt();
      return false;
    }
    // Some may have been handed over while the journal was read.
    const missing = found.filter(({ seq }) => seq > this.#known);
    this.#parts.onRead(missing.filter(({ seq }) => seq > this.#told).length);
    this.#pass(missing);
    this.#takeAhead();
    const hasNew = found.at(-1) !== last;
    // The journal does not go as far as was said. Nobody waits for entries that are not there.
    if (!hasNew && this.#seen === said) this.#seen = this.#known;
    return hasNew;
  }
}

/** Those that follow `known` without a gap. */
function nextOf(entries: readonly FeedEntry[], known: number): readonly FeedEntry[] {
  const start = entries.findIndex(({ seq }) => seq === known + 1);
  if (start < 0) return [];
  const following = entries.slice(start);
  const gap = following.findIndex(({ seq }, index) => seq !== known + 1 + index);
  return gap < 0 ? following : following.slice(0, gap);
}
