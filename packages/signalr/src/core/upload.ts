import { HubError } from '../hub.ts';

/** More items than this wait for no method. */
const mostItems = 1_000;

/** A stream that the client sends: items are put in as they come, and a method reads them. */
export class Upload implements AsyncIterable<unknown> {
  #items: unknown[] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;

  /** Whether there was room for it. */
  put(item: unknown): boolean {
    if (this.#end !== undefined) return true;
    if (this.#items.length >= mostItems) return false;
    this.#items.push(item);
    this.#wake?.();
    return true;
  }

  end(error?: string): void {
    this.#end ??= { error: error === undefined ? undefined : new HubError(error) };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator {
    try {
      for (;;) {
        while (this.#items.length > 0) yield this.#items.shift();
        if (this.#end !== undefined) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
    } finally {
      // A method that stops reading lets the rest go.
      this.#end ??= { error: undefined };
      this.#items = [];
    }
  }
}
