import type { HubConnection, HubMessage } from '@tocsin/signalr';
import type { FeedEntry } from './feed-entry.ts';
import type { HubUser } from './hub-user.ts';
import { type Callback, callsOf, type View } from './view.ts';

/** What a client was told of the entries between two places of the journal: all that its view showed. */
type Told = { readonly view: View; readonly after: number; upTo: number };

/** Beyond this many changes of its view a client may hear of an old entry twice. */
const mostTold = 16;

/** What a client was shown up to and including an entry, before it changed its filter; null for nothing. */
export type PastView = { readonly view: View | null; readonly until: number };

/** One client and where it is in the journal of its tenant. */
export class Subscriber {
  readonly connection: HubConnection<HubUser>;
  /** Gets new entries as they come. Others catch up, or want nothing. */
  isLive = false;
  /** Wants nothing until it subscribes again. */
  isMuted = false;
  /** The last entry that it was sent, or that was not for it. */
  position: number;
  /** Counts what it asked for: whoever works for an earlier wish stops. */
  wish = 0;
  #view: View;
  #told: Told[] = [];
  #past: readonly PastView[] = [];

  constructor(connection: HubConnection<HubUser>, view: View, position: number) {
    this.connection = connection;
    this.#view = view;
    this.position = position;
    this.look(view, position);
  }

  get view(): View {
    return this.#view;
  }

  /** What it is sent of the entries that come after its position, which moves on. */
  take(entries: readonly FeedEntry[]): HubMessage | undefined {
    const last = entries.at(-1);
    if (!last || last.seq <= this.position) return undefined;
    const fresh = entries.filter(({ seq }) => seq > this.position);
    const calls = fresh.flatMap((entry) => {
      const view = this.#viewAt(entry.seq);
      return view ? callsOf(view, [entry], (each, callback) => this.#had(each, callback)) : [];
    });
    this.moveTo(last.seq);
    return calls.length === 0 ? undefined : { calls, cursor: String(last.seq) };
  }

  /** Nothing up to `seq` is sent any more. */
  moveTo(seq: number): void {
    const now = this.#told.at(-1);
    if (now) now.upTo = Math.max(now.upTo, seq);
    this.position = seq;
  }

  /** Whether it must be known what the tags of the entries belong to. */
  get needsReach(): boolean {
    return this.#view.needsReach || this.#past.some(({ view }) => view?.needsReach);
  }

  /** Is sent what comes after `seq` and is for this view, but nothing that it had before on this connection. */
  look(view: View, seq: number): void {
    this.#view = view;
    this.position = seq;
    this.#past = [];
    const touches = (one: Told) => one.view.key === view.key && one.after <= seq && seq <= one.upTo;
    const known = this.#told.find(touches) ?? { view, after: seq, upTo: seq };
    this.#told = [...this.#told.filter((one) => one !== known), known].slice(-mostTold);
  }

  /** The journal has become another one after `seq`: what it was told of the old one counts no more. */
  stepBack(seq: number): void {
    this.#told = [];
    this.look(this.#view, Math.min(this.position, seq));
  }

  /** What came before its view began to hold is judged by these, oldest first: it may not have got it then. */
  lookBack(past: readonly PastView[]): void {
    this.#past = past.filter(({ until }) => until > this.position);
  }

  /** Whether it had nothing of what comes after its position: it then gets what all of its view get. */
  get isFresh(): boolean {
    return (
      this.#told.every(({ upTo }) => upTo <= this.position) &&
      this.#past.every(({ until }) => until <= this.position)
    );
  }

  #viewAt(seq: number): View | null {
    const past = this.#past.find(({ until }) => seq <= until);
    return past ? past.view : this.#view;
  }

  #had(entry: FeedEntry, callback: Callback): boolean {
    const { seq } = entry;
    return this.#told.some(
      ({ after, upTo, view }) =>
        after < seq && seq <= upTo && (callback === 'onAlarm' || view.changes) && view.shows(entry),
    );
  }
}
