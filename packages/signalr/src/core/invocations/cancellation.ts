/** Cancels a wait. Holds only the current wait, so that a long-lived stream does not accumulate listeners. */
export class Cancellation {
  #isCancelled = false;
  #wake: (() => void) | undefined;

  cancel(): void {
    this.#isCancelled = true;
    this.#wake?.();
  }

  /** Resolves with the value of the promise, or with undefined if cancelled first. */
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
