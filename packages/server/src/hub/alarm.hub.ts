import { type HubFilter, hubName, type Resumed } from '@tocsin/contract';
import { type Hub, type HubConnection, HubError, type Join } from '@tocsin/signalr';
import type { Logger } from 'pino';
import type { AlarmFeed, TenantStage } from './alarm-feed.ts';
import {
  type KeptState,
  readAfterSeq,
  readFilter,
  readState,
  wishesOf,
  writeState,
} from './hub-arguments.wire.ts';
import type { HubUser } from './hub-user.ts';
import { Subscriber } from './subscriber.ts';
import type { TidingFeed } from './tiding-feed.ts';
import { createView, type View } from './view.ts';

export type AlarmHubParts = {
  readonly feed: AlarmFeed;
  readonly tidings: TidingFeed;
  /** The oldest entry of the tenant's journal that is kept. */
  readonly readOldest: (tenantId: number) => Promise<number>;
  /** Whether the token still holds: it was looked at a moment ago, and a moment can be too long. */
  readonly holds: (connection: HubConnection<HubUser>) => Promise<boolean>;
  readonly log: Logger;
};

type Connection = HubConnection<HubUser>;
type Seat = { readonly stage: TenantStage; readonly subscriber: Subscriber; filter: HubFilter };

/**
 * Tells clients of alarms. To connect is to subscribe to everything the token may see, from now on; the methods narrow
 * that, stop it, or fetch what was missed.
 */
export class AlarmHub implements Hub<HubUser> {
  readonly name = hubName;
  readonly methods: Hub<HubUser>['methods'] = {
    subscribe: (connection, filter) => this.#subscribe(connection, filter),
    unsubscribe: (connection) => this.#unsubscribe(connection),
    resume: (connection, afterSeq) => this.#resume(connection, afterSeq),
  };
  readonly #parts: AlarmHubParts;
  readonly #seats = new Map<Connection, Seat>();

  constructor(parts: AlarmHubParts) {
    this.#parts = parts;
  }

  /** Those who have joined and not left. */
  get connections(): Iterable<Connection> {
    return this.#seats.keys();
  }

  async join(connection: Connection, { cursor, state }: Join): Promise<string> {
    const { feed } = this.#parts;
    const { tenantId } = connection.identity.user.principal;
    const stage = feed.enter(tenantId);
    try {
      const [holds] = await Promise.all([this.#parts.holds(connection), stage.ready]);
      if (!holds) throw new HubError('The token does not hold any more');
      const kept = readState(state);
      const filter = withoutForbidden(connection, kept?.filter ?? {});
      const position = await this.#startingPoint(stage, cursor, kept);
      const subscriber = new Subscriber(connection, viewOf(connection, filter), position);
      await this.#follow(subscriber, filter);
      if (!connection.isOpen) throw new HubError('The connection is closed');
      this.#seats.set(connection, { stage, subscriber, filter });
      stage.audience.add(subscriber);
      // Not before the client knows where it begins; it may have asked for something else by then.
      setImmediate(() => {
        if (subscriber.wish === 0) void this.#goOn(stage, subscriber);
      });
      return String(position);
    } catch (error) {
      feed.leave(tenantId);
      this.#parts.tidings.leave(connection);
      throw error;
    }
  }

  leave(connection: Connection): void {
    const seat = this.#seats.get(connection);
    if (!seat) return;
    this.#seats.delete(connection);
    seat.stage.audience.remove(connection);
    this.#parts.tidings.leave(connection);
    this.#parts.feed.leave(seat.stage.tenantId);
  }

  /** A client begins at its cursor when that is a place in this journal, else at the end. */
  async #startingPoint(
    { tenantId, feed }: TenantStage,
    cursor: string | undefined,
    kept: KeptState | undefined,
  ): Promise<number> {
    const given = cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
    if (given === undefined) return this.#parts.feed.readEnd(tenantId);
    const wanted = Math.max(given, kept?.since ?? 0);
    if (wanted <= feed.known) return wanted;
    // From another server that is ahead of this one; or of a journal that is no more.
    return Math.min(wanted, await this.#parts.feed.readEnd(tenantId));
  }

  async #subscribe(connection: Connection, argument: unknown): Promise<Resumed> {
    const seat = this.#seatOf(connection);
    const { stage, subscriber } = seat;
    const filter = { ...wishesOf(seat.filter), ...readFilter(argument) };
    if (filter.calls && !mayReadCalls(connection))
      throw new HubError('The token does not permit to read calls');
    // At once, so that a call on its heels keeps what this one wishes.
    seat.filter = filter;
    const isMine = this.#holdBack(seat);
    await this.#asked(subscriber, this.#follow(subscriber, filter));
    const from = subscriber.isMuted ? await this.#end(seat) : subscriber.position;
    if (!isMine()) return { seq: from };
    this.#look(seat, filter, from);
    void this.#goOn(stage, subscriber);
    return { seq: from };
  }

  #unsubscribe(connection: Connection): null {
    const seat = this.#seatOf(connection);
    this.#holdBack(seat);
    seat.subscriber.isMuted = true;
    return null;
  }

