import type { FanOut, HubConnection } from '@tocsin/signalr';
import type { Logger } from 'pino';
import { createRecentlyUsed } from '../../common/recently-used.ts';
import type { HubUser } from '../access/hub-user.ts';
import type { NodeMessages } from '../nodes/node-messages.ts';
import type { NodeMessage } from '../nodes/signed-message.ts';
import type { CallEventsPage, CallEventsPosition } from '../subscriptions/call-event.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import { TenantCallEvents } from './tenant-call-events.ts';

/** The database reads of the call event feed. */
export type CallEventsSource = {
  readonly readPosition: () => Promise<CallEventsPosition>;
  readonly read: (tenantId: number, position: CallEventsPosition) => Promise<CallEventsPage>;
  /** The tenants that may have new call events. */
  readonly listTenants: (
    positions: readonly { tenantId: number; since: number }[],
  ) => Promise<readonly number[]>;
};

export type CallEventFeedParts = {
  readonly source: CallEventsSource;
  readonly nodeMessages: NodeMessages;
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  readonly log: Logger;
};

/** How often to poll, to find call events that no node message announced. */
const pollMs = 500;
/** Call events that are written within this time are announced to other servers in one message. */
const batchMs = 25;

/** Pairs of server and tenant whose last node message is remembered. */
const maxRemembered = 20_000;

/** Pushes call changes and sounds to the clients that ask for them. Tenants without such clients cost nothing. */
export class CallEventFeed {
  readonly #parts: CallEventFeedParts;
  readonly #tenants = new Map<number, { callEvents: TenantCallEvents; stopListening: () => void }>();
  readonly #announcing = new Set<number>();
  /** The last message of each server for each tenant, to ignore repeated and late ones. */
  readonly #lastReached = createRecentlyUsed<string, number>(maxRemembered);
  /** Counts the messages of this server. */
  #published = 0;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(parts: CallEventFeedParts) {
    this.#parts = parts;
    this.#pollLater();
  }

  /** Called when this server has committed call events. Neither waits nor fails. */
  readonly onCallEvents = (tenantId: number): void => {
    if (this.#isClosed || this.#announcing.has(tenantId)) return;
    if (!this.#parts.nodeMessages.isConnected && !this.#tenants.has(tenantId)) return;
    this.#announcing.add(tenantId);
    setTimeout(() => {
      this.#announcing.delete(tenantId);
      this.#tenants.get(tenantId)?.callEvents.readSoon();
      this.#published += 1;
      this.#parts.nodeMessages.publish('call-events', tenantId, this.#published);
    }, batchMs).unref();
  };

  /** Sends the client the call events that its filter matches. Once this resolves, none is missed until it leaves. */
  follow(subscriber: Subscriber): Promise<void> {
    const { tenantId } = subscriber.connection.identity.user.principal;
    const { callEvents } = this.#tenants.get(tenantId) ?? this.#open(tenantId);
    return callEvents.add(subscriber);
  }

  leave(connection: HubConnection<HubUser>): void {
    const { tenantId } = connection.identity.user.principal;
    const tenant = this.#tenants.get(tenantId);
    tenant?.callEvents.remove(connection);
    if (!tenant || tenant.callEvents.hasListeners) return;
    tenant.stopListening();
    this.#tenants.delete(tenantId);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { stopListening } of this.#tenants.values()) stopListening();
    this.#tenants.clear();
  }

  #open(tenantId: number) {
    const { source, nodeMessages, fanOut, log } = this.#parts;
    const callEvents = new TenantCallEvents({
      fanOut,
      readPosition: source.readPosition,
      read: (position) => source.read(tenantId, position),
      onError: (error) => log.warn({ err: error, tenantId }, 'call events could not be read for the hub'),
    });
    const stopListening = nodeMessages.subscribe('call-events', tenantId, (message) => {
      if (this.#isNew(message)) callEvents.readSoon();
    });
    const tenant = { callEvents, stopListening };
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }

  #isNew({ tenantId, node, reached }: NodeMessage): boolean {
    const key = `${tenantId} ${node}`;
    if (reached <= (this.#lastReached.get(key) ?? 0)) return false;
    this.#lastReached.set(key, reached);
    return true;
  }

  #pollLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#poll(), pollMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const positions = [...this.#tenants].flatMap(([tenantId, { callEvents }]) =>
      callEvents.since === undefined ? [] : [{ tenantId, since: callEvents.since }],
    );
    try {
      const tenantIds = positions.length === 0 ? [] : await this.#parts.source.listTenants(positions);
      for (const tenantId of tenantIds) this.#tenants.get(tenantId)?.callEvents.readSoon();
      this.#isFailing = false;
    } catch (error) {
      // Logged once while the database is unavailable.
      if (!this.#isFailing)
        this.#parts.log.warn({ err: error }, 'tenants with new call events could not be read');
      this.#isFailing = true;
    }
    this.#pollLater();
  }
}
