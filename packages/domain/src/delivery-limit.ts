/** So many tries at once, and one more every `refillSeconds`. */
export type Limit = { burst: number; refillSeconds: number };

/** Plain JSON. Tokens may be owed: urgent tries are not kept waiting, and those behind them wait longer. */
export type Bucket = { tokens: number; atMs: number };

export type Admission = { kind: 'now'; user: Bucket; channel: Bucket } | { kind: 'later'; at: Date };

/** Longer than this without a call for it, no alarm is kept waiting by the limit of a person. */
export const longestDelaySeconds = 30;

export function fullBucket({ burst }: Limit, now: Date): Bucket {
  return { tokens: burst, atMs: now.getTime() };
}

export type Candidate = {
  urgent: boolean;
  /** As the sending says. */
  waitingSince: Date;
  user: Bucket;
  channel: Bucket;
};

/**
 * Whether a try may go out now. The limit of a person protects the person: it delays, at most for
 * `longestDelaySeconds`, and never an urgent alarm. The limit of a channel is what its provider takes: nobody can go
 * faster, so there the urgent only go first.
 */
export function admit(
  { urgent, waitingSince, user, channel }: Candidate,
  limits: { user: Limit; channel: Limit },
  now: Date,
): Admission {
  const userMs = urgent ? 0 : patienceMs(waitMs(user, limits.user, now), waitingSince, now);
  const delayMs = Math.max(userMs, waitMs(channel, limits.channel, now));
  if (delayMs > 0) return { kind: 'later', at: new Date(now.getTime() + delayMs) };
  return { kind: 'now', user: take(user, limits.user, now), channel: take(channel, limits.channel, now) };
}

function patienceMs(delayMs: number, waitingSince: Date, now: Date): number {
  const leftMs = waitingSince.getTime() + longestDelaySeconds * 1000 - now.getTime();
  return Math.max(0, Math.min(delayMs, leftMs));
}

/** Milliseconds until there is a whole token. */
function waitMs(bucket: Bucket, limit: Limit, now: Date): number {
  return Math.ceil(Math.max(0, 1 - filled(bucket, limit, now)) * limit.refillSeconds * 1000);
}

/** What is owed is owed up to one burst, so that a flood does not shut a person off for hours. */
function take(bucket: Bucket, limit: Limit, now: Date): Bucket {
  return { tokens: Math.max(-limit.burst, filled(bucket, limit, now) - 1), atMs: now.getTime() };
}

function filled({ tokens, atMs }: Bucket, { burst, refillSeconds }: Limit, now: Date): number {
  const seconds = Math.max(0, now.getTime() - atMs) / 1000;
  return Math.min(burst, tokens + seconds / refillSeconds);
}
