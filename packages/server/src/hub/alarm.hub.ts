import { type HubFilter, hubName, type Resumed } from '@tocsin/contract';
import {
  type CloseReason,
  type ConnectOptions,
  type Hub,
  type HubConnection,
  HubError,
} from '@tocsin/signalr';
import type { Logger } from 'pino';
import { sameRights } from './access/check-access.ts';
import type { HubUser } from './access/hub-user.ts';
import type { CallEventFeed } from './call-events/call-event-feed.ts';
import { canReadCalls, pastFilterOf, permittedFilter, subscriberFilterOf } from './client-filter.ts';
import type { AlarmFeed, HubTenant } from './feed/alarm-feed.ts';
import { mayPredateBreak, positionAfterBreak } from './feed/journal-break.ts';
import { callbackOptionsOf, readAfterSeq, readFilter } from './hub-arguments.wire.ts';
import { type KeptState, nextState, positionIn, readState, writeState } from './kept-state.wire.ts';
import { SearchCap } from './subscriptions/search-cap.ts';
import { Subscriber } from './subscriptions/subscriber.ts';

export type AlarmHubParts = {
  readonly feed: AlarmFeed;
  readonly callEvents: CallEventFeed;
  /** The oldest entry of the tenant's journal that is kept. */
  readonly readOldest: (tenantId: number) => Promise<number>;
  /** Why the connection must end, if so. Asked once more on joining: the token may have been revoked since its check. */
  readonly closeReason: (connection: HubConnection<HubUser>) => Promise<CloseReason | undefined>;
  readonly log: Logger;
};

type Connection = HubConnection<HubUser>;
type Client = {
  readonly tenant: HubTenant;
  readonly subscriber: Subscriber;
  filter: HubFilter;
  kept: KeptState;
};

/**
 * Pushes alarms to clients. A client that connects is subscribed to everything that its token may see, from now on; the
 * methods narrow that, stop it, or fetch missed entries.
 */
export class AlarmHub implements Hub<HubUser> {
  readonly name = hubName;
  readonly methods: Hub<HubUser>['methods'] = {
    subscribe: (connection, filter) => this.#subscribe(connection, filter),
    unsubscribe: (connection) => this.#unsubscribe(connection),
    ping: () => null,
    resume: (connection, afterSeq) => this.#resume(connection, afterSeq),
  };
  readonly #parts: AlarmHubParts;
  readonly #clients = new Map<Connection, Client>();
  readonly #searches = new SearchCap();

  constructor(parts: AlarmHubParts) {
    this.#parts = parts;
  }

  get connections(): Iterable<Connection> {
    return this.#clients.keys();
  }

  async onConnected(connection: Connection, given: ConnectOptions): Promise<string> {
    const { feed, closeReason } = this.#parts;
    const { tenantId } = connection.identity.user.principal;
    const tenant = feed.enter(tenantId);
    try {
      const [reason, current] = await Promise.all([
        closeReason(connection),
        currentPosition(tenant, given.completeHandshake),
      ]);
      if (reason) connection.close(reason);
      assertOpen(connection);
      const kept = readState(given.state);
      const filter = permittedFilter(connection, kept?.filter ?? {});
      // A client that has received this state has received everything before it.
      const past = given.hasState ? undefined : kept;
      const position = given.completeHandshake
        ? current
        : await this.#resumePosition(tenant, given.cursor, past);
      const earlier = past?.earlier ?? [];
      const subscriber = new Subscriber(connection, subscriberFilterOf(connection, filter), position);
      subscriber.setPastFilters(earlier.map((span) => pastFilterOf(connection, span)));
      await this.#followCallEvents(subscriber, filter);
      assertOpen(connection);
      const since = kept?.since ?? position;
      this.#register(connection, { tenant, subscriber, filter, kept: { ...past, filter, since, earlier } });
      return String(position);
    } catch (error) {
      feed.leave(tenantId);
      this.#parts.callEvents.leave(connection);
      throw error;
    }
  }

