/** Milliseconds. */
export type ClassicTimings = {
  /** How often `{}` is said. A client that hears nothing for twice as long reconnects. */
  readonly keepAliveMs: number;
  /** How long a client that is gone may take to come back. */
  readonly disconnectMs: number;
  /** How long a poll may wait for messages; it is kept alive in between. */
  readonly pollMs: number;
  /** How long a client tries one transport before it takes the next. */
  readonly transportConnectMs: number;
};

export const classicTimings: ClassicTimings = {
  keepAliveMs: 10_000,
  disconnectMs: 30_000,
  pollMs: 110_000,
  transportConnectMs: 5_000,
};

/** What one client may send at once: a WebSocket message or the data of a /send. */
export const inboundBytes = 64 * 1_024;

/** What a client may carry for the hub, and for a proxy of its own. */
export const stateBytes = 4 * 1_024;
