import { HubError } from '../../hub/hub.ts';

/** Items buffered for a hub method. A client that sends faster than the method reads is closed. */
const streamBufferCapacity = 1_000;

/** A client-to-server stream, which a hub method receives as an AsyncIterable argument. */
export class ClientStream implements AsyncIterable<unknown> {
  #items: unknown[] = [];
  #completion: { readonly error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;

  /** Returns false if the buffer is full. */
  add(item: unknown): boolean {
    if (this.#completion !== undefined) return true;
    if (this.#items.length >= streamBufferCapacity) return false;
    this.#items.push(item);
    this.#wake?.();
    return true;
  }

  complete(error?: string): void {
    this.#completion ??= { error: error === undefined ? undefined : new HubError(error) };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator {
    try {
      for (;;) {
        while (this.#items.length > 0) yield this.#items.shift();
        if (this.#completion !== undefined) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#completion?.error !== undefined) throw this.#completion.error;
    } finally {
      // The method has stopped reading, so later items are dropped.
      this.#completion ??= { error: undefined };
      this.#items = [];
    }
  }
}
