/** Waits that somebody can end early. */
export type Waits = {
  /** Resolves after this time, or when it is woken or stopped. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  wake(): void;
};

export function createWaits(): Waits {
  const wakers = new Set<() => void>();
  return {
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          wakers.delete(end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        wakers.add(end);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
    wake: () => {
      for (const end of wakers) end();
    },
  };
}
