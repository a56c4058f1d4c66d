import type { Sink } from './sink.ts';

export type SlowConsumerLimits = {
  /** Bytes that may wait for one client. */
  readonly pendingBytes: number;
  /** How long, in ms, a byte may wait. */
  readonly unsentMs: number;
};

/** Said to a client that is cut for not keeping up; it may come back at once. */
export const tooSlow = { error: 'too_slow', allowReconnect: true } as const;

/** Asked after each write: cheap, and without a clock. */
export function hasTooMuchPending(sink: Sink, limits: SlowConsumerLimits): boolean {
  return sink.pendingBytes > limits.pendingBytes;
}

/** Asked at each heartbeat. */
export function isTooSlow(sink: Sink, limits: SlowConsumerLimits, now: number): boolean {
  return sink.unsentAge(now) > limits.unsentMs || hasTooMuchPending(sink, limits);
}
