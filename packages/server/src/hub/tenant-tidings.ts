import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOut, HubConnection, HubMessage } from '@tocsin/signalr';
import type { HubUser } from './hub-user.ts';
import type { Subscriber } from './subscriber.ts';
import type { Tiding, TidingsPage, TidingsPlace } from './tiding.ts';
import type { View } from './view.ts';

export type TenantTidingsParts = {
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  /** Where whoever begins to listen now begins. */
  readonly readPlace: () => Promise<TidingsPlace>;
  readonly read: (place: TidingsPlace) => Promise<TidingsPage>;
  readonly onError: (error: unknown) => void;
};

type Connection = HubConnection<HubUser>;

/** Tidings that go out in one message: some 60 kB of calls. */
const mostTogether = 64;
/** Between two looks, however often something is heard of. */
const pauseMs = 50;

/**
 * Those clients of a tenant on this server who want to be told more than alarms. They are told what happens from
 * then on, in order and once; what they missed while they were away they look up themselves.
 */
export class TenantTidings {
  readonly #parts: TenantTidingsParts;
  readonly #listeners = new Map<Connection, Subscriber>();
  #opening: Promise<void> | undefined;
  #place: TidingsPlace | undefined;
  #isLooking = false;
  #lookAgain = false;

  constructor(parts: TenantTidingsParts) {
    this.#parts = parts;
  }

  get isWanted(): boolean {
    return this.#listeners.size > 0;
  }

  /** How far they were told; undefined before it is known where they begin. */
  get since(): number | undefined {
    return this.#place?.since;
  }

  /** Once it resolves, nothing that happens afterwards is left out. */
  async add(subscriber: Subscriber): Promise<void> {
    this.#listeners.set(subscriber.connection, subscriber);
    this.#opening ??= this.#open();
    await this.#opening;
  }

  /** After the last one this is over: who comes later begins anew. */
  remove(connection: Connection): void {
    this.#listeners.delete(connection);
    if (!this.isWanted) this.#place = undefined;
  }

  /** There may be something new. */
  notice(): void {
    this.#lookAgain = true;
    if (!this.#isLooking) void this.#look();
  }

  async #open(): Promise<void> {
    try {
      const place = await this.#parts.readPlace();
      if (this.isWanted) this.#place = place;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#lookAgain && this.#place) {
        this.#lookAgain = false;
        await this.#tellAll();
        await sleep(pauseMs, undefined, { ref: false });
      }
    } catch (error) {
      this.#parts.onError(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #tellAll(): Promise<void> {
    for (let isFull = true; isFull && this.#place; ) {
      const page = await this.#parts.read(this.#place);
      if (!this.isWanted) return;
      this.#place = page.next;
      isFull = page.isFull;
      for (let start = 0; start < page.tidings.length; start += mostTogether)
        await this.#tell(page.tidings.slice(start, start + mostTogether));
    }
  }

  async #tell(tidings: readonly Tiding[]): Promise<void> {
    const shared = new Map<string, HubMessage | undefined>();
    await this.#parts.fanOut.broadcast([...this.#listeners.keys()], (connection) => {
      const subscriber = this.#listeners.get(connection);
      const key = subscriber?.isMuted === false ? subscriber.view.tidingsKey : undefined;
      if (!subscriber || key === undefined) return undefined;
      if (!shared.has(key)) shared.set(key, messageOf(subscriber.view, tidings));
      return shared.get(key);
    });
  }
}

/** Without a cursor: the client's place in the journal is what it was. */
function messageOf(view: View, tidings: readonly Tiding[]): HubMessage | undefined {
  const calls = tidings.filter((tiding) => view.hears(tiding)).map(({ call }) => call);
  return calls.length === 0 ? undefined : { calls };
}
