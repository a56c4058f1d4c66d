import type { HubConnection, HubMessage } from '@tocsin/signalr';
import type { HubUser } from '../access/hub-user.ts';
import type { FeedEntry } from './feed-entry.ts';
import { type Callback, callsOf, type SubscriberFilter } from './subscriber-filter.ts';

/** A range of the journal that a client was sent, as far as the filter matched. */
type SentRange = { readonly filter: SubscriberFilter; readonly after: number; upTo: number };

/** After more changes of its filter than this, a client may get an old entry twice. */
const maxSentRanges = 16;

/** The filter that held up to and including an entry; null if the client got nothing. */
export type PastFilter = { readonly filter: SubscriberFilter | null; readonly until: number };

/** One client and its position in the journal of its tenant. */
export class Subscriber {
  readonly connection: HubConnection<HubUser>;
  /** Gets new entries as they come. Other subscribers catch up first, or are muted. */
  isLive = false;
  /** Gets nothing until it subscribes again. */
  isMuted = false;
  /** The last entry that it was sent, or that its filter did not match. */
  position: number;
  /** Counts its requests: work for an earlier request stops. */
  generation = 0;
  #filter: SubscriberFilter;
  #sentRanges: SentRange[] = [];
  #pastFilters: readonly PastFilter[] = [];

  constructor(connection: HubConnection<HubUser>, filter: SubscriberFilter, position: number) {
    this.connection = connection;
    this.#filter = filter;
    this.position = position;
    this.setFilter(filter, position);
  }

  get filter(): SubscriberFilter {
    return this.#filter;
  }

  /** Moves past the entries and returns the message for them, if any. */
  advance(entries: readonly FeedEntry[]): HubMessage | undefined {
    const last = entries.at(-1);
    if (!last || last.seq <= this.position) return undefined;
    const fresh = entries.filter(({ seq }) => seq > this.position);
    const calls = fresh.flatMap((entry) => {
      const filter = this.#filterAt(entry.seq);
      return filter ? callsOf(filter, [entry], (each, callback) => this.#wasSent(each, callback)) : [];
    });
    this.moveTo(last.seq);
    return calls.length === 0 ? undefined : { invocations: calls, cursor: String(last.seq) };
  }

  /** Nothing up to `seq` is sent any more. */
  moveTo(seq: number): void {
    const current = this.#sentRanges.at(-1);
    if (current) current.upTo = Math.max(current.upTo, seq);
    this.position = seq;
  }

  /** Whether a filter needs the reach of the entries' tags. */
  get needsReach(): boolean {
    return this.#filter.needsReach || this.#pastFilters.some(({ filter }) => filter?.needsReach);
  }

  /** From now on sends the entries after `seq` that match, except those already sent on this connection. */
  setFilter(filter: SubscriberFilter, seq: number): void {
    this.#filter = filter;
    this.position = seq;
    this.#pastFilters = [];
    const continues = (range: SentRange) =>
      range.filter.key === filter.key && range.after <= seq && seq <= range.upTo;
    const current = this.#sentRanges.find(continues) ?? { filter, after: seq, upTo: seq };
    this.#sentRanges = [...this.#sentRanges.filter((range) => range !== current), current].slice(
      -maxSentRanges,
    );
  }

  /** The journal was replaced after `seq`: ranges of the old journal no longer count. */
  rewind(seq: number): void {
    this.#sentRanges = [];
    this.setFilter(this.#filter, Math.min(this.position, seq));
  }

  /** Earlier entries are matched by these filters, oldest first: the client may not have got them then. */
  setPastFilters(pastFilters: readonly PastFilter[]): void {
    this.#pastFilters = pastFilters.filter(({ until }) => until > this.position);
  }

  /** Whether it was sent nothing after its position, so that it can share messages with its filter's other clients. */
  get canShareMessages(): boolean {
    return (
      this.#sentRanges.every(({ upTo }) => upTo <= this.position) &&
      this.#pastFilters.every(({ until }) => until <= this.position)
    );
  }

  #filterAt(seq: number): SubscriberFilter | null {
    const past = this.#pastFilters.find(({ until }) => seq <= until);
    return past ? past.filter : this.#filter;
  }

  #wasSent(entry: FeedEntry, callback: Callback): boolean {
    const { seq } = entry;
    return this.#sentRanges.some(
      ({ after, upTo, filter }) =>
        after < seq && seq <= upTo && (callback === 'onAlarm' || filter.changes) && filter.matches(entry),
    );
  }
}