  #register(connection: Connection, client: Client): void {
    const { tenant, subscriber } = client;
    this.#clients.set(connection, client);
    this.#searches.enter(tenant.tenantId, client.filter.search);
    tenant.subscriptions.add(subscriber);
    // The client must learn its position first. By then it may have sent a request of its own.
    setImmediate(() => {
      if (subscriber.generation === 0) void this.#catchUp(tenant, subscriber);
    });
  }

  canRenewIdentity({ identity }: Connection, { user }: Connection['identity']): boolean {
    return sameRights(identity.user.principal, user.principal);
  }

  onDisconnected(connection: Connection): void {
    const client = this.#clients.get(connection);
    if (!client) return;
    const { tenant, filter } = client;
    this.#clients.delete(connection);
    tenant.subscriptions.remove(connection);
    this.#searches.leave(tenant.tenantId, filter.search);
    this.#parts.callEvents.leave(connection);
    this.#parts.feed.leave(tenant.tenantId);
  }

  /** A client resumes at its cursor if that is a position in this journal, else at the end. */
  async #resumePosition(
    { tenantId, feed }: HubTenant,
    cursor: string | undefined,
    kept: KeptState | undefined,
  ): Promise<number> {
    const given = cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
    if (given === undefined) return this.#parts.feed.readEnd(tenantId);
    const wanted = positionAfterBreak(this.#parts.feed.breakOf(tenantId), positionIn(kept, given));
    if (wanted <= feed.position) return wanted;
    // The cursor comes from another server that is ahead of this one, or from a replaced journal.
    return Math.min(wanted, await this.#parts.feed.readEnd(tenantId));
  }

  async #subscribe(connection: Connection, argument: unknown): Promise<Resumed> {
    const client = this.#clientOf(connection);
    const { tenant, subscriber } = client;
    const filter = { ...callbackOptionsOf(client.filter), ...readFilter(argument) };
    if (filter.calls && !canReadCalls(connection))
      throw new HubError('The token does not permit to read calls');
    if (!this.#searches.admits(tenant.tenantId, filter.search))
      throw new HubError('Too many different searches are asked for');
    // Set before anything is awaited, so that the next request inherits the options of this one.
    this.#setFilter(client, filter);
    const isLatest = this.#pause(client);
    await this.#orClose(subscriber, this.#followCallEvents(subscriber, filter));
    const from = subscriber.isMuted ? await this.#readEnd(client) : subscriber.position;
    if (!isLatest()) return { seq: from };
    this.#applyFilter(client, filter, from);
    void this.#catchUp(tenant, subscriber);
    return { seq: from };
  }

  #unsubscribe(connection: Connection): null {
    const client = this.#clientOf(connection);
    this.#pause(client);
    client.subscriber.isMuted = true;
    return null;
  }

  async #resume(connection: Connection, argument: unknown): Promise<Resumed> {
    const client = this.#clientOf(connection);
    const { tenant, subscriber } = client;
    const after = readAfterSeq(argument);
    const isLatest = this.#pause(client);
    const [end, oldest] = await Promise.all([this.#readEnd(client), this.#readOldest(client)]);
    if (!isLatest()) throw new HubError('A later call has taken its place');
    const journalBreak = this.#parts.feed.breakOf(tenant.tenantId);
    const isBroken =
      after !== undefined && journalBreak !== undefined && mayPredateBreak(journalBreak, after);
    const wanted = after === undefined ? undefined : positionAfterBreak(journalBreak, after);
    const isLost = wanted !== undefined && (wanted > end || wanted < oldest - 1);
    const from = isLost ? end : (wanted ?? (subscriber.isMuted ? end : subscriber.position));
    this.#applyFilter(client, { ...client.filter, changes: true }, from);
    await this.#catchUp(tenant, subscriber);
    const { position: seq } = subscriber;
    return isLost || isBroken ? { seq, gap: true, oldest } : { seq };
  }

  #applyFilter(client: Client, filter: HubFilter, from: number): void {
    const { subscriber } = client;
    const { connection, position, isMuted: wasMuted } = subscriber;
    this.#setFilter(client, filter);
    client.kept = nextState(client.kept, { filter, from, position, wasMuted });
    subscriber.isMuted = false;
    subscriber.setFilter(subscriberFilterOf(connection, filter), from);
    connection.keepState(writeState(client.kept), from < position ? String(from) : undefined);
    if (subscriber.filter.callEventsKey === undefined) this.#parts.callEvents.leave(connection);
  }

  #setFilter(client: Client, filter: HubFilter): void {
    const { tenantId } = client.tenant;
    this.#searches.leave(tenantId, client.filter.search);
    this.#searches.enter(tenantId, filter.search);
    client.filter = filter;
  }

  /** Awaited before the answer, so that the client gets every call event after it. */
  async #followCallEvents(subscriber: Subscriber, { calls, sounds }: HubFilter): Promise<void> {
    if (calls || sounds) await this.#parts.callEvents.follow(subscriber);
  }

  /** Stops pushing until the client catches up. The returned function tells whether no later request has come. */
  #pause({ tenant, subscriber }: Client): () => boolean {
    tenant.subscriptions.pause(subscriber);
    const { generation } = subscriber;
    return () => subscriber.generation === generation;
  }

  /** A client that cannot get the missed entries must reconnect: missing data is never shown as "all clear". */
  async #catchUp({ subscriptions, tenantId }: HubTenant, subscriber: Subscriber): Promise<void> {
    try {
      await subscriptions.catchUp(subscriber);
    } catch (error) {
      this.#parts.log.warn({ err: error, tenantId }, 'hub client closed: the journal cannot be read');
      subscriber.connection.close({ error: 'unavailable', allowReconnect: true });
    }
  }

  #readEnd({ tenant, subscriber }: Client): Promise<number> {
    return this.#orClose(subscriber, this.#parts.feed.readEnd(tenant.tenantId));
  }

  #readOldest({ tenant, subscriber }: Client): Promise<number> {
    return this.#orClose(subscriber, this.#parts.readOldest(tenant.tenantId));
  }

  async #orClose<Answer>({ connection }: Subscriber, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      connection.close({ error: 'unavailable', allowReconnect: true });
      throw error;
    }
  }

  #clientOf(connection: Connection): Client {
    const client = this.#clients.get(connection);
    if (!client) throw new HubError('The connection is not ready');
    return client;
  }
}

/** The position of a client that wants only new entries. While the feed runs, nothing has to be awaited for it. */
async function currentPosition(
  { feed, ready }: HubTenant,
  completeHandshake: ConnectOptions['completeHandshake'],
): Promise<number> {
  if (!Number.isFinite(feed.position)) await ready;
  const { position } = feed;
  completeHandshake?.();
  return position;
}

function assertOpen(connection: Connection): void {
  if (!connection.isOpen) throw new HubError('The connection is closed');
}
