import type { ServerTransport } from './server-transport.ts';

export type SlowConsumerLimits = {
  /** Limits the bytes that wait for one client. */
  readonly maxPendingBytes: number;
  /** Limits how long a byte may wait. */
  readonly transportSendTimeoutMs: number;
};

/** Closes a client that does not keep up. It may reconnect at once. */
export const tooSlow = { error: 'too_slow', allowReconnect: true } as const;

/** Called after each write, so it does not read the clock. */
export function hasTooMuchPending(transport: ServerTransport, limits: SlowConsumerLimits): boolean {
  return transport.pendingBytes > limits.maxPendingBytes;
}

/** Called at each heartbeat. */
export function isTooSlow(transport: ServerTransport, limits: SlowConsumerLimits, now: number): boolean {
  return transport.sendDelayMs(now) > limits.transportSendTimeoutMs || hasTooMuchPending(transport, limits);
}