  async #resume(connection: Connection, argument: unknown): Promise<Resumed> {
    const seat = this.#seatOf(connection);
    const { stage, subscriber } = seat;
    const after = readAfterSeq(argument);
    const isMine = this.#holdBack(seat);
    const [end, oldest] = await Promise.all([this.#end(seat), this.#oldest(seat)]);
    if (!isMine()) throw new HubError('A later call has taken its place');
    const from = after ?? (subscriber.isMuted ? end : subscriber.position);
    const isGap = after !== undefined && (after > end || after < oldest - 1);
    this.#look(seat, { ...seat.filter, changes: true }, isGap ? end : from);
    await this.#goOn(stage, subscriber);
    const { position: seq } = subscriber;
    return isGap ? { seq, gap: true, oldest } : { seq };
  }

  #look(seat: Seat, filter: HubFilter, from: number): void {
    const { subscriber } = seat;
    seat.filter = filter;
    subscriber.isMuted = false;
    subscriber.look(viewOf(subscriber.connection, filter), from);
    subscriber.connection.keepState(writeState({ filter, since: from }));
    if (subscriber.view.tidingsKey === undefined) this.#parts.tidings.leave(subscriber.connection);
  }

  /** Before it is answered: what happens to calls after that, it is told. */
  async #follow(subscriber: Subscriber, { calls, sounds }: HubFilter): Promise<void> {
    if (calls || sounds) await this.#parts.tidings.follow(subscriber);
  }

  /** Nothing is pushed until somebody goes on. The answer tells whether a later call has come in between. */
  #holdBack({ stage, subscriber }: Seat): () => boolean {
    stage.audience.pause(subscriber);
    const { wish } = subscriber;
    return () => subscriber.wish === wish;
  }

  /** A client that cannot be given what it missed comes back for it: it must not take silence for peace. */
  async #goOn({ audience, tenantId }: TenantStage, subscriber: Subscriber): Promise<void> {
    try {
      await audience.catchUp(subscriber);
    } catch (error) {
      this.#parts.log.warn({ err: error, tenantId }, 'hub client sent back, the journal cannot be read');
      subscriber.connection.close({ error: 'unavailable', allowReconnect: true });
    }
  }

  #end({ stage, subscriber }: Seat): Promise<number> {
    return this.#asked(subscriber, this.#parts.feed.readEnd(stage.tenantId));
  }

  #oldest({ stage, subscriber }: Seat): Promise<number> {
    return this.#asked(subscriber, this.#parts.readOldest(stage.tenantId));
  }

  async #asked<Answer>({ connection }: Subscriber, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      connection.close({ error: 'unavailable', allowReconnect: true });
      throw error;
    }
  }

  #seatOf(connection: Connection): Seat {
    const seat = this.#seats.get(connection);
    if (!seat) throw new HubError('The connection is not ready');
    return seat;
  }
}

function mayReadCalls({ identity }: Connection): boolean {
  return identity.user.principal.permissions.has('calls:read');
}

/** What a client brings back, as far as its token still permits it. */
function withoutForbidden(connection: Connection, { calls, ...filter }: HubFilter): HubFilter {
  return calls && mayReadCalls(connection) ? { ...filter, calls } : filter;
}

function viewOf({ identity }: Connection, filter: HubFilter): View {
  return createView({ stationIds: identity.user.principal.stationIds, filter });
}
