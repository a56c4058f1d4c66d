import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOut, HubConnection, HubMessage } from '@tocsin/signalr';
import type { HubUser } from '../access/hub-user.ts';
import type { CallEvent, CallEventsPage, CallEventsPosition } from '../subscriptions/call-event.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import type { SubscriberFilter } from '../subscriptions/subscriber-filter.ts';

export type TenantCallEventsParts = {
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  /** The position from which everything that commits later is read. */
  readonly readPosition: () => Promise<CallEventsPosition>;
  readonly read: (position: CallEventsPosition) => Promise<CallEventsPage>;
  readonly onError: (error: unknown) => void;
};

type Connection = HubConnection<HubUser>;

/** Call events in one message: about 60 kB. */
const maxBatch = 64;
/** Between two reads, however often new call events are announced. */
const betweenReadsMs = 50;

/**
 * The clients of a tenant on this server that want call events. Each gets the call events from then on, in order and
 * once; it reads earlier ones over HTTP.
 */
export class TenantCallEvents {
  readonly #parts: TenantCallEventsParts;
  readonly #listeners = new Map<Connection, Subscriber>();
  #opening: Promise<void> | undefined;
  #position: CallEventsPosition | undefined;
  #isReading = false;
  #hasNews = false;

  constructor(parts: TenantCallEventsParts) {
    this.#parts = parts;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** How far call events were read; undefined before the first position is known. */
  get since(): number | undefined {
    return this.#position?.since;
  }

  /** Once this resolves, no later call event is missed. */
  async add(subscriber: Subscriber): Promise<void> {
    this.#listeners.set(subscriber.connection, subscriber);
    this.#opening ??= this.#open();
    await this.#opening;
  }

  /** After the last listener has left, the next one starts at a new position. */
  remove(connection: Connection): void {
    this.#listeners.delete(connection);
    if (!this.hasListeners) this.#position = undefined;
  }

  /** There may be new call events. */
  readSoon(): void {
    this.#hasNews = true;
    if (!this.#isReading) void this.#readAll();
  }

  async #open(): Promise<void> {
    try {
      const position = await this.#parts.readPosition();
      if (this.hasListeners) this.#position = position;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#hasNews && this.#position) {
        this.#hasNews = false;
        await this.#pushNew();
        await sleep(betweenReadsMs, undefined, { ref: false });
      }
    } catch (error) {
      this.#parts.onError(error);
    } finally {
      this.#isReading = false;
    }
  }

  async #pushNew(): Promise<void> {
    for (let isFull = true; isFull && this.#position; ) {
      const page = await this.#parts.read(this.#position);
      if (!this.hasListeners) return;
      this.#position = page.next;
      isFull = page.isFull;
      for (let start = 0; start < page.callEvents.length; start += maxBatch)
        await this.#push(page.callEvents.slice(start, start + maxBatch));
    }
  }

  async #push(callEvents: readonly CallEvent[]): Promise<void> {
    const shared = new Map<string, HubMessage | undefined>();
    await this.#parts.fanOut.broadcast([...this.#listeners.keys()], (connection) => {
      const subscriber = this.#listeners.get(connection);
      const key = subscriber?.isMuted === false ? subscriber.filter.callEventsKey : undefined;
      if (!subscriber || key === undefined) return undefined;
      if (!shared.has(key)) shared.set(key, messageOf(subscriber.filter, callEvents));
      return shared.get(key);
    });
  }
}

/** Has no cursor, because the client's position in the journal does not change. */
function messageOf(filter: SubscriberFilter, callEvents: readonly CallEvent[]): HubMessage | undefined {
  const calls = callEvents.filter((callEvent) => filter.matchesCallEvent(callEvent)).map(({ call }) => call);
  return calls.length === 0 ? undefined : { invocations: calls };
}
