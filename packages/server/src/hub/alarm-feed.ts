import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOut } from '@tocsin/signalr';
import type { Logger } from 'pino';
import type { JournalEntry } from '../journal/journal.store.ts';
import { askTogether } from '../postgres/ask-together.ts';
import { Audience } from './audience.ts';
import type { JournalPlace, KnownPlace, Remembered } from './feed.store.ts';
import { alarmOf, type FeedEntry } from './feed-entry.ts';
import type { HintExchange } from './hint-exchange.ts';
import type { HubMetrics } from './hub-metrics.ts';
import { type JournalBreak, JournalBreaks } from './journal-break.ts';
import { JournalPages, type ReadJournal } from './journal-pages.ts';
import { noteReach, reachOf, type TagReach } from './tag-reach.ts';
import { TenantFeed } from './tenant-feed.ts';

/** What the feed asks of the database. */
export type JournalSource = {
  readonly read: ReadJournal;
  /** The same for entries that another server has written; few such reads run at a time. */
  readonly readNew: ReadJournal;
  readonly readEnds: (tenantIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  readonly readPlaces: (
    known: readonly KnownPlace[],
  ) => Promise<{ places: ReadonlyMap<number, JournalPlace>; now: Date }>;
  readonly readReach: (tenantId: number, tagIds: readonly number[]) => Promise<ReadonlyMap<number, TagReach>>;
  /** The last entry that the journal has in common with what is remembered of it. */
  readonly readFork: (tenantId: number, remembered: Remembered) => Promise<number>;
};

export type AlarmFeedParts = {
  readonly journal: JournalSource;
  readonly hints: HintExchange;
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

type Stage = TenantStage & {
  users: number;
  quietTurns: number;
  stopListening: () => void;
  /** When the journal was last seen to be the one that clients are told of. */
  sameAt: Date | undefined;
  isStartingAgain: boolean;
};

/** Journals whose ends are asked for in one question. */
const mostTogether = 5_000;
/** How often the ends of journals are looked at: what no message told is found then. */
const pollMs = 1_000;
/** Polls without clients before a tenant's feed ends: who reconnects finds it running. */
const quietTurnsKept = 30;
/** Polls between which recent entries grow old. */
const ageEvery = 30;

const longestLookUpMs = 1_000;
/** Of a tag that is no more. */
const nothing: TagReach = {
  tagGroupIds: [],
  scenarioIds: [],
  callGroupIds: [],
  homes: { tagGroups: {}, scenarios: {}, callGroups: {} },
};

/** The journals of all tenants that have clients here, each in order. Tenants without clients cost nothing. */
export class AlarmFeed {
  readonly #parts: AlarmFeedParts;
  readonly #pages: JournalPages;
  readonly #askEnd: (tenantId: number) => Promise<number | undefined>;
  readonly #stages = new Map<number, Stage>();
  readonly #breaks = new JournalBreaks();
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
    const { hints, log } = this.#parts;
    try {
      this.#stages.get(tenantId)?.feed.offer(entries.map(toFeedEntry));
      const end = entries.at(-1)?.seq;
      // Others are told how far the journal goes and read it themselves: no alarm is on the bus.
      if (end !== undefined && hints.isConnected) hints.publish('journal', tenantId, end);
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

  /** How the tenant's journal has become another one while this server told of it, if it has. */
  breakOf(tenantId: number): JournalBreak | undefined {
    return this.#breaks.of(tenantId);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stage of this.#stages.values()) this.#end(stage);
  }

  #open(tenantId: number): Stage {
    const { journal, fanOut, hints, log } = this.#parts;
    const audience: Audience = new Audience({
      fanOut,
      lookUp: (entries) => this.#lookUp(tenantId, entries),
      after: (seq) => feed.after(seq),
      onPushed: (entries) => this.#notePushed(entries),
      onRoom: () => feed.noticeEnd(0),
      onError: (error) => log.error({ err: error, tenantId }, 'hub client could not be given its alarms'),
    });
    const feed = new TenantFeed({
      tenantId,
      pages: this.#pages,
      readJournal: (range) => journal.read(tenantId, range),
      readNew: (range) => journal.readNew(tenantId, range),
      readEnd: () => this.readEnd(tenantId),
      onEntries: (entries) => audience.push(entries),
      hasRoom: () => audience.hasRoom,
      onRead: (untold) => {
        this.#parts.metrics.reads.inc();
        if (untold > 0) this.#parts.metrics.repairs.inc();
        this.#parts.metrics.repairedEntries.inc(untold);
      },
      onError: (error) => log.warn({ err: error, tenantId }, 'journal could not be read for the hub'),
      onDoubt: () => void this.#lookOrWarn(),
    });
    // First to listen, then to look where the journal ends: nothing falls between.
    const stopListening = hints.subscribe('journal', tenantId, ({ reached }) => feed.hint(reached));
    const ready = feed.start().then(() => audience.begin(feed.known));
    const begins = { users: 0, quietTurns: 0, sameAt: undefined, isStartingAgain: false };
    const stage: Stage = { tenantId, feed, audience, ready, stopListening, ...begins };
    this.#stages.set(tenantId, stage);
    ready.catch(() => this.#end(stage));
    return stage;
  }

  /** Pushing does not wait long for it: what is not known in time is pushed to all who might have asked for it. */
  async #lookUp(tenantId: number, entries: readonly FeedEntry[]): Promise<void> {
    const unknown = entries.filter((entry) => reachOf(entry) === undefined);
    if (unknown.length === 0) return;
    const find = async () => {
      const tagIds = [...new Set(unknown.map((entry) => alarmOf(entry).id))];
      const found = await this.#parts.journal.readReach(tenantId, tagIds);
      for (const entry of unknown) noteReach(entry, found.get(alarmOf(entry).id) ?? nothing);
    };
    const finding = find().catch((error: unknown) =>
      this.#parts.log.warn({ err: error, tenantId }, 'filters of hub clients could not be looked up'),
    );
    await Promise.race([finding, sleep(longestLookUpMs, undefined, { ref: false })]);
  }

  #end(stage: Stage): void {
    stage.stopListening();
    stage.feed.close();
    if (this.#stages.get(stage.tenantId) === stage) this.#stages.delete(stage.tenantId);
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
    await this.#lookOrWarn();
    this.#pollLater();
  }

  async #lookOrWarn(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'journals could not be looked at for the hub');
    }
  }

  /** Whether there is more in the journals, and whether they are still the same. */
  async #look(): Promise<void> {
    const begun = [...this.#stages.values()].filter(
      ({ feed, isStartingAgain }) => Number.isFinite(feed.known) && !isStartingAgain,
    );
    if (begun.length === 0) return;
    const looks = begun.map((stage) => {
      const { tenantId, feed } = stage;
      return { stage, known: { tenantId, ...feed.place }, doubts: feed.doubts };
    });
    const { places, now } = await this.#parts.journal.readPlaces(looks.map(({ known }) => known));
    for (const { stage, known, doubts } of looks) {
      const place = places.get(known.tenantId);
      if (!place) continue;
      if (isOther(known, place)) void this.#startAgain(stage, known.seq, place.end);
      else {
        if (place.knownAt !== undefined) stage.feed.noteTime(known.seq, place.knownAt);
        stage.sameAt = now;
        stage.feed.settleDoubts(doubts);
        stage.feed.noticeEnd(place.end);
      }
    }
  }

  /**
   * A backup was restored, or a failover lost the last entries: clients get what is new in the journal that is now, and
   * then connect again.
   */
  async #startAgain(stage: Stage, knownEnd: number, end: number): Promise<void> {
    const { tenantId, feed, audience } = stage;
    const { journal, log, metrics } = this.#parts;
    if (stage.isStartingAgain) return;
    stage.isStartingAgain = true;
    try {
      const sameAt = stage.sameAt ?? new Date(this.#parts.clock());
      const fork = await journal.readFork(tenantId, { marks: feed.marks(), end: knownEnd, sameAt });
      log.error(
        { tenantId, knownEnd, end, fork },
        'the journal is not the one that hub clients were told of: a backup was restored or a failover lost entries. All clients of the tenant start again',
      );
      metrics.journalBreaks.inc();
      await audience.settled();
      this.#pages.forget();
      audience.stepBack(fork);
      await feed.stepBack(fork, end);
      await audience.settled();
      // Other servers notice it too, before clients of this one come to them.
      await sleep(pollMs * 1.5, undefined, { ref: false });
      this.#breaks.note(tenantId, { fork, newEnd: feed.known, oldEnd: knownEnd });
      for (const connection of audience.connections)
        connection.close({ error: 'journal_changed', allowReconnect: true });
    } catch (error) {
      log.warn({ err: error, tenantId }, 'journal could not be read for the hub');
    } finally {
      stage.isStartingAgain = false;
    }
  }
}

/** An entry that the server has told of is not there, or is another one. One that is not kept any more says nothing. */
function isOther({ seq, at }: KnownPlace, { end, knownAt }: JournalPlace): boolean {
  return end < seq || (at !== undefined && knownAt !== undefined && at !== knownAt);
}

function toFeedEntry({ seq, at, kind, stationId, announce, alarm }: JournalEntry): FeedEntry {
  return { seq, at: at.getTime(), kind, stationId, announce, alarmJson: JSON.stringify(alarm) };
}
