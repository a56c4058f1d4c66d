import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cancellation } from './cancellation.ts';

/** After so many items others get a turn. */
const itemsPerTurn = 64;

export type ServerStream = {
  readonly items: AsyncIterable<unknown>;
  /** When the client has had enough, or is gone. */
  readonly cancellation: Cancellation;
  send(item: unknown): void;
  drained(): Promise<void>;
};

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Sends each item as fast as the client reads, until the end or the client's word. */
export async function sendStream({ items, cancellation, send, drained }: ServerStream): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  for (let count = 1; ; count += 1) {
    const step = await cancellation.wait(iterator.next());
    if (step === undefined) {
      // A stream that waits for its next item ends when it has it; nobody waits for that.
      iterator.return?.().catch(() => undefined);
      return;
    }
    if (step.done === true) return;
    send(step.value);
    await drained();
    if (count % itemsPerTurn === 0) await nextTurn();
  }
}
