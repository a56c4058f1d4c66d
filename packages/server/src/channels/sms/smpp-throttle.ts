/** Slows down after the centre has asked for it: each time twice as long, and less again when messages pass. */
export type Throttle = {
  slowDown(): void;
  passed(): void;
  /** The rest of the pause, in whole seconds; 0 if a message may be sent. */
  pauseSeconds(): number;
};

const firstPauseMs = 1_000;
const maxPauseMs = 16_000;

export function createThrottle(nowMs: () => number = () => performance.now()): Throttle {
  let pauseMs = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    slowDown: () => {
      // Several responses of one window count once.
      if (nowMs() < untilMs) return;
      pauseMs = Math.min(maxPauseMs, Math.max(firstPauseMs, pauseMs * 2));
      untilMs = nowMs() + pauseMs;
    },
    passed: () => {
      pauseMs = Math.floor(pauseMs / 2);
    },
    pauseSeconds: () => Math.max(0, Math.ceil((untilMs - nowMs()) / 1_000)),
  };
}
