import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';

/** Waits until it is so, for five seconds at most. */
export async function eventually(isSo: () => boolean, what = 'what was waited for'): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    if (isSo()) return;
    await pause(5);
  }
  expect(isSo(), what).toBe(true);
}
