import { type HubFilter, hubName, type Resumed } from '@tocsin/contract';
import { type CloseReason, type Hub, type HubConnection, HubError, type Join } from '@tocsin/signalr';
import type { Logger } from 'pino';
import type { AlarmFeed, TenantStage } from './alarm-feed.ts';
import { readAfterSeq, readFilter, wishesOf } from './hub-arguments.wire.ts';
import type { HubUser } from './hub-user.ts';
import { isDoubtful, placeAfter } from './journal-break.ts';
import { type KeptState, nextState, placeIn, readState, type Span, writeState } from './kept-state.wire.ts';
import { SearchCap } from './search-cap.ts';
import { type PastView, Subscriber } from './subscriber.ts';
import type { TidingFeed } from './tiding-feed.ts';
import { createView, type View } from './view.ts';
import { sameRights } from './watch-rights.ts';

export type AlarmHubParts = {
  readonly feed: AlarmFeed;
  readonly tidings: TidingFeed;
  /** The oldest entry of the tenant's journal that is kept. */
  readonly readOldest: (tenantId: number) => Promise<number>;
  /** Why the token does not hold any more, if so: it was looked at a moment ago, and a moment can be too long. */
  readonly refusal: (connection: HubConnection<HubUser>) => Promise<CloseReason | undefined>;
  readonly log: Logger;
};

type Connection = HubConnection<HubUser>;
type Seat = {
  readonly stage: TenantStage;
  readonly subscriber: Subscriber;
  filter: HubFilter;
  kept: KeptState;
};

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
  readonly #searches = new SearchCap();

  constructor(parts: AlarmHubParts) {
    this.#parts = parts;
  }

  /** Those who have joined and not left. */
  get connections(): Iterable<Connection> {
    return this.#seats.keys();
  }

  async join(connection: Connection, given: Join): Promise<string> {
    const { feed } = this.#parts;
    const { tenantId } = connection.identity.user.principal;
    const stage = feed.enter(tenantId);
    try {
      const [refusal, begun] = await Promise.all([
        this.#parts.refusal(connection),
        placeOf(stage, given.placed),
      ]);
      if (refusal) connection.close(refusal);
      assertOpen(connection);
      const kept = readState(given.state);
      const filter = withoutForbidden(connection, kept?.filter ?? {});
      // A client that was told of this state has all that came before it.
      const past = given.hasState ? undefined : kept;
      const position = given.placed ? begun : await this.#startingPoint(stage, given.cursor, past);
      const earlier = past?.earlier ?? [];
      const subscriber = new Subscriber(connection, viewOf(connection, filter), position);
      subscriber.lookBack(earlier.map((span) => pastViewOf(connection, span)));
      await this.#follow(subscriber, filter);
      assertOpen(connection);
      const since = kept?.since ?? position;
      this.#sit(connection, { stage, subscriber, filter, kept: { ...past, filter, since, earlier } });
      return String(position);
    } catch (error) {
      feed.leave(tenantId);
      this.#parts.tidings.leave(connection);
      throw error;
    }
  }

  #sit(connection: Connection, seat: Seat): void {
    const { stage, subscriber } = seat;
    this.#seats.set(connection, seat);
    this.#searches.enter(stage.tenantId, seat.filter.search);
    stage.audience.add(subscriber);
    // Not before the client knows where it begins; it may have asked for something else by then.
    setImmediate(() => {
      if (subscriber.wish === 0) void this.#goOn(stage, subscriber);
    });
  }

  mayRenew({ identity }: Connection, { user }: Connection['identity']): boolean {
    return sameRights(identity.user.principal, user.principal);
  }

  leave(connection: Connection): void {
    const seat = this.#seats.get(connection);
    if (!seat) return;
    this.#seats.delete(connection);
    seat.stage.audience.remove(connection);
    this.#searches.leave(seat.stage.tenantId, seat.filter.search);
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
    const wanted = placeAfter(this.#parts.feed.breakOf(tenantId), placeIn(kept, given));
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
    if (!this.#searches.admits(stage.tenantId, filter.search))
      throw new HubError('Too many different searches are asked for');
    // At once, so that a call on its heels keeps what this one wishes.
    this.#setFilter(seat, filter);
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
    const broken = this.#parts.feed.breakOf(stage.tenantId);
    const isBroken = after !== undefined && broken !== undefined && isDoubtful(broken, after);
    const place = after === undefined ? undefined : placeAfter(broken, after);
    const isLost = place !== undefined && (place > end || place < oldest - 1);
    const from = isLost ? end : (place ?? (subscriber.isMuted ? end : subscriber.position));
    this.#look(seat, { ...seat.filter, changes: true }, from);
    await this.#goOn(stage, subscriber);
    const { position: seq } = subscriber;
    return isLost || isBroken ? { seq, gap: true, oldest } : { seq };
  }

  #look(seat: Seat, filter: HubFilter, from: number): void {
    const { subscriber } = seat;
    const { connection, position, isMuted: wasMuted } = subscriber;
    this.#setFilter(seat, filter);
    seat.kept = nextState(seat.kept, { filter, from, position, wasMuted });
    subscriber.isMuted = false;
    subscriber.look(viewOf(connection, filter), from);
    connection.keepState(writeState(seat.kept), from < position ? String(from) : undefined);
    if (subscriber.view.tidingsKey === undefined) this.#parts.tidings.leave(subscriber.connection);
  }

  #setFilter(seat: Seat, filter: HubFilter): void {
    this.#searches.leave(seat.stage.tenantId, seat.filter.search);
    this.#searches.enter(seat.stage.tenantId, filter.search);
    seat.filter = filter;
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

/**
 * Where a client begins that hears of all that happens from now on: after what has come here so far. When the feed
 * runs already nobody has to wait for that.
 */
async function placeOf({ feed, ready }: TenantStage, placed: Join['placed']): Promise<number> {
  if (!Number.isFinite(feed.known)) await ready;
  const { known } = feed;
  placed?.();
  return known;
}

function assertOpen(connection: Connection): void {
  if (!connection.isOpen) throw new HubError('The connection is closed');
}

function mayReadCalls({ identity }: Connection): boolean {
  return identity.user.principal.permissions.has('calls:read');
}

/** What a client brings back, as far as its token still permits it. */
function withoutForbidden(connection: Connection, { calls, ...filter }: HubFilter): HubFilter {
  return calls && mayReadCalls(connection) ? { ...filter, calls } : filter;
}

/** What the client was shown up to some entry, as far as its token still permits it. */
function pastViewOf(connection: Connection, { filter, until }: Span): PastView {
  return { view: filter && viewOf(connection, withoutForbidden(connection, filter)), until };
}

function viewOf({ identity }: Connection, filter: HubFilter): View {
  return createView({ stationIds: identity.user.principal.stationIds, filter });
}
