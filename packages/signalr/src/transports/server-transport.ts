/** One open transport of one client, to which framed bytes are written. */
export type ServerTransport = {
  /** Writes bytes framed for this transport. Never blocks and never throws; drops them after the end. */
  write(framed: Buffer): void;
  /** Bytes written and not yet handed to the network. */
  readonly pendingBytes: number;
  /** How long the oldest unsent byte has waited, accurate to the interval between two calls. */
  sendDelayMs(now: number): number;
  /** Sends the pending bytes and closes; destroys the transport if that takes too long. */
  end(code: number, reason: string): void;
  destroy(): void;
};
