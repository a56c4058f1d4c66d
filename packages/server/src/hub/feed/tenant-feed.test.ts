import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeedEntry } from '../subscriptions/feed-entry.ts';
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

/** A feed of a journal whose end the test sets. */
function openFeed(start: number, onMismatch?: () => void) {
  const heard: number[] = [];
  const state = { end: start, room: true, reads: 0, repairs: 0, onRead: () => 0, shift: 0 };
  const read = async (_tenantId: number, { after, limit }: { after: number; limit: number }) => {
    state.onRead();
    const found = entries(after + 1, Math.min(state.end, after + limit));
    return found.map((each) => Object.assign(each, { at: each.at + state.shift }));
  };
  const feed = new TenantFeed({
    tenantId: 1,
    pages: new JournalPages(read),
    readJournal: (range) => read(1, range),
    readNew: (range) => read(1, range),
    readEnd: async () => state.end,
    onEntries: (passed) => heard.push(...passed.map(({ seq }) => seq)),
    hasRoom: () => state.room,
    onRead: (unannounced) => {
      state.reads += 1;
      if (unannounced > 0) state.repairs += 1;
    },
    onError: (error) => {
      throw error;
    },
    onMismatch: onMismatch ?? (() => feed.resolveMismatches(feed.mismatches)),
  });
  return { feed, heard, state };
}

const numbers = (from: number, to: number) => entries(from, to).map(({ seq }) => seq);

describe('a feed passes every entry on, once and in order', () => {
  test('if commits arrive in any order, twice or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            size: fc.integer({ min: 1, max: 5 }),
            fate: fc.constantFrom('announced', 'twice', 'lost'),
          }),
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
          feed.onEnd(state.end);
          await expect.poll(() => feed.position, { interval: 5 }).toBe(state.end);
          expect(heard).toEqual(numbers(11, state.end));
          feed.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('without reading the journal, if all commits are its own', async () => {
    const { feed, heard, state } = openFeed(3);
    const starting = feed.start();
    feed.offer(entries(4, 5));
    await starting;
    state.end = 7;
    feed.offer(entries(6, 7));
    expect(heard).toEqual([4, 5, 6, 7]);
    expect(state.reads).toBe(0);
  });

  test('if there is no room for a while: entries stay in the journal', async () => {
    const { feed, heard, state } = openFeed(0);
    await feed.start();
    state.room = false;
    for (let seq = 1; seq <= 5_000; seq++) {
      state.end = seq;
      feed.offer([entry(seq)]);
    }
    expect(heard).toEqual([]);
    state.room = true;
    feed.onEnd(0);
    await expect.poll(() => feed.position).toBe(5_000);
    expect(heard).toEqual(numbers(1, 5_000));
    feed.close();
  });
});

describe('node messages of other servers', () => {
  test('are read at once, and a thousand together cost a few reads', async () => {
    const { feed, heard, state } = openFeed(5);
    await feed.start();
    for (let seq = 6; seq <= 1_005; seq++) {
      state.end = seq;
      feed.onNodeMessage(seq);
    }
    await expect.poll(() => feed.position, { interval: 5 }).toBe(1_005);
    expect(heard).toEqual(numbers(6, 1_005));
    // The pages of one pass through the journal.
    expect(state.reads).toBeLessThanOrEqual(Math.ceil(1_000 / 256) + 1);
    expect(state.repairs, 'all were announced').toBe(0);
    feed.close();
  });

  test('of known entries lead to no read, in any order', async () => {
    const { feed, state } = openFeed(100);
    await feed.start();
    for (let seq = 100; seq >= 1; seq--) feed.onNodeMessage(seq);
    await sleep(60);
    expect(state.reads).toBe(0);
    feed.close();
  });

  test('beyond the end of the journal lead to few reads, and do not delay real entries', async () => {
    const { feed, heard, state } = openFeed(10);
    await feed.start();
    for (let round = 0; round < 100; round++) {
      for (let more = 0; more < 100; more++) feed.onNodeMessage(1_000_000_000 + round * 100 + more);
      if (round % 10 === 0) {
        state.end += 1;
        feed.offer([entry(state.end)]);
      }
      await sleep(5);
    }
    expect(heard).toEqual(numbers(11, 20));
    expect(state.reads).toBeLessThanOrEqual(20);
    state.end += 1;
    feed.onEnd(state.end);
    await expect.poll(() => feed.position).toBe(21);
    const { reads } = state;
    await sleep(600);
    expect(state.reads, 'no reads for entries that do not exist').toBeLessThanOrEqual(reads + 1);
    feed.close();
  });

  test('stop the feed if the journal was replaced', async () => {
    let mismatches = 0;
    const { feed, heard, state } = openFeed(10, () => (mismatches += 1));
    await feed.start();
    state.end = 12;
    feed.onNodeMessage(12);
    await expect.poll(() => feed.position).toBe(12);
    state.shift = 1;
    state.end = 14;
    feed.onNodeMessage(14);
    await expect.poll(() => mismatches).toBe(1);
    expect(heard).toEqual([11, 12]);
    feed.close();
  });
});

test('a commit with a gap waits for the entries in between', async () => {
  const { feed, heard, state } = openFeed(3);
  await feed.start();
  state.end = 9;
  feed.offer([entry(4), entry(9)]);
  expect(heard).toEqual([4]);
  await expect.poll(() => heard).toEqual(numbers(4, 9));
  feed.close();
});

test('clients that read old entries share pages', async () => {
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

test('after a start the last entries are read once for all reconnecting clients', async () => {
  const { feed, state } = openFeed(5_000);
  let reads = 0;
  state.onRead = () => (reads += 1);
  await feed.start();
  const places = Array.from({ length: 900 }, (_, index) => 4_050 + index);
  const found = await Promise.all(places.map((seq) => feed.after(seq)));
  expect(found.map(([first]) => first?.seq)).toEqual(places.map((seq) => seq + 1));
  expect(reads).toBe(1);
  feed.close();
});

test('the last page is shared, too, until a client needs more than it has', async () => {
  let [reads, end] = [0, 300];
  const pages = new JournalPages(async (_tenantId, { after, limit }) => {
    reads += 1;
    return entries(after + 1, Math.min(end, after + limit));
  });
  for (let round = 0; round < 100; round++) expect((await pages.after(1, 280))[0]?.seq).toBe(281);
  expect(reads).toBe(1);
  end = 310;
  expect((await pages.after(1, 300)).map(({ seq }) => seq)).toEqual(numbers(301, 310));
  expect((await pages.after(1, 305)).map(({ seq }) => seq)).toEqual(numbers(306, 310));
});
