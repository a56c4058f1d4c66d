import type { Limits } from './limits.ts';

/** A rate limit: holds up to `capacity` tokens and gains `perSecond`. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #tokens: number;
  #updatedAt: number;

  constructor(perSecond: number, capacity: number, now: number) {
    this.#perSecond = perSecond;
    this.#capacity = capacity;
    this.#tokens = capacity;
    this.#updatedAt = now;
  }

  /** Takes a token. Returns false if there is none. */
  take(now: number): boolean {
    this.#tokens = Math.min(this.#capacity, this.#tokensAt(now));
    this.#updatedAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** A full bucket equals a new one and can be deleted. */
  isFull(now: number): boolean {
    return this.#tokensAt(now) >= this.#capacity;
  }

  #tokensAt(now: number): number {
    return this.#tokens + (Math.max(0, now - this.#updatedAt) / 1_000) * this.#perSecond;
  }
}

/** Allows a client `maxMessagesPerSecond`, and bursts of twice that. */
export function createMessageRateLimit({ maxMessagesPerSecond }: Limits, now: number): TokenBucket {
  return new TokenBucket(maxMessagesPerSecond, maxMessagesPerSecond * 2, now);
}
