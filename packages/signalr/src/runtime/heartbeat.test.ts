import { expect, test } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

test('thousands of targets are called once each, in slices between which the event loop continues', async () => {
  let scan: () => void = () => undefined;
  const timers = {
    every: (_: number, run: () => void) => {
      scan = run;
      return () => undefined;
    },
  };
  const heartbeat = startHeartbeat({ clock: () => 0, timers, onError: () => undefined });
  let beats = 0;
  for (let count = 0; count < 1_200; count++) heartbeat.add({ onHeartbeat: () => void (beats += 1) });
  scan();
  scan();
  const seen = [beats];
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(beats);
  }
  expect(seen[0]).toBe(500);
  expect(seen.every((count, index) => index === 0 || count - (seen[index - 1] ?? 0) <= 500)).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(beats).toBe(1_200);
});
