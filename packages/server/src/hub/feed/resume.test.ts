import { expect } from 'vitest';
import { type Caller, listen, raiseMany, settle, test } from '../testing/hub.fixture.ts';

const raisePumps = (admin: Caller, from: number, to: number) => raiseMany(admin, 'pump', to - from + 1, from);

const upTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `pump/${from + index}`);

test('a client that reconnects gets the missed entries in order and once, and then new ones', async ({
  server,
  admin,
}) => {
  const first = await listen(server, admin.token);
  const { seq: begun } = await first.resume(null);
  await raisePumps(admin, 1, 3);
  await expect.poll(() => first.changes.length).toBe(3);
  const last = first.changes.at(-1)?.seq ?? 0;
  expect(last).toBe(begun + 3);
  await first.connection.stop();
  await raisePumps(admin, 4, 300);

  const second = await listen(server, admin.token);
  await raisePumps(admin, 301, 303);
  await expect.poll(() => second.paths()).toEqual(upTo(301, 303));
  expect(await second.resume(last)).toEqual({ seq: last + 300 });
  await raisePumps(admin, 304, 306);
  const seqs = () => second.changes.map(({ seq }) => seq);
  await expect.poll(() => seqs().length).toBe(303);
  expect(seqs()).toEqual(Array.from({ length: 303 }, (_, index) => last + 1 + index));
  expect(second.paths().toSorted(), 'no alarm twice').toEqual(upTo(4, 306).toSorted());
});

test('a client can resume without a gap while new alarms are raised', async ({ server, admin }) => {
  await raisePumps(admin, 1, 50);
  const listener = await listen(server, admin.token);
  const writing = raisePumps(admin, 51, 250);
  let after = 0;
  for (let round = 0; round < 20; round++) {
    const { seq } = await listener.resume(after);
    const seqs = listener.changes.splice(0).map((change) => change.seq);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => after + 1 + index));
    expect(seqs.at(-1) ?? after, 'at least up to the answer').toBeGreaterThanOrEqual(seq);
    after = seqs.at(-1) ?? after;
    // A client may ask again for entries that are under way.
    await listener.resume(Math.max(0, after - 3));
  }
  await writing;
  const end = await listener.resume(after);
  expect(end.seq).toBeGreaterThanOrEqual(250);
  await settle();
  expect(listener.paths().toSorted(), 'no alarm twice').toEqual(upTo(1, 250).toSorted());
});

test('a filter applies to replayed entries, too', async ({ server, admin }) => {
  const dataServerId = await admin.post<number>('/dataservers', { name: 'Gateway' });
  await admin.raise('pump/1');
  await admin.raise('fan/1', { dataServerId });
  const listener = await listen(server, admin.token);
  await listener.subscribe({ dataServerId });
  await listener.resume(0);
  await admin.raise('pump/2');
  await admin.raise('fan/2', { dataServerId });
  await expect.poll(() => listener.paths()).toEqual(['fan/1', 'fan/2']);
  expect(listener.changes.map(({ alarm }) => alarm.path)).toEqual(['fan/1', 'fan/2']);
});

test('a client that asks for entries that were deleted or never existed learns of the gap', async ({
  site,
  server,
  admin,
}) => {
  await raisePumps(admin, 1, 5);
  await site.asOwner((owner) => owner.query('delete from journal where seq <= 3'));
  const listener = await listen(server, admin.token);
  expect(await listener.resume(1)).toEqual({ seq: 5, gap: true, oldest: 4 });
  expect(await listener.resume(1_000)).toEqual({ seq: 5, gap: true, oldest: 4 });
  expect(listener.changes).toEqual([]);
  expect(await listener.resume(3)).toEqual({ seq: 5 });
  await raisePumps(admin, 6, 6);
  await expect.poll(() => listener.paths()).toEqual(['pump/4', 'pump/5', 'pump/6']);
});

test.for([-1, 1.5, 'yesterday', {}, 2 ** 53])(
  '%j is not a position in a journal',
  async (after, { server, admin }) => {
    const listener = await listen(server, admin.token);
    await expect(listener.connection.invoke('resume', after)).rejects.toThrow(/afterSeq/);
  },
);
