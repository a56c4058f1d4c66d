export type Allowance = {
  readonly allowed: boolean;
  /** Whole requests left right now. */
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
};

type Bucket = { tokens: number; filledAt: number };

/** Beyond this many buckets in a second, those untouched for longest are forgotten early. */
const mostBuckets = 100_000;

/**
 * One bucket of `perSecond` tokens for each key, refilled at that rate. A bucket that was left alone for a second
 * is full, which is the same as not being there: two generations of a second each hold all that matter, and
 * memory stays bounded without a timer.
 */
export class TokenBuckets {
  readonly perSecond: number;
  readonly #nowMs: () => number;
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();
  #turnedAt: number;

  constructor(perSecond: number, nowMs: () => number) {
    this.perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#turnedAt = nowMs();
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Takes one token of the key's bucket, if there is one. */
  take(key: string): Allowance {
    const now = this.#nowMs();
    this.#forgetIdle(now);
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

  #forgetIdle(now: number): void {
    if (now - this.#turnedAt < 1_000 && this.#young.size < mostBuckets) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnedAt = now;
  }
}
