import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { FanOut, HubConnection, HubMessage } from '@tocsin/signalr';
import type { FeedEntry } from './feed-entry.ts';
import type { HubUser } from './hub-user.ts';
import type { Subscriber } from './subscriber.ts';
import { callsOf, type View } from './view.ts';

export type AudienceParts = {
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  /** Some of the entries after a place in the journal. */
  readonly after: (seq: number) => Promise<readonly FeedEntry[]>;
  /** Entries were written to all who get them live. */
  readonly onPushed: (entries: readonly FeedEntry[]) => void;
  /** There is room again. */
  readonly onRoom: () => void;
};

/** Entries that go out in one message: some 45 kB of alarms. */
const mostTogether = 64;
/** Entries that may wait for slower fan-out; others stay in the journal meanwhile. */
const mostWaiting = 4_096;
/** A client that catches up is given no more while this much is on its way to it. */
const pendingBytes = 262_144;
/** So few of the longest alarms stay below what a client may leave unread: nobody is cut for having been away. */
const mostReplayed = 16;
const breathMs = 20;
/** Between two rounds of writing. */
const longestRestMs = 25;

/** The clients of one tenant on this server. */
export class Audience {
  readonly #parts: AudienceParts;
  readonly #subscribers = new Map<HubConnection<HubUser>, Subscriber>();
  #live: HubConnection<HubUser>[] | undefined;
  #waiting: FeedEntry[] = [];
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

  /** Entries in the order of `seq`, each once. */
  push(entries: readonly FeedEntry[]): void {
    this.#waiting.push(...entries);
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
      if (subscriber.wish !== wish || !connection.isOpen) return false;
      // Nothing is left of what was there: months were dropped.
      if (entries.length === 0) subscriber.moveTo(this.#dispatched);
      for (let start = 0; start < entries.length; start += mostReplayed) {
        const message = subscriber.take(entries.slice(start, start + mostReplayed));
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
      const batch = this.#waiting.splice(0, mostTogether);
      this.#dispatched = batch.at(-1)?.seq ?? this.#dispatched;
      this.#live ??= [...this.#subscribers.values()].filter(isLive).map(connectionOf);
      const startMs = performance.now();
      await this.#parts.fanOut.broadcast(this.#live, this.#messagesOf(batch));
      this.#parts.onPushed(batch);
      await rest(performance.now() - startMs);
    }
    this.#pumping = false;
    this.#parts.onRoom();
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
      if (subscriber.position !== first - 1 || !subscriber.isFresh) return subscriber.take(batch);
      subscriber.moveTo(last);
      return sharedBy(subscriber.view);
    };
  }
}

const isLive = (subscriber: Subscriber) => subscriber.isLive;
const connectionOf = (subscriber: Subscriber) => subscriber.connection;

function messageOf(calls: HubMessage['calls'], cursor: number): HubMessage | undefined {
  return calls.length === 0 ? undefined : { calls, cursor: String(cursor) };
}

/**
 * To write to a thousand clients takes most of its time whatever is written. Between two rounds there is time for the
 * next alarms to be committed, and those then share a round; a few clients are not made to wait.
 */
async function rest(workedMs: number): Promise<void> {
  if (workedMs >= 1) await sleep(Math.min(workedMs, longestRestMs));
}

/** Lets others have their turn, and the client read. */
async function breath(connection: HubConnection<HubUser>): Promise<void> {
  await immediate();
  while (connection.isOpen && connection.pendingBytes > pendingBytes) await sleep(breathMs);
}
