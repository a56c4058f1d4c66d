import type { Refusal } from '../hub/hub.ts';
import type { Limits } from './limits.ts';
import { TokenBucket } from './token-bucket.ts';

const shuttingDown: Refusal = { status: 503, reason: 'This server is shutting down' };

/** Counts connections and negotiates, and refuses those above the limits. */
export class AdmissionControl {
  readonly #limits: Limits;
  readonly #clock: () => number;
  readonly #connectionsPerIdentity = new Map<string, number>();
  readonly #negotiateLimits = new Map<string, TokenBucket>();
  #connections = 0;
  #pendingHandshakes = 0;
  #isDraining = false;

  constructor(limits: Limits, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get connections(): number {
    return this.#connections;
  }

  get pendingHandshakes(): number {
    return this.#pendingHandshakes;
  }

  /** Refuses all new connections from now on. */
  drain(): void {
    this.#isDraining = true;
  }

  checkNegotiate(key: string): Refusal | undefined {
    if (this.#isDraining) return shuttingDown;
    const now = this.#clock();
    const perMinute = this.#limits.maxNegotiatesPerMinute;
    if (this.#negotiateLimits.size > 10_000) this.#deleteFullBuckets(now);
    const bucket = this.#negotiateLimits.get(key) ?? new TokenBucket(perMinute / 60, perMinute, now);
    this.#negotiateLimits.set(key, bucket);
    return bucket.take(now) ? undefined : { status: 429, reason: 'Too many connections are being opened' };
  }

  /** Counts a connection whose handshake is pending, unless a limit is reached. */
  addConnection(key: string): Refusal | undefined {
    const refusal = this.#checkConnection(key);
    if (refusal !== undefined) return refusal;
    this.#connections += 1;
    this.#pendingHandshakes += 1;
    this.#connectionsPerIdentity.set(key, (this.#connectionsPerIdentity.get(key) ?? 0) + 1);
    return undefined;
  }

  /** Must be called once for each added connection, also if it closes without a handshake. */
  handshakeFinished(): void {
    this.#pendingHandshakes -= 1;
  }

  removeConnection(key: string): void {
    this.#connections -= 1;
    const remaining = (this.#connectionsPerIdentity.get(key) ?? 0) - 1;
    if (remaining > 0) this.#connectionsPerIdentity.set(key, remaining);
    else this.#connectionsPerIdentity.delete(key);
  }

  #checkConnection(key: string): Refusal | undefined {
    const { maxConnections, maxConnectionsPerIdentity, maxPendingHandshakes } = this.#limits;
    if (this.#isDraining) return shuttingDown;
    if (this.#connections >= maxConnections) return { status: 503, reason: 'Too many connections' };
    if (this.#pendingHandshakes >= maxPendingHandshakes)
      return { status: 503, reason: 'Too many new connections' };
    if ((this.#connectionsPerIdentity.get(key) ?? 0) >= maxConnectionsPerIdentity) {
      return { status: 429, reason: 'Too many connections of this user' };
    }
    return undefined;
  }

  #deleteFullBuckets(now: number): void {
    for (const [key, bucket] of this.#negotiateLimits)
      if (bucket.isFull(now)) this.#negotiateLimits.delete(key);
  }
}
