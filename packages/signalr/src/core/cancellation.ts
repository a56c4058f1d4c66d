/** Ends a wait from outside. Holds one wait at a time, so that a stream of years keeps nothing of its past. */
export class Cancellation {
  #isCancelled = false;
  #wake: (() => void) | undefined;

  cancel(): void {
    this.#isCancelled = true;
    this.#wake?.();
  }

  /** What is waited for, or undefined when it was cancelled before. */
  async wait<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    if (this.#isCancelled) {
      promise.catch(() => undefined);
      return undefined;
    }
    try {
      return await new Promise<Value | undefined>((resolve, reject) => {
        this.#wake = () => resolve(undefined);
        promise.then(resolve, reject);
      });
    } finally {
      this.#wake = undefined;
    }
  }
}
