import type { Refusal } from './hub.ts';
import type { SlowConsumerLimits } from './transports/slow-consumer.ts';

/** Every cap there is. Bytes, milliseconds and counts. */
export type Limits = SlowConsumerLimits & {
  readonly connections: number;
  readonly connectionsPerIdentity: number;
  /** Connections that have not done their handshake. */
  readonly withoutHandshake: number;
  readonly handshakeMs: number;
  /** How long the hub may take to say where a client begins before the client is told that it is connected. */
  readonly placeMs: number;
  readonly negotiatesPerMinute: number;
  /** One POST or one WebSocket message, which may hold several hub messages. */
  readonly bodyBytes: number;
  /** One hub message of a client. */
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  /** Invocations, streams and uploads of one client that have not ended. */
  readonly openInvocations: number;
  readonly keepAliveMs: number;
  /** Silence of a client that pings, before it counts as gone. */
  readonly clientTimeoutMs: number;
  /** Below the 60 s after which many proxies give up. */
  readonly pollMs: number;
  /** How long a connection without poll or socket is kept. */
  readonly idleMs: number;
  /** What is kept for a socket that comes back. */
  readonly statefulBytes: number;
};

export const defaultLimits: Limits = {
  connections: 20_000,
  connectionsPerIdentity: 1_000,
  withoutHandshake: 2_000,
  handshakeMs: 15_000,
  placeMs: 3_000,
  negotiatesPerMinute: 600,
  bodyBytes: 128 * 1_024,
  messageBytes: 32 * 1_024,
  messagesPerSecond: 100,
  openInvocations: 50,
  keepAliveMs: 15_000,
  clientTimeoutMs: 30_000,
  pollMs: 50_000,
  idleMs: 15_000,
  statefulBytes: 1_048_576,
  pendingBytes: 1_024 * 1_024,
  unsentMs: 10_000,
};

/** A bucket that holds `most` and fills at `perSecond`. */
export class Budget {
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #at: number;

  constructor(perSecond: number, most: number, now: number) {
    this.#perSecond = perSecond;
    this.#most = most;
    this.#left = most;
    this.#at = now;
  }

  /** Whether one more is allowed now. */
  take(now: number): boolean {
    const gained = (Math.max(0, now - this.#at) / 1_000) * this.#perSecond;
    this.#left = Math.min(this.#most, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** A full bucket says nothing, and can be forgotten. */
  isFull(now: number): boolean {
    return this.#left + (Math.max(0, now - this.#at) / 1_000) * this.#perSecond >= this.#most;
  }
}

/** What a client may send: `messagesPerSecond`, and twice that at once. */
export function messageBudget(limits: Limits, now: number): Budget {
  return new Budget(limits.messagesPerSecond, limits.messagesPerSecond * 2, now);
}

/** Counts who is there, and says who may come in. */
export class Admission {
  readonly #limits: Limits;
  readonly #clock: () => number;
  readonly #perIdentity = new Map<string, number>();
  readonly #negotiates = new Map<string, Budget>();
  #connections = 0;
  #withoutHandshake = 0;
  #draining = false;

  constructor(limits: Limits, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get connections(): number {
    return this.#connections;
  }

  get withoutHandshake(): number {
    return this.#withoutHandshake;
  }

  /** From now on nobody new comes in. */
  drain(): void {
    this.#draining = true;
  }

  mayNegotiate(key: string): Refusal | undefined {
    if (this.#draining) return { status: 503, reason: 'This server is going down' };
    const now = this.#clock();
    const perMinute = this.#limits.negotiatesPerMinute;
    if (this.#negotiates.size > 10_000) this.#forgetFull(now);
    const budget = this.#negotiates.get(key) ?? new Budget(perMinute / 60, perMinute, now);
    this.#negotiates.set(key, budget);
    return budget.take(now) ? undefined : { status: 429, reason: 'Too many connections are being opened' };
  }

  /** Counts a connection in, without its handshake, unless there are too many. */
  enter(key: string): Refusal | undefined {
    const refusal = this.#refusalFor(key);
    if (refusal !== undefined) return refusal;
    this.#connections += 1;
    this.#withoutHandshake += 1;
    this.#perIdentity.set(key, (this.#perIdentity.get(key) ?? 0) + 1);
    return undefined;
  }

  /** To be told once for each that entered, or left without. */
  handshakeEnded(): void {
    this.#withoutHandshake -= 1;
  }

  leave(key: string): void {
    this.#connections -= 1;
    const left = (this.#perIdentity.get(key) ?? 0) - 1;
    if (left > 0) this.#perIdentity.set(key, left);
    else this.#perIdentity.delete(key);
  }

  #refusalFor(key: string): Refusal | undefined {
    const { connections, connectionsPerIdentity, withoutHandshake } = this.#limits;
    if (this.#draining) return { status: 503, reason: 'This server is going down' };
    if (this.#connections >= connections) return { status: 503, reason: 'Too many connections' };
    if (this.#withoutHandshake >= withoutHandshake)
      return { status: 503, reason: 'Too many new connections' };
    if ((this.#perIdentity.get(key) ?? 0) >= connectionsPerIdentity) {
      return { status: 429, reason: 'Too many connections of one caller' };
    }
    return undefined;
  }

  #forgetFull(now: number): void {
    for (const [key, budget] of this.#negotiates) if (budget.isFull(now)) this.#negotiates.delete(key);
  }
}
