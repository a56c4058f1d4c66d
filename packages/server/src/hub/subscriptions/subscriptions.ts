import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { FanOut, HubConnection, HubMessage } from '@tocsin/signalr';
import type { HubUser } from '../access/hub-user.ts';
import type { FeedEntry } from './feed-entry.ts';
import type { Subscriber } from './subscriber.ts';
import { callsOf, type SubscriberFilter } from './subscriber-filter.ts';

export type SubscriptionsParts = {
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  /** Loads the reach of the entries' tags, as far as it can be read in time. */
  readonly loadReach: (entries: readonly FeedEntry[]) => Promise<void>;
  /** Some of the entries after a position in the journal. */
  readonly readAfter: (seq: number) => Promise<readonly FeedEntry[]>;
  /** Entries were written to all live clients. */
  readonly onPushed: (entries: readonly FeedEntry[]) => void;
  /** Everything that was pushed is written, so there is room again. */
  readonly onDrained: () => void;
  /** Entries could not be sent to a client at once, or at all. */
  readonly onError: (error: unknown) => void;
};

/** Entries in one message: about 45 kB of typical alarms. */
const maxBatch = 64;
/** Entries that wait in memory while the fan-out is slower; the rest waits in the journal. */
const maxWaiting = 4_096;
/** A client with more unsent bytes than this gets no live entries, and catches up later. */
const maxPendingBytes = 131_072;
/** Entries in one replayed message. */
const maxReplayBatch = 16;
/** Far below the unread bytes at which a slow client is disconnected. */
const maxMessageBytes = 262_144;
const pendingCheckMs = 20;
/** Alarms that have waited this long are written without a pause. */
const maxWaitMs = 15;
const maxPauseMs = 25;

