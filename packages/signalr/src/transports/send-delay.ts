/** The write counters of a socket. */
export type SocketProgress = { readonly bytesWritten: number; readonly writableLength: number };

/**
 * Measures how long a socket has had unsent bytes without reading the clock at each write: each call notes the end of
 * the queue, and later calls check whether that point has been passed.
 */
export class SendDelay {
  #queueEnd = 0;
  #since: number | undefined;

  measureMs(socket: SocketProgress, now: number): number {
    const { bytesWritten, writableLength } = socket;
    if (writableLength === 0) {
      this.#since = undefined;
      return 0;
    }
    if (this.#since === undefined || bytesWritten - writableLength >= this.#queueEnd) {
      this.#since = now;
      this.#queueEnd = bytesWritten;
    }
    return now - this.#since;
  }
}
