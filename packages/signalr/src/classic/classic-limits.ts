export type ClassicTimeouts = {
  /** The interval of keep-alive messages. A client reconnects after twice this time without a message. */
  readonly keepAliveIntervalMs: number;
  /** How long a disconnected client may take to reconnect. */
  readonly disconnectTimeoutMs: number;
  /** How long a poll may wait for messages; keep-alive data is sent meanwhile. */
  readonly connectionTimeoutMs: number;
  /** How long a client tries one transport before it falls back to the next. */
  readonly transportConnectTimeoutMs: number;
};

export const defaultClassicTimeouts: ClassicTimeouts = {
  keepAliveIntervalMs: 10_000,
  disconnectTimeoutMs: 30_000,
  connectionTimeoutMs: 110_000,
  transportConnectTimeoutMs: 5_000,
};

/** Limits one WebSocket message, or the data of one `/send`. */
export const maxReceiveBytes = 64 * 1_024;

/** Limits the state that the hub stores in a groups token, and the state of a client's hub proxy. */
export const maxStateBytes = 4 * 1_024;