/** The clients of one tenant on this server. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts;
  readonly #subscribers = new Map<HubConnection<HubUser>, Subscriber>();
  #live: HubConnection<HubUser>[] | undefined;
  #waiting: FeedEntry[] = [];
  /** Arrival times of the waiting entries, in milliseconds. */
  #arrivals: number[] = [];
  #pumping = false;
  /** The last entry that was, or is being, written to the live clients. */
  #dispatched = 0;

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts;
  }

  get hasRoom(): boolean {
    return this.#waiting.length < maxWaiting;
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
    subscriber.generation += 1;
    this.#setLive(subscriber, false);
    this.#subscribers.delete(connection);
  }

  /** Sets the position of the feed: earlier entries are in the journal only. */
  startAt(seq: number): void {
    this.#dispatched = Math.max(this.#dispatched, seq);
  }

  get connections(): HubConnection<HubUser>[] {
    return [...this.#subscribers.keys()];
  }

  /** Resolves when everything that was pushed is written. */
  async flushed(): Promise<void> {
    while (this.#pumping) await sleep(pendingCheckMs);
  }

  /** The journal was replaced after `seq`: later entries are new to all. No entry may be waiting. */
  rewind(seq: number): void {
    this.#dispatched = Math.min(this.#dispatched, seq);
    for (const subscriber of this.#subscribers.values()) subscriber.rewind(seq);
  }

  /** Takes entries in the order of `seq`, each once. */
  push(entries: readonly FeedEntry[]): void {
    const now = performance.now();
    this.#waiting.push(...entries);
    this.#arrivals.push(...entries.map(() => now));
    if (!this.#pumping) void this.#pump();
  }

  /** Sends no new entries until the subscriber catches up. */
  pause(subscriber: Subscriber): void {
    subscriber.generation += 1;
    this.#setLive(subscriber, false);
  }

  /**
   * Sends the entries between the subscriber's position and now, and makes it live. Returns false if the client is gone
   * or has sent another request meanwhile.
   */
  async catchUp(subscriber: Subscriber): Promise<boolean> {
    this.pause(subscriber);
    const { connection, generation } = subscriber;
    while (subscriber.position < this.#dispatched) {
      const entries = await this.#parts.readAfter(subscriber.position);
      if (subscriber.needsReach) await this.#parts.loadReach(entries);
      if (subscriber.generation !== generation || !connection.isOpen) return false;
      // The entries were deleted: their months were dropped.
      if (entries.length === 0) subscriber.moveTo(this.#dispatched);
      for (let start = 0; start < entries.length; ) {
        const count = countWithin(entries, start, maxReplayBatch);
        const message = subscriber.advance(entries.slice(start, start + count));
        start += count;
        if (message) connection.send(message);
        await yieldToReader(connection);
        if (subscriber.generation !== generation || !connection.isOpen) return false;
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

  /** Writes one batch after the other, so that a live client has every entry before the batch. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, countWithin(this.#waiting, 0, maxBatch));
      this.#arrivals.splice(0, batch.length);
      if (this.#needsReach) await this.#parts.loadReach(batch);
      this.#dispatched = batch.at(-1)?.seq ?? this.#dispatched;
      this.#live ??= [...this.#subscribers.values()].filter(isLive).map(connectionOf);
      const workedMs = await this.#parts.fanOut.broadcast(this.#live, this.#messagesOf(batch));
      this.#parts.onPushed(batch);
      await pauseBetweenRounds(workedMs, performance.now() - (this.#arrivals[0] ?? Infinity));
    }
    this.#pumping = false;
    this.#parts.onDrained();
  }

  get #needsReach(): boolean {
    return this.#subscribers.values().some(({ needsReach }) => needsReach);
  }

  #messagesOf(batch: readonly FeedEntry[]): (connection: HubConnection<HubUser>) => HubMessage | undefined {
    const first = batch[0]?.seq ?? 0;
    const last = batch.at(-1)?.seq ?? 0;
    const shared = new Map<string, HubMessage | undefined>();
    const sharedBy = (filter: SubscriberFilter) => {
      if (!shared.has(filter.key)) shared.set(filter.key, messageOf(callsOf(filter, batch), last));
      return shared.get(filter.key);
    };
    return (connection) => {
      const subscriber = this.#subscribers.get(connection);
      if (!subscriber?.isLive) return undefined;
      // A burst of alarms is not the client's fault: it gets the rest as it reads.
      if (subscriber.position < first - 1 || connection.pendingBytes > maxPendingBytes)
        return this.#fallBehind(subscriber);
      try {
        if (subscriber.position !== first - 1 || !subscriber.canShareMessages)
          return subscriber.advance(batch);
        const message = sharedBy(subscriber.filter);
        subscriber.moveTo(last);
        return message;
      } catch (error) {
        this.#parts.onError(error);
        return this.#fallBehind(subscriber);
      }
    };
  }

  /** Lets the client catch up at its own pace. If that fails, it must reconnect: missing data is never shown as "all clear". */
  #fallBehind(subscriber: Subscriber): undefined {
    this.pause(subscriber);
    this.catchUp(subscriber).catch((error: unknown) => {
      this.#parts.onError(error);
      subscriber.connection.close({ error: 'unavailable', allowReconnect: true });
    });
  }
}

/** How many entries from `start` on fit into one message. At least one, however long it is. */
function countWithin(entries: readonly FeedEntry[], start: number, maxCount: number): number {
  let count = 0;
  let bytes = 0;
  for (; count < maxCount && start + count < entries.length; count += 1) {
    const entry = entries[start + count];
    // Both callbacks carry the alarm.
    bytes += entry === undefined ? 0 : 2 * Buffer.byteLength(entry.alarmJson);
    if (bytes > maxMessageBytes && count > 0) break;
  }
  return count;
}

const isLive = (subscriber: Subscriber) => subscriber.isLive;
const connectionOf = (subscriber: Subscriber) => subscriber.connection;

function messageOf(invocations: HubMessage['invocations'], cursor: number): HubMessage | undefined {
  return invocations.length === 0 ? undefined : { invocations, cursor: String(cursor) };
}

/**
 * Writing to a thousand clients costs about the same for one alarm as for many, so a pause lets the next alarms share a
 * round. With few clients, or if an alarm has already waited, there is no pause.
 */
async function pauseBetweenRounds(workedMs: number, waitedMs: number): Promise<void> {
  if (workedMs >= 1 && waitedMs < maxWaitMs) await sleep(Math.min(workedMs, maxPauseMs));
}

/** Lets other work run, and waits until the client has read. */
async function yieldToReader(connection: HubConnection<HubUser>): Promise<void> {
  await immediate();
  while (connection.isOpen && connection.pendingBytes > maxPendingBytes) await sleep(pendingCheckMs);
}
