/** A token bucket: `burst` tries at once, and one more every `refillSeconds`. */
export type Limit = { burst: number; refillSeconds: number };

/** Plain JSON. Tokens may be negative: urgent tries do not wait, and later tries wait longer instead. */
export type Bucket = { tokens: number; atMs: number };

export type Admission = { kind: 'now'; user: Bucket; channel: Bucket } | { kind: 'later'; at: Date };

/** The limit of a person delays an alarm at most this long after the last call for it. */
export const maxDelaySeconds = 30;

export function fullBucket({ burst }: Limit, now: Date): Bucket {
  return { tokens: burst, atMs: now.getTime() };
}

export type Candidate = {
  urgent: boolean;
  /** That of the `Sending`. */
  waitingSince: Date;
  user: Bucket;
  channel: Bucket;
};

/**
 * Decides whether a try may be sent now. The limit of a person protects the person: it delays for at most
 * `maxDelaySeconds`, and never an urgent alarm. The limit of a channel is that of its provider, and holds for all.
 */
export function admit(
  { urgent, waitingSince, user, channel }: Candidate,
  limits: { user: Limit; channel: Limit },
  now: Date,
): Admission {
  const userMs = urgent ? 0 : userDelayMs(waitMs(user, limits.user, now), waitingSince, now);
  const delayMs = Math.max(userMs, waitMs(channel, limits.channel, now));
  if (delayMs > 0) return { kind: 'later', at: new Date(now.getTime() + delayMs) };
  return {
    kind: 'now',
    user: takeToken(user, limits.user, now),
    channel: takeToken(channel, limits.channel, now),
  };
}

function userDelayMs(delayMs: number, waitingSince: Date, now: Date): number {
  const remainingMs = waitingSince.getTime() + maxDelaySeconds * 1000 - now.getTime();
  return Math.max(0, Math.min(delayMs, remainingMs));
}

/** Milliseconds until there is a whole token. */
function waitMs(bucket: Bucket, limit: Limit, now: Date): number {
  return Math.ceil(Math.max(0, 1 - filled(bucket, limit, now)) * limit.refillSeconds * 1000);
}

/** The debt is at most one burst, so that a person does not wait for hours after a flood. */
function takeToken(bucket: Bucket, limit: Limit, now: Date): Bucket {
  return { tokens: Math.max(-limit.burst, filled(bucket, limit, now) - 1), atMs: now.getTime() };
}

function filled({ tokens, atMs }: Bucket, { burst, refillSeconds }: Limit, now: Date): number {
  const seconds = Math.max(0, now.getTime() - atMs) / 1000;
  return Math.min(burst, tokens + seconds / refillSeconds);
}
