import type { HubConnection, HubMessage } from '@tocsin/signalr';
import type { FeedEntry } from './feed-entry.ts';
import type { HubUser } from './hub-user.ts';
import { type Callback, callsOf, type View } from './view.ts';

/** What a client was told of the entries between two places of the journal: all that its view showed. */
type Told = { readonly view: View; readonly after: number; upTo: number };

/** Beyond this many changes of its view a client may hear of an old entry twice. */
const mostTold = 16;

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
    const calls = callsOf(this.#view, fresh, (entry, callback) => this.#had(entry, callback));
    this.moveTo(last.seq);
    return calls.length === 0 ? undefined : { calls, cursor: String(last.seq) };
  }

  /** Nothing up to `seq` is sent any more. */
  moveTo(seq: number): void {
    const now = this.#told.at(-1);
    if (now) now.upTo = Math.max(now.upTo, seq);
    this.position = seq;
  }

  /** Is sent what comes after `seq` and is for this view, but nothing that it had before on this connection. */
  look(view: View, seq: number): void {
    this.#view = view;
    this.position = seq;
    const touches = (one: Told) => one.view.key === view.key && one.after <= seq && seq <= one.upTo;
    const known = this.#told.find(touches) ?? { view, after: seq, upTo: seq };
    this.#told = [...this.#told.filter((one) => one !== known), known].slice(-mostTold);
  }

  /** Whether it had nothing of what comes after its position: it then gets what all of its view get. */
  get isFresh(): boolean {
    return this.#told.every(({ upTo }) => upTo <= this.position);
  }

  #had(entry: FeedEntry, callback: Callback): boolean {
    const { seq } = entry;
    return this.#told.some(
      ({ after, upTo, view }) =>
        after < seq && seq <= upTo && (callback === 'onAlarm' || view.changes) && view.shows(entry),
    );
  }
}
