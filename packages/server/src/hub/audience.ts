import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { FanOut, HubConnection, HubMessage } from '@tocsin/signalr';
import type { FeedEntry } from './feed-entry.ts';
import type { HubUser } from './hub-user.ts';
import type { Subscriber } from './subscriber.ts';
import { callsOf, type View } from './view.ts';

export type AudienceParts = {
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  /** Looks up what the tags of the entries belong to, as far as that is possible in a moment. */
  readonly lookUp: (entries: readonly FeedEntry[]) => Promise<void>;
  /** Some of the entries after a place in the journal. */
  readonly after: (seq: number) => Promise<readonly FeedEntry[]>;
  /** Entries were written to all who get them live. */
  readonly onPushed: (entries: readonly FeedEntry[]) => void;
  /** There is room again. */
  readonly onRoom: () => void;
  /** A client could not be given its entries at once, or at all. */
  readonly onError: (error: unknown) => void;
};

/** Entries that go out in one message: some 45 kB of common alarms. */
const mostTogether = 64;
/** Entries that may wait for slower fan-out; others stay in the journal meanwhile. */
const mostWaiting = 4_096;
/** A client is given no more while this much is on its way to it; then it catches up. */
const pendingBytes = 131_072;
/** Entries that are replayed in one message. */
const mostReplayed = 16;
/** Far below what a client may leave unread before it is cut. */
const messageBytes = 262_144;
const breathMs = 20;
/** An alarm that has waited for so long is written without a rest. */
const longestWaitMs = 15;
/** Between two rounds of writing. */
const longestRestMs = 25;

/** The clients of one tenant on this server. */
export class Audience {
  readonly #parts: AudienceParts;
  readonly #subscribers = new Map<HubConnection<HubUser>, Subscriber>();
  #live: HubConnection<HubUser>[] | undefined;
  #waiting: FeedEntry[] = [];
  /** When each of them came, in ms. */
  #arrivals: number[] = [];
  #pumping = false;
  /** The last entry that was, or is being, written to the live ones. */
  #dispatched = 0;

  constructor(parts: AudienceParts) {
    this.#parts = parts;
  }

  get hasRoom(): boolean {
    return this.#waiting.length < mostWaiting;
  }

  of(connection: HubConnection<HubUser>): Subscriber | undefined {
    return this.#subscribers.get(connection);
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.set(subscriber.connection, subscriber);
  }

  remove(connection: HubConnection<HubUser>): void {
    const subscriber = this.#subscribers.get(connection);
    if (!subscriber) return;
    subscriber.wish += 1;
    this.#setLive(subscriber, false);
    this.#subscribers.delete(connection);
  }

  /** Where the feed starts: what lies before is in the journal only. */
  begin(seq: number): void {
    this.#dispatched = Math.max(this.#dispatched, seq);
  }

