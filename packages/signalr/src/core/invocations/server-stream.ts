import { setImmediate as nextTick } from 'node:timers/promises';
import type { Cancellation } from './cancellation.ts';

/** Items sent before the event loop continues. */
const itemsPerSlice = 64;

export type ServerStream = {
  readonly items: AsyncIterable<unknown>;
  /** Cancelled by the client, or by the end of the connection. */
  readonly cancellation: Cancellation;
  send(item: unknown): void;
  waitForSendCapacity(): Promise<void>;
};

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Sends a server-to-client stream as fast as the client reads, until it ends or is cancelled. */
export async function sendStream(stream: ServerStream): Promise<void> {
  const { items, cancellation, send, waitForSendCapacity } = stream;
  const iterator = items[Symbol.asyncIterator]();
  for (let count = 1; ; count += 1) {
    const step = await cancellation.wait(iterator.next());
    if (step === undefined) {
      // Not awaited: a generator returns only after the item it is waiting for.
      iterator.return?.().catch(() => undefined);
      return;
    }
    if (step.done === true) return;
    send(step.value);
    await waitForSendCapacity();
    if (count % itemsPerSlice === 0) await nextTick();
  }
}
