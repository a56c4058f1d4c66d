import type { SlowConsumerLimits } from '../transports/slow-consumer.ts';

/** All limits and timeouts of the server. */
export type Limits = SlowConsumerLimits & {
  readonly maxConnections: number;
  readonly maxConnectionsPerIdentity: number;
  /** Limits connections that have not completed their handshake. */
  readonly maxPendingHandshakes: number;
  readonly handshakeTimeoutMs: number;
  /** The handshake response is sent after this time even if the hub's `onConnected` is still running. */
  readonly handshakeResponseDelayMs: number;
  readonly maxNegotiatesPerMinute: number;
  /** Limits one POST or one WebSocket message, which may contain several hub messages. */
  readonly maxRequestBodyBytes: number;
  /** Limits one hub message of a client. */
  readonly maxReceiveMessageBytes: number;
  readonly maxMessagesPerSecond: number;
  /** Limits the running invocations of one client, streams included. */
  readonly maxParallelInvocations: number;
  readonly keepAliveIntervalMs: number;
  /** A client that has sent pings is closed after this time without a message. */
  readonly clientTimeoutIntervalMs: number;
  /** Shorter than the 60 s after which many proxies end a request. */
  readonly pollTimeoutMs: number;
  /** How long a connection without a poll or socket is kept. */
  readonly disconnectTimeoutMs: number;
  readonly statefulReconnectBufferBytes: number;
};

export const defaultLimits: Limits = {
  maxConnections: 20_000,
  maxConnectionsPerIdentity: 1_000,
  maxPendingHandshakes: 2_000,
  handshakeTimeoutMs: 15_000,
  handshakeResponseDelayMs: 3_000,
  maxNegotiatesPerMinute: 600,
  maxRequestBodyBytes: 128 * 1_024,
  maxReceiveMessageBytes: 32 * 1_024,
  maxMessagesPerSecond: 100,
  maxParallelInvocations: 50,
  keepAliveIntervalMs: 15_000,
  clientTimeoutIntervalMs: 30_000,
  pollTimeoutMs: 50_000,
  disconnectTimeoutMs: 15_000,
  statefulReconnectBufferBytes: 1_048_576,
  maxPendingBytes: 1_024 * 1_024,
  transportSendTimeoutMs: 10_000,
};