  get connections(): HubConnection<HubUser>[] {
    return [...this.#subscribers.keys()];
  }

  /** All that was pushed so far is written. */
  async settled(): Promise<void> {
    while (this.#pumping) await sleep(breathMs);
  }

  /** The journal has become another one after `seq`: what comes after that is new to all. Nothing may be waiting. */
  stepBack(seq: number): void {
    this.#dispatched = Math.min(this.#dispatched, seq);
    for (const subscriber of this.#subscribers.values()) subscriber.stepBack(seq);
  }

  /** Entries in the order of `seq`, each once. */
  push(entries: readonly FeedEntry[]): void {
    const now = performance.now();
    this.#waiting.push(...entries);
    this.#arrivals.push(...entries.map(() => now));
    if (!this.#pumping) void this.#pump();
  }

  /** Holds back what is new until it catches up. */
  pause(subscriber: Subscriber): void {
    subscriber.wish += 1;
    this.#setLive(subscriber, false);
  }

  /**
   * Sends what lies between its position and now, and then everything as it comes. False when the client is gone or
   * has asked for something else meanwhile.
   */
  async catchUp(subscriber: Subscriber): Promise<boolean> {
    this.pause(subscriber);
    const { connection, wish } = subscriber;
    while (subscriber.position < this.#dispatched) {
      const entries = await this.#parts.after(subscriber.position);
      if (subscriber.needsReach) await this.#parts.lookUp(entries);
      if (subscriber.wish !== wish || !connection.isOpen) return false;
      // Nothing is left of what was there: months were dropped.
      if (entries.length === 0) subscriber.moveTo(this.#dispatched);
      for (let start = 0; start < entries.length; ) {
        const count = countWithin(entries, start, mostReplayed);
        const message = subscriber.take(entries.slice(start, start + count));
        start += count;
        if (message) connection.send(message);
        await breath(connection);
        if (subscriber.wish !== wish || !connection.isOpen) return false;
      }
    }
    this.#setLive(subscriber, true);
    return true;
  }

  #setLive(subscriber: Subscriber, isLive: boolean): void {
    if (subscriber.isLive === isLive) return;
    subscriber.isLive = isLive;
    this.#live = undefined;
  }

  /** One batch after the other: whoever is live has all before it. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, countWithin(this.#waiting, 0, mostTogether));
      this.#arrivals.splice(0, batch.length);
      if (this.#needsReach) await this.#parts.lookUp(batch);
      this.#dispatched = batch.at(-1)?.seq ?? this.#dispatched;
      this.#live ??= [...this.#subscribers.values()].filter(isLive).map(connectionOf);
      const workedMs = await this.#parts.fanOut.broadcast(this.#live, this.#messagesOf(batch));
      this.#parts.onPushed(batch);
      await rest(workedMs, performance.now() - (this.#arrivals[0] ?? Infinity));
    }
    this.#pumping = false;
    this.#parts.onRoom();
  }

  get #needsReach(): boolean {
    return this.#subscribers.values().some(({ needsReach }) => needsReach);
  }

  #messagesOf(batch: readonly FeedEntry[]): (connection: HubConnection<HubUser>) => HubMessage | undefined {
    const first = batch[0]?.seq ?? 0;
    const last = batch.at(-1)?.seq ?? 0;
    const shared = new Map<string, HubMessage | undefined>();
    const sharedBy = (view: View) => {
      if (!shared.has(view.key)) shared.set(view.key, messageOf(callsOf(view, batch), last));
      return shared.get(view.key);
    };
    return (connection) => {
      const subscriber = this.#subscribers.get(connection);
      if (!subscriber?.isLive) return undefined;
      // What it has not read is not its fault when much comes at once: it gets the rest as it reads.
      if (subscriber.position < first - 1 || connection.pendingBytes > pendingBytes)
        return this.#fallBehind(subscriber);
      try {
        if (subscriber.position !== first - 1 || !subscriber.isFresh) return subscriber.take(batch);
        const message = sharedBy(subscriber.view);
        subscriber.moveTo(last);
        return message;
      } catch (error) {
        this.#parts.onError(error);
        return this.#fallBehind(subscriber);
      }
    };
  }

  /** From its position on, at its own pace. Whoever cannot be given that comes back: silence must not stand for peace. */
  #fallBehind(subscriber: Subscriber): undefined {
    this.pause(subscriber);
    this.catchUp(subscriber).catch((error: unknown) => {
      this.#parts.onError(error);
      subscriber.connection.close({ error: 'unavailable', allowReconnect: true });
    });
  }
}

/** Of the entries from `start` on, how many go into one message; the longest alarm goes alone. */
function countWithin(entries: readonly FeedEntry[], start: number, most: number): number {
  let count = 0;
  let bytes = 0;
  for (; count < most && start + count < entries.length; count += 1) {
    const entry = entries[start + count];
    // Both callbacks carry the alarm.
    bytes += entry === undefined ? 0 : 2 * Buffer.byteLength(entry.alarmJson);
    if (bytes > messageBytes && count > 0) break;
  }
  return count;
}

const isLive = (subscriber: Subscriber) => subscriber.isLive;
const connectionOf = (subscriber: Subscriber) => subscriber.connection;

function messageOf(calls: HubMessage['calls'], cursor: number): HubMessage | undefined {
  return calls.length === 0 ? undefined : { calls, cursor: String(cursor) };
}

/**
 * To write to a thousand clients takes most of its time whatever is written. Between two rounds there is time for the
 * next alarms to be committed, and those then share a round; a few clients are not made to wait, nor is an alarm that
 * has waited already.
 */
async function rest(workedMs: number, waitedMs: number): Promise<void> {
  if (workedMs >= 1 && waitedMs < longestWaitMs) await sleep(Math.min(workedMs, longestRestMs));
}

/** Lets others have their turn, and the client read. */
async function breath(connection: HubConnection<HubUser>): Promise<void> {
  await immediate();
  while (connection.isOpen && connection.pendingBytes > pendingBytes) await sleep(breathMs);
}
