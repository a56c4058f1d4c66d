/** Lets so many go at a time, in the order in which they came. */
export type Turns = {
  /** True when it is the caller's turn, which must be ended; false when the signal was faster. */
  wait(signal: AbortSignal): Promise<boolean>;
  end(): void;
};

export function createTurns(atOnce: number): Turns {
  let free = atOnce;
  const waiting = new Set<() => void>();
  return {
    wait: (signal) => {
      if (signal.aborted) return Promise.resolve(false);
      if (free > 0) {
        free -= 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const go = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(true);
        };
        const giveUp = () => {
          waiting.delete(go);
          resolve(false);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(go);
      });
    },
    end: () => {
      const [next] = waiting;
      if (!next) {
        free += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
