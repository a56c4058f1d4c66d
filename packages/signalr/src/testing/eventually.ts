import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';

/** Waits up to five seconds for the condition. */
export async function eventually(
  condition: () => boolean,
  description = 'the expected condition',
): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    if (condition()) return;
    await pause(5);
  }
  expect(condition(), description).toBe(true);
}
