import { setTimeout as sleep } from 'node:timers/promises';
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
function openFeed(start: number, onDoubt?: () => void) {
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
    onRead: (untold) => {
      state.reads += 1;
      if (untold > 0) state.repairs += 1;
    },
    onError: (error) => {
      throw error;
    },
    onDoubt: onDoubt ?? (() => feed.settleDoubts(feed.doubts)),
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
    expect(state.reads).toBe(0);
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

describe('hints of other servers', () => {
  test('are followed at once, and a thousand that come together cost two reads', async () => {
    const { feed, heard, state } = openFeed(5);
    await feed.start();
    for (let seq = 6; seq <= 1_005; seq++) {
      state.end = seq;
      feed.hint(seq);
    }
    await expect.poll(() => feed.known, { interval: 5 }).toBe(1_005);
    expect(heard).toEqual(numbers(6, 1_005));
    // The pages of one look at the journal.
    expect(state.reads).toBeLessThanOrEqual(Math.ceil(1_000 / 256) + 1);
    expect(state.repairs, 'all were told of').toBe(0);
    feed.close();
  });

  test('of numbers that are known lead to no read, in whatever order they come again', async () => {
    const { feed, state } = openFeed(100);
    await feed.start();
    for (let seq = 100; seq >= 1; seq--) feed.hint(seq);
    await sleep(60);
    expect(state.reads).toBe(0);
    feed.close();
  });

  test('beyond the end of the journal lead to a read now and then, and keep nobody from what is there', async () => {
    const { feed, heard, state } = openFeed(10);
    await feed.start();
    for (let turn = 0; turn < 100; turn++) {
      for (let more = 0; more < 100; more++) feed.hint(1_000_000_000 + turn * 100 + more);
      if (turn % 10 === 0) {
        state.end += 1;
        feed.offer([entry(state.end)]);
      }
      await sleep(5);
    }
    expect(heard).toEqual(numbers(11, 20));
    expect(state.reads).toBeLessThanOrEqual(20);
    state.end += 1;
    feed.noticeEnd(state.end);
    await expect.poll(() => feed.known).toBe(21);
    const { reads } = state;
    await sleep(600);
    expect(state.reads, 'nobody reads for what is not there').toBeLessThanOrEqual(reads + 1);
    feed.close();
  });

  test('do not lead on in a journal that has become another one', async () => {
    let doubts = 0;
    const { feed, heard, state } = openFeed(10, () => (doubts += 1));
    await feed.start();
    state.end = 12;
    feed.hint(12);
    await expect.poll(() => feed.known).toBe(12);
    state.shift = 1;
    state.end = 14;
    feed.hint(14);
    await expect.poll(() => doubts).toBe(1);
    expect(heard).toEqual([11, 12]);
    feed.close();
  });
});

test('entries of a commit that are not in a row are not passed on before those between them', async () => {
  const { feed, heard, state } = openFeed(3);
  await feed.start();
  state.end = 9;
  feed.offer([entry(4), entry(9)]);
  expect(heard).toEqual([4]);
  await expect.poll(() => heard).toEqual(numbers(4, 9));
  feed.close();
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

test('the last entries are read once for all who come back for them after a start', async () => {
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

test('the last page is shared too, until somebody needs more than it has', async () => {
  let [reads, end] = [0, 300];
  const pages = new JournalPages(async (_tenantId, { after, limit }) => {
    reads += 1;
    return entries(after + 1, Math.min(end, after + limit));
  });
  for (let turn = 0; turn < 100; turn++) expect((await pages.after(1, 280))[0]?.seq).toBe(281);
  expect(reads).toBe(1);
  end = 310;
  expect((await pages.after(1, 300)).map(({ seq }) => seq)).toEqual(numbers(301, 310));
  expect((await pages.after(1, 305)).map(({ seq }) => seq)).toEqual(numbers(306, 310));
});
