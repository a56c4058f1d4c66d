import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Combines single reads into batches. One batch runs at a time, and reads that arrive meanwhile share the next one. So a
 * result is never older than its request, and a thousand concurrent clients cost a few queries. Work that nobody waits for
 * may pause after a batch that is not full, so that the next one has more to do.
 */
export function coalesceReads<Item, Result>(
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxBatchSize, pauseMs = 0 }: { maxBatchSize: number; pauseMs?: number },
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let isReading = false;

  const run = async () => {
    isReading = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatchSize);
      waiting = waiting.slice(maxBatchSize);
      try {
        const results = await read(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (pauseMs > 0 && batch.length < maxBatchSize) await sleep(pauseMs, undefined, { ref: false });
    }
    isReading = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isReading) void run();
    });
}
