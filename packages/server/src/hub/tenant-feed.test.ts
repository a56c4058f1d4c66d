import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeedEntry } from './feed-entry.ts';
import { JournalPages } from './journal-pages.ts';
import { TenantFeed } from './tenant-feed.ts';

const entry = (seq: number): FeedEntry => ({
  seq,
  at: seq,
  kind: 'raised',
  stationId: 1,
  announce: true,
  alarmJson: `{"id":${seq}}`,
});

const entries = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => entry(from + index));

/** A feed of a journal that goes as far as it is told. */
function openFeed(start: number) {
  const heard: number[] = [];
  const state = { end: start, room: true, repairs: 0 };
  const read = async (_tenantId: number, { after, limit }: { after: number; limit: number }) =>
    entries(after + 1, Math.min(state.end, after + limit));
  const feed = new TenantFeed({
    tenantId: 1,
    pages: new JournalPages(read),
    readJournal: (range) => read(1, range),
    readEnd: async () => state.end,
    onEntries: (passed) => heard.push(...passed.map(({ seq }) => seq)),
    hasRoom: () => state.room,
    onRepair: () => (state.repairs += 1),
    onError: (error) => {
      throw error;
    },
  });
  return { feed, heard, state };
}

const numbers = (from: number, to: number) => entries(from, to).map(({ seq }) => seq);

describe('a feed passes every entry on once and in order', () => {
  test('however commits are mixed up, doubled and lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ size: fc.integer({ min: 1, max: 5 }), fate: fc.constantFrom('told', 'twice', 'lost') }),
          {
            minLength: 1,
            maxLength: 30,
          },
        ),
        fc.infiniteStream(fc.nat(1_000)),
        async (commits, shuffle) => {
          const { feed, heard, state } = openFeed(10);
          await feed.start();
          const news: FeedEntry[][] = [];
          for (const { size, fate } of commits) {
            const batch = entries(state.end + 1, state.end + size);
            state.end += size;
            if (fate !== 'lost') news.push(batch);
            if (fate === 'twice') news.push(batch);
          }
          const order = news.map((batch) => ({ batch, place: shuffle.next().value ?? 0 }));
          for (const { batch } of order.toSorted((a, b) => a.place - b.place)) feed.offer(batch);
          feed.noticeEnd(state.end);
          await expect.poll(() => feed.known, { interval: 5 }).toBe(state.end);
          expect(heard).toEqual(numbers(11, state.end));
          feed.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('when all come by themselves, without reading the journal', async () => {
    const { feed, heard, state } = openFeed(3);
    const starting = feed.start();
    feed.offer(entries(4, 5));
    await starting;
    state.end = 7;
    feed.offer(entries(6, 7));
    expect(heard).toEqual([4, 5, 6, 7]);
    expect(state.repairs).toBe(0);
  });

  test('when nobody takes them for a while: they stay in the journal', async () => {
    const { feed, heard, state } = openFeed(0);
    await feed.start();
    state.room = false;
    for (let seq = 1; seq <= 5_000; seq++) {
      state.end = seq;
      feed.offer([entry(seq)]);
    }
    expect(heard).toEqual([]);
    state.room = true;
    feed.noticeEnd(0);
    await expect.poll(() => feed.known).toBe(5_000);
    expect(heard).toEqual(numbers(1, 5_000));
    feed.close();
  });
});

test('what lies back is read from memory, or from pages that clients share', async () => {
  let reads = 0;
  const pages = new JournalPages(async (_tenantId, { after, limit }) => {
    reads += 1;
    return entries(after + 1, Math.min(1_000, after + limit));
  });
  const found = await Promise.all(
    Array.from({ length: 500 }, (_, index) => pages.after(1, 256 + (index % 200))),
  );
  expect(found.every(([first], index) => first?.seq === 257 + (index % 200))).toBe(true);
  expect(reads).toBe(1);
  expect(await pages.after(1, 1_000), 'at the end').toEqual([]);
});
