import type { FanOut, HubConnection } from '@tocsin/signalr';
import type { Logger } from 'pino';
import { createRecentlyUsed } from '../recently-used.ts';
import type { HintExchange } from './hint-exchange.ts';
import type { HubUser } from './hub-user.ts';
import type { Hint } from './signed-hint.ts';
import type { Subscriber } from './subscriber.ts';
import { TenantTidings } from './tenant-tidings.ts';
import type { TidingsPage, TidingsPlace } from './tiding.ts';

/** What the feed asks of the database. */
export type TidingsSource = {
  readonly readPlace: () => Promise<TidingsPlace>;
  readonly read: (tenantId: number, place: TidingsPlace) => Promise<TidingsPage>;
  /** Those of the tenants that may have something new. */
  readonly listTenants: (
    places: readonly { tenantId: number; since: number }[],
  ) => Promise<readonly number[]>;
};

export type TidingFeedParts = {
  readonly source: TidingsSource;
  readonly hints: HintExchange;
  readonly fanOut: Pick<FanOut, 'broadcast'>;
  readonly log: Logger;
};

/** How often to look: what no message told of is found then. */
const pollMs = 500;
/** What is written within this time is told of in one message to other servers. */
const gatherMs = 25;

/** Servers and tenants of which the last hint is remembered. */
const mostRemembered = 20_000;

/** What becomes of calls, and sounds, for the clients here that ask for them. Tenants without such clients cost nothing. */
export class TidingFeed {
  readonly #parts: TidingFeedParts;
  readonly #tenants = new Map<number, { tidings: TenantTidings; stopListening: () => void }>();
  readonly #gathering = new Set<number>();
  /** The last hint of each server for each tenant: what comes again, or late, says nothing new. */
  readonly #heard = createRecentlyUsed<string, number>(mostRemembered);
  /** The hints that this server has given. */
  #given = 0;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(parts: TidingFeedParts) {
    this.#parts = parts;
    this.#pollLater();
  }

  /** This server has committed something that clients of any server may want to hear of. Neither waits nor fails. */
  readonly onTold = (tenantId: number): void => {
    if (this.#isClosed || this.#gathering.has(tenantId)) return;
    if (!this.#parts.hints.isConnected && !this.#tenants.has(tenantId)) return;
    this.#gathering.add(tenantId);
    setTimeout(() => {
      this.#gathering.delete(tenantId);
      this.#tenants.get(tenantId)?.tidings.notice();
      this.#given += 1;
      this.#parts.hints.publish('tidings', tenantId, this.#given);
    }, gatherMs).unref();
  };

  /** Tells the client what its view asks for, until it leaves. Once it resolves, nothing is left out. */
  follow(subscriber: Subscriber): Promise<void> {
    const { tenantId } = subscriber.connection.identity.user.principal;
    const { tidings } = this.#tenants.get(tenantId) ?? this.#open(tenantId);
    return tidings.add(subscriber);
  }

  leave(connection: HubConnection<HubUser>): void {
    const { tenantId } = connection.identity.user.principal;
    const tenant = this.#tenants.get(tenantId);
    tenant?.tidings.remove(connection);
    if (!tenant || tenant.tidings.isWanted) return;
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
    const { source, hints, fanOut, log } = this.#parts;
    const tidings = new TenantTidings({
      fanOut,
      readPlace: source.readPlace,
      read: (place) => source.read(tenantId, place),
      onError: (error) => log.warn({ err: error, tenantId }, 'tidings could not be read for the hub'),
    });
    const stopListening = hints.subscribe('tidings', tenantId, (hint) => {
      if (this.#isNews(hint)) tidings.notice();
    });
    const tenant = { tidings, stopListening };
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }

  #isNews({ tenantId, node, reached }: Hint): boolean {
    const key = `${tenantId} ${node}`;
    if (reached <= (this.#heard.get(key) ?? 0)) return false;
    this.#heard.set(key, reached);
    return true;
  }

  #pollLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#poll(), pollMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const places = [...this.#tenants].flatMap(([tenantId, { tidings }]) =>
      tidings.since === undefined ? [] : [{ tenantId, since: tidings.since }],
    );
    try {
      const tenantIds = places.length === 0 ? [] : await this.#parts.source.listTenants(places);
      for (const tenantId of tenantIds) this.#tenants.get(tenantId)?.tidings.notice();
      this.#isFailing = false;
    } catch (error) {
      // Once is enough while the database is away.
      if (!this.#isFailing) this.#parts.log.warn({ err: error }, 'tidings could not be looked for');
      this.#isFailing = true;
    }
    this.#pollLater();
  }
}
