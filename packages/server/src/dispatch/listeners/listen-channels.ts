import { randomUUID } from 'node:crypto';
import type { Channel } from '../../channels/port/channel.ts';
import { inTenant, outsideTenants } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import {
  claimListeners,
  type ListenerClaim,
  listenerLeaseMs,
  releaseListener,
  renewListeners,
} from './listener.store.ts';

const usualRenewMs = 5_000;
/** A server that cannot renew its leases closes its connections before another server may open them. */
const unsafeMs = listenerLeaseMs - 3_000;
const watchMs = 1_000;
/** A channel that is closed late is left alone. */
const closeMs = 2_000;
/** A channel without a connection is looked at again after this time, because a new release may give it one. */
const parkedMs = 15 * 60_000;
const claimsAtOnce = 50;

const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** A connection that lasted so long has worked. */
const workedMs = 60_000;

type Connection = {
  claim: ListenerClaim;
  /** By `performance.now()`, because the clock of the plant may be set. */
  renewedMs: number;
  closing: AbortController;
  closed: Promise<void>;
};

/**
 * Holds the connections of all channels that have one. Of several servers, one at a time does so for a channel: the one
 * with the lease.
 */
export class ChannelListeners {
  readonly #dispatch: Dispatch;
  readonly #server = randomUUID();
  readonly #connections = new Map<string, Connection>();
  readonly #watch: NodeJS.Timeout;
  readonly #renewMs: number;
  #renewedMs = performance.now();
  #isStopping = false;

  constructor(dispatch: Dispatch, { renewMs = usualRenewMs } = {}) {
    this.#dispatch = dispatch;
    this.#renewMs = renewMs;
    this.#watch = setInterval(() => this.#closeUnsafe(), watchMs).unref();
  }

  /**
   * Renews the leases, ends connections that this server must not hold any more, and opens others. Returns whether there
   * may be more to open.
   */
  async runPass(): Promise<boolean> {
    await this.#renew();
    return !this.#isStopping && (await this.#claim()) === claimsAtOnce;
  }

  /** Closes all connections, and lets other servers open them at once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    const open = [...this.#connections.values()];
    for (const { closing } of open) closing.abort();
    await Promise.all(open.map(({ closed }) => closed));
  }

  #closeUnsafe(): void {
    for (const { renewedMs, closing } of this.#connections.values())
      if (performance.now() - renewedMs > unsafeMs) closing.abort();
  }

  async #renew(): Promise<void> {
    const startedMs = performance.now();
    const held = [...this.#connections.values()];
    if (startedMs - this.#renewedMs < this.#renewMs || held.length === 0) return;
    const claims = held.map(({ claim }) => claim);
    const renewed = await outsideTenants(this.#dispatch.runtime.database, (outside) =>
      renewListeners(outside, claims),
    );
    this.#renewedMs = startedMs;
    const versions = new Map(renewed.map((one) => [keyOf(one), one.channelVersion]));
    for (const connection of held) {
      connection.renewedMs = startedMs;
      const isCurrent = versions.get(keyOf(connection.claim)) === connection.claim.channelVersion;
      if (!isCurrent) connection.closing.abort();
    }
  }

  async #claim(): Promise<number> {
    const { database, log } = this.#dispatch.runtime;
    const claimedMs = performance.now();
    const claims = await outsideTenants(database, (outside) =>
      claimListeners(outside, this.#server, claimsAtOnce),
    );
    const open = async (claim: ListenerClaim) => {
      try {
        await this.#open(claim, claimedMs);
      } catch (error) {
        log.error({ err: error, ...placeOf(claim) }, 'channel cannot be listened to');
        await this.#release(claim, { delayMs: maxDelayMs, failures: claim.failures + 1 });
      }
    };
    await Promise.all(claims.map(open));
    return claims.length;
  }

  async #open(claim: ListenerClaim, claimedMs: number): Promise<void> {
    const found = await inTenant(this.#dispatch.runtime.database, claim.tenantId, (transaction) =>
      this.#dispatch.channels.find(transaction, claim.channelId),
    );
    const { channel, version, enabled } = found ?? {};
    if (!channel?.listen || version === undefined || enabled !== true)
      return this.#release(claim, { delayMs: parkedMs, failures: 0 });
    const closing = new AbortController();
    const current = { ...claim, channelVersion: version };
    const connection = { claim: current, renewedMs: claimedMs, closing, closed: Promise.resolve() };
    this.#connections.set(keyOf(claim), connection);
    connection.closed = this.#hold(connection, channel);
  }

  async #hold({ claim, closing }: Connection, channel: Channel): Promise<void> {
    const openedMs = performance.now();
    const failure = await listenUntilClosed(channel, closing.signal);
    this.#connections.delete(keyOf(claim));
    if (closing.signal.aborted) return this.#release(claim, { delayMs: 0, failures: 0 });
    const failures = performance.now() - openedMs > workedMs ? 1 : claim.failures + 1;
    const delayMs = delayMsAfter(failures);
    const { log } = this.#dispatch.runtime;
    log.warn({ err: failure, ...placeOf(claim), delayMs }, 'connection of a channel was lost');
    return this.#release(claim, { delayMs, failures });
  }

  async #release(claim: ListenerClaim, after: { delayMs: number; failures: number }): Promise<void> {
    const { database, log } = this.#dispatch.runtime;
    try {
      await inTenant(database, claim.tenantId, (transaction) => releaseListener(transaction, claim, after));
    } catch (error) {
      // The lease ends by itself.
      log.warn({ err: error, ...placeOf(claim) }, 'listener was not released');
    }
  }
}

/** Listens until the connection fails or is closed, and returns the failure. */
async function listenUntilClosed(channel: Channel, signal: AbortSignal): Promise<unknown> {
  const closed = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => setTimeout(resolve, closeMs, undefined).unref(), { once: true });
  });
  try {
    await Promise.race([channel.listen?.(signal), closed]);
    return new Error('the connection ended');
  } catch (error) {
    return error;
  }
}

function delayMsAfter(failures: number): number {
  return Math.min(firstDelayMs * 2 ** Math.min(failures - 1, 10), maxDelayMs);
}

function keyOf({ tenantId, channelId }: ChannelPlace): string {
  return `${tenantId}/${channelId}`;
}

function placeOf({ tenantId, channelId }: ChannelPlace): ChannelPlace {
  return { tenantId, channelId };
}
