import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOut } from '@tocsin/signalr';
import type { Logger } from 'pino';
import type { JournalEntry } from '../../journal/journal.store.ts';
import { coalesceReads } from '../../postgres/coalesce-reads.ts';
import type { NodeMessages } from '../nodes/node-messages.ts';
import type { FeedEntry } from '../subscriptions/feed-entry.ts';
import { Subscriptions } from '../subscriptions/subscriptions.ts';
import type { JournalState, KnownEntry } from './feed.store.ts';
import type { HubMetrics } from './hub-metrics.ts';
import { type JournalBreak, JournalBreaks } from './journal-break.ts';
import { JournalPages } from './journal-pages.ts';
import type { JournalSource } from './journal-source.ts';
import { loadTagReach } from './load-tag-reach.ts';
import { TenantFeed } from './tenant-feed.ts';

export type AlarmFeedParts = {
  readonly journal: JournalSource;
  readonly nodeMessages: NodeMessages;
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  readonly metrics: HubMetrics;
  readonly log: Logger;
  /** Milliseconds since 1970, for the lag. */
  readonly clock: () => number;
};

/** A tenant with clients on this server. */
export type HubTenant = {
  readonly tenantId: number;
  readonly feed: TenantFeed;
  readonly subscriptions: Subscriptions;
  /** Resolves when the feed has started. */
  readonly ready: Promise<void>;
};

type OpenTenant = HubTenant & {
  clients: number;
  /** Polls since the last client left. */
  idlePolls: number;
  stopListening: () => void;
  /** When the journal was last found to be the one that clients got. */
  lastSameAt: Date | undefined;
  isRestarting: boolean;
};

/** Journals whose ends are read in one query. */
const maxPerQuery = 5_000;
/** How often the ends of journals are read, to find entries that no node message announced. */
const pollMs = 1_000;
/** Polls without clients before a tenant's feed ends, so that a client that reconnects finds it running. */
const maxIdlePolls = 30;
/** Polls after which old entries are forgotten. */
const forgetEveryPolls = 30;

/** The journals of all tenants that have clients here, each in order. Tenants without clients cost nothing. */
export class AlarmFeed {
  readonly #parts: AlarmFeedParts;
  readonly #pages: JournalPages;
  readonly #findEnd: (tenantId: number) => Promise<number | undefined>;
  readonly #tenants = new Map<number, OpenTenant>();
  readonly #breaks = new JournalBreaks();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #isClosed = false;

