import { useSyncExternalStore } from 'react';
import { currentTime } from './current-time.ts';

let now = currentTime();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = currentTime();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Milliseconds since 1970, each second. All clocks and durations of a page change together. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
