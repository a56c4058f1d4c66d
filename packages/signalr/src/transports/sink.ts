/** Where ready bytes go: one open transport of one client. */
export type Sink = {
  /** Takes bytes framed for this transport. Never blocks and never throws; after the end they are dropped. */
  write(framed: Buffer): void;
  /** Bytes taken and not yet handed to the network. */
  readonly pendingBytes: number;
  /** How long the oldest unsent byte has waited, in ms; exact to the interval between two calls. */
  unsentAge(now: number): number;
  /** Ends after what is pending, or is destroyed if that takes too long. */
  end(code: number, reason: string): void;
  destroy(): void;
};

/** What a sink knows of its socket. */
export type Progress = { readonly bytesWritten: number; readonly writableLength: number };

/**
 * Tells for how long a socket has had unsent bytes, without a look at the clock per write: each call notes where
 * the queue ends, and the next ones see whether that point has been passed.
 */
export class UnsentWatch {
  #end = 0;
  #since: number | undefined;

  age(socket: Progress, now: number): number {
    const { bytesWritten, writableLength } = socket;
    if (writableLength === 0) {
      this.#since = undefined;
      return 0;
    }
    if (this.#since === undefined || bytesWritten - writableLength >= this.#end) {
      this.#since = now;
      this.#end = bytesWritten;
    }
    return now - this.#since;
  }
}