  constructor(parts: AlarmFeedParts) {
    this.#parts = parts;
    this.#pages = new JournalPages(parts.journal.read);
    this.#findEnd = coalesceReads(
      async (tenantIds: readonly number[]) => {
        const ends = await parts.journal.readEnds([...new Set(tenantIds)]);
        return tenantIds.map((tenantId) => ends.get(tenantId));
      },
      { maxBatchSize: maxPerQuery },
    );
    this.#pollLater();
  }

  get tenants(): number {
    return this.#tenants.size;
  }

  /** Journal entries of all tenants here that were not passed on yet. */
  get behind(): number {
    return [...this.#tenants.values()].reduce((sum, { feed }) => sum + feed.behind, 0);
  }

  /** Called by the writer after a commit: must not fail, and does not wait. */
  readonly onCommitted = (tenantId: number, entries: readonly JournalEntry[]): void => {
    const { nodeMessages, log } = this.#parts;
    try {
      this.#tenants.get(tenantId)?.feed.offer(entries.map(toFeedEntry));
      const end = entries.at(-1)?.seq;
      // Other servers learn only the end of the journal and read it themselves: NATS carries no alarm.
      if (end !== undefined && nodeMessages.isConnected) nodeMessages.publish('journal', tenantId, end);
    } catch (error) {
      log.error({ err: error, tenantId }, 'committed entries not passed on');
    }
  };

  /** Keeps the tenant's feed running until `leave`. */
  enter(tenantId: number): HubTenant {
    const tenant = this.#tenants.get(tenantId) ?? this.#open(tenantId);
    tenant.clients += 1;
    tenant.idlePolls = 0;
    return tenant;
  }

  leave(tenantId: number): void {
    const tenant = this.#tenants.get(tenantId);
    if (tenant) tenant.clients -= 1;
  }

  /** The end of the tenant's journal, read after this call. */
  async readEnd(tenantId: number): Promise<number> {
    const end = await this.#findEnd(tenantId);
    if (end === undefined) throw new Error(`tenant ${tenantId} has no journal`);
    return end;
  }

  /** Where the tenant's journal was replaced while this server served it, if it was. */
  breakOf(tenantId: number): JournalBreak | undefined {
    return this.#breaks.of(tenantId);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const tenant of this.#tenants.values()) this.#end(tenant);
  }

  #open(tenantId: number): OpenTenant {
    const { journal, fanOut, nodeMessages, log } = this.#parts;
    const reach = {
      readReach: (tagIds: readonly number[]) => journal.readReach(tenantId, tagIds),
      onError: (error: unknown) =>
        log.warn({ err: error, tenantId }, 'tags could not be read for filters of hub clients'),
    };
    const subscriptions: Subscriptions = new Subscriptions({
      fanOut,
      loadReach: (entries) => loadTagReach(entries, reach),
      readAfter: (seq) => feed.after(seq),
      onPushed: (entries) => this.#notePushed(entries),
      onDrained: () => feed.onEnd(0),
      onError: (error) => log.error({ err: error, tenantId }, 'alarms could not be sent to a hub client'),
    });
    const feed = this.#openFeed(tenantId, subscriptions);
    // Subscribes before it reads the end of the journal, so that no entry is missed in between.
    const stopListening = nodeMessages.subscribe('journal', tenantId, ({ reached }) =>
      feed.onNodeMessage(reached),
    );
    const ready = feed.start().then(() => subscriptions.startAt(feed.position));
    const state = { clients: 0, idlePolls: 0, lastSameAt: undefined, isRestarting: false };
    const tenant: OpenTenant = { tenantId, feed, subscriptions, ready, stopListening, ...state };
    this.#tenants.set(tenantId, tenant);
    ready.catch(() => this.#end(tenant));
    return tenant;
  }

  #openFeed(tenantId: number, subscriptions: Subscriptions): TenantFeed {
    const { journal, metrics, log } = this.#parts;
    return new TenantFeed({
      tenantId,
      pages: this.#pages,
      readJournal: (range) => journal.read(tenantId, range),
      readNew: (range) => journal.readNew(tenantId, range),
      readEnd: () => this.readEnd(tenantId),
      onEntries: (entries) => subscriptions.push(entries),
      hasRoom: () => subscriptions.hasRoom,
      onRead: (unannounced) => {
        metrics.reads.inc();
        if (unannounced > 0) metrics.repairs.inc();
        metrics.repairedEntries.inc(unannounced);
      },
      onError: (error) => log.warn({ err: error, tenantId }, 'journal could not be read for the hub'),
      onMismatch: () => void this.#compareOrWarn(),
    });
  }

  #end(tenant: OpenTenant): void {
    tenant.stopListening();
    tenant.feed.close();
    if (this.#tenants.get(tenant.tenantId) === tenant) this.#tenants.delete(tenant.tenantId);
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
    this.#polls += 1;
    for (const tenant of this.#tenants.values()) {
      if (this.#polls % forgetEveryPolls === 0) tenant.feed.forgetOldEntries();
      tenant.idlePolls = tenant.clients > 0 ? 0 : tenant.idlePolls + 1;
      if (tenant.idlePolls > maxIdlePolls) this.#end(tenant);
    }
    await this.#compareOrWarn();
    this.#pollLater();
  }

  async #compareOrWarn(): Promise<void> {
    try {
      await this.#compare();
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'journals could not be compared for the hub');
    }
  }

  /** Finds out whether there are new entries, and whether the journals are still the same. */
  async #compare(): Promise<void> {
    const started = [...this.#tenants.values()].filter(
      ({ feed, isRestarting }) => Number.isFinite(feed.position) && !isRestarting,
    );
    if (started.length === 0) return;
    const compared = started.map((tenant) => {
      const { tenantId, feed } = tenant;
      return { tenant, known: { tenantId, ...feed.lastEntry }, mismatches: feed.mismatches };
    });
    const { states, now } = await this.#parts.journal.readStates(compared.map(({ known }) => known));
    for (const { tenant, known, mismatches } of compared) {
      const state = states.get(known.tenantId);
      if (!state) continue;
      if (wasReplaced(known, state)) {
        void this.#restart(tenant, known.seq, state.end);
        continue;
      }
      if (state.knownAt !== undefined) tenant.feed.noteTime(known.seq, state.knownAt);
      tenant.lastSameAt = now;
      tenant.feed.resolveMismatches(mismatches);
      tenant.feed.onEnd(state.end);
    }
  }

  /** After a restored backup or a lossy failover: clients get the new entries, and then must reconnect. */
  async #restart(tenant: OpenTenant, knownEnd: number, end: number): Promise<void> {
    const { tenantId, feed, subscriptions } = tenant;
    const { journal, log, metrics } = this.#parts;
    if (tenant.isRestarting) return;
    tenant.isRestarting = true;
    try {
      const lastSameAt = tenant.lastSameAt ?? new Date(this.#parts.clock());
      const fork = await journal.readFork(tenantId, { marks: feed.marks(), end: knownEnd, lastSameAt });
      log.error(
        { tenantId, knownEnd, end, fork },
        'the journal was replaced by a restored backup or a failover that lost entries: hub clients of the tenant must reconnect',
      );
      metrics.journalBreaks.inc();
      await subscriptions.flushed();
      this.#pages.forget();
      subscriptions.rewind(fork);
      await feed.rewind(fork, end);
      await subscriptions.flushed();
      // Gives other servers the time to find the break before clients of this one reconnect there.
      await sleep(pollMs * 1.5, undefined, { ref: false });
      this.#breaks.note(tenantId, { fork, newEnd: feed.position, oldEnd: knownEnd });
      for (const connection of subscriptions.connections)
        connection.close({ error: 'journal_changed', allowReconnect: true });
    } catch (error) {
      log.warn({ err: error, tenantId }, 'journal could not be read for the hub');
    } finally {
      tenant.isRestarting = false;
    }
  }
}

/** Whether an entry that clients got is missing or differs. An entry that is no longer kept proves nothing. */
function wasReplaced({ seq, at }: KnownEntry, { end, knownAt }: JournalState): boolean {
  return end < seq || (at !== undefined && knownAt !== undefined && at !== knownAt);
}

function toFeedEntry({ seq, at, kind, stationId, announce, alarm }: JournalEntry): FeedEntry {
  return { seq, at: at.getTime(), kind, stationId, announce, alarmJson: JSON.stringify(alarm) };
}
