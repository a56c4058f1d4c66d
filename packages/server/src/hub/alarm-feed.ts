import type { FanOut } from '@tocsin/signalr';
import type { Logger } from 'pino';
import type { JournalEntry } from '../journal/journal.store.ts';
import { askTogether } from './ask-together.ts';
import { Audience } from './audience.ts';
import type { FeedEntry } from './feed-entry.ts';
import { readNews, writeNews } from './feed-line.wire.ts';
import type { HubMetrics } from './hub-metrics.ts';
import { JournalPages, type ReadJournal } from './journal-pages.ts';
import type { Bus } from './nats.channel.ts';
import { TenantFeed } from './tenant-feed.ts';

/** What the feed asks of the database. */
export type JournalSource = {
  readonly read: ReadJournal;
  readonly readEnds: (tenantIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
};

export type AlarmFeedParts = {
  readonly journal: JournalSource;
  readonly bus: Bus;
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  readonly metrics: HubMetrics;
  readonly log: Logger;
  /** Milliseconds since 1970, for the lag. */
  readonly clock: () => number;
};

/** A tenant with clients on this server. */
export type TenantStage = {
  readonly tenantId: number;
  readonly feed: TenantFeed;
  readonly audience: Audience;
  /** Resolves when the feed has begun. */
  readonly ready: Promise<void>;
};

type Stage = TenantStage & { users: number; quietTurns: number; stopListening: () => void };

/** Journals whose ends are asked for in one question. */
const mostTogether = 5_000;
/** How often the ends of journals are looked at: what no message told is found then. */
const pollMs = 1_000;
/** Polls without clients before a tenant's feed ends: who reconnects finds it running. */
const quietTurnsKept = 30;
/** Polls between which recent entries grow old. */
const ageEvery = 30;

const subjectOf = (tenantId: number) => `tocsin.journal.${tenantId}`;

/** The journals of all tenants that have clients here, each in order. Tenants without clients cost nothing. */
export class AlarmFeed {
  readonly #parts: AlarmFeedParts;
  readonly #pages: JournalPages;
  readonly #askEnd: (tenantId: number) => Promise<number | undefined>;
  readonly #stages = new Map<number, Stage>();
  /** Tells this server's own messages from those of others. */
  readonly #node: string = crypto.randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #turns = 0;
  #isClosed = false;

  constructor(parts: AlarmFeedParts) {
    this.#parts = parts;
    this.#pages = new JournalPages(parts.journal.read);
    this.#askEnd = askTogether(async (tenantIds: readonly number[]) => {
      const ends = await parts.journal.readEnds([...new Set(tenantIds)]);
      return tenantIds.map((tenantId) => ends.get(tenantId));
    }, mostTogether);
    this.#pollLater();
  }

  get tenants(): number {
    return this.#stages.size;
  }

  /** Called after a commit, by the writer: it must not fail and does not wait. */
  readonly onCommitted = (tenantId: number, entries: readonly JournalEntry[]): void => {
    const { bus, log } = this.#parts;
    try {
      const stage = this.#stages.get(tenantId);
      if (!stage && !bus.isConnected) return;
      const fresh = entries.map(toFeedEntry);
      const end = fresh.at(-1)?.seq ?? 0;
      stage?.feed.offer(fresh);
      if (bus.isConnected)
        bus.publish(subjectOf(tenantId), writeNews({ node: this.#node, end, entries: fresh }));
    } catch (error) {
      log.error({ err: error, tenantId }, 'committed entries not passed on');
    }
  };

  /** Keeps the tenant's feed running until `leave`. */
  enter(tenantId: number): TenantStage {
    const stage = this.#stages.get(tenantId) ?? this.#open(tenantId);
    stage.users += 1;
    stage.quietTurns = 0;
    return stage;
  }

  leave(tenantId: number): void {
    const stage = this.#stages.get(tenantId);
    if (stage) stage.users -= 1;
  }

  /** The end of the tenant's journal, looked up after this call. */
  async readEnd(tenantId: number): Promise<number> {
    const end = await this.#askEnd(tenantId);
    if (end === undefined) throw new Error(`tenant ${tenantId} has no journal`);
    return end;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stage of this.#stages.values()) this.#end(stage);
  }

  #open(tenantId: number): Stage {
    const { journal, fanOut, bus, log } = this.#parts;
    const audience: Audience = new Audience({
      fanOut,
      after: (seq) => feed.after(seq),
      onPushed: (entries) => this.#notePushed(entries),
      onRoom: () => feed.noticeEnd(0),
    });
    const feed = new TenantFeed({
      tenantId,
      pages: this.#pages,
      readJournal: (range) => journal.read(tenantId, range),
      readEnd: () => this.readEnd(tenantId),
      onEntries: (entries) => audience.push(entries),
      hasRoom: () => audience.hasRoom,
      onRepair: (entries) => {
        this.#parts.metrics.repairs.inc();
        this.#parts.metrics.repairedEntries.inc(entries);
      },
      onError: (error) => log.warn({ err: error, tenantId }, 'journal could not be read for the hub'),
    });
    // First to listen, then to look where the journal ends: nothing falls between.
    const stopListening = bus.subscribe(subjectOf(tenantId), (text) => this.#hear(feed, text));
    const ready = feed.start().then(() => audience.begin(feed.known));
    const stage: Stage = { tenantId, feed, audience, ready, users: 0, quietTurns: 0, stopListening };
    this.#stages.set(tenantId, stage);
    ready.catch(() => this.#end(stage));
    return stage;
  }

  #end(stage: Stage): void {
    stage.stopListening();
    stage.feed.close();
    if (this.#stages.get(stage.tenantId) === stage) this.#stages.delete(stage.tenantId);
  }

  #hear(feed: TenantFeed, text: string): void {
    const news = readNews(text);
    if (!news || news.node === this.#node) return;
    feed.offer(news.entries);
    feed.noticeEnd(news.end);
  }

  #notePushed(entries: readonly FeedEntry[]): void {
    const { metrics, clock } = this.#parts;
    metrics.pushed.inc(entries.length);
    const first = entries[0];
    if (first) metrics.lagSeconds.observe(Math.max(0, clock() - first.at) / 1_000);
  }

  #pollLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#poll(), pollMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    this.#turns += 1;
    for (const stage of this.#stages.values()) {
      if (this.#turns % ageEvery === 0) stage.feed.age();
      stage.quietTurns = stage.users > 0 ? 0 : stage.quietTurns + 1;
      if (stage.quietTurns > quietTurnsKept) this.#end(stage);
    }
    const tenantIds = [...this.#stages.keys()];
    try {
      const ends = tenantIds.length === 0 ? [] : await this.#parts.journal.readEnds(tenantIds);
      for (const [tenantId, end] of ends) this.#stages.get(tenantId)?.feed.noticeEnd(end);
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'journals could not be looked at for the hub');
    }
    this.#pollLater();
  }
}

function toFeedEntry({ seq, at, kind, stationId, announce, alarm }: JournalEntry): FeedEntry {
  return { seq, at: at.getTime(), kind, stationId, announce, alarmJson: JSON.stringify(alarm) };
}
