export type Allowance = {
  readonly allowed: boolean;
  /** Whole requests left now. */
  readonly remaining: number;
  /** Time until the bucket is full again. */
  readonly resetSeconds: number;
};

type Bucket = { tokens: number; filledAt: number };

/** Beyond this many buckets per second the least recently used ones are dropped early. */
const maxBuckets = 100_000;

/**
 * One bucket of `perSecond` tokens for each key, refilled at that rate. A bucket that was not used for a second is full,
 * and need not be stored. Two generations of a second each hold all others, so memory stays bounded without a timer.
 */
export class TokenBuckets {
  readonly perSecond: number;
  readonly #nowMs: () => number;
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();
  #startedAt: number;

  constructor(perSecond: number, nowMs: () => number) {
    this.perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#startedAt = nowMs();
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Takes one token from the bucket of the key, if there is one. */
  take(key: string): Allowance {
    const now = this.#nowMs();
    this.#dropIdle(now);
    const bucket = this.#find(key, now);
    bucket.tokens = Math.min(
      this.perSecond,
      bucket.tokens + ((now - bucket.filledAt) / 1_000) * this.perSecond,
    );
    bucket.filledAt = now;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((this.perSecond - bucket.tokens) / this.perSecond),
    };
  }

  #find(key: string, now: number): Bucket {
    const young = this.#young.get(key);
    if (young) return young;
    const bucket = this.#old.get(key) ?? { tokens: this.perSecond, filledAt: now };
    this.#old.delete(key);
    this.#young.set(key, bucket);
    return bucket;
  }

  #dropIdle(now: number): void {
    if (now - this.#startedAt < 1_000 && this.#young.size < maxBuckets) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#startedAt = now;
  }
}
