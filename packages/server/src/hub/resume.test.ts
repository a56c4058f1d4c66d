import pg from 'pg';
import { expect } from 'vitest';
import { type Caller, listen, settle, test } from './hub.fixture.ts';

async function raiseMany(admin: Caller, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++) await admin.raise(`pump/${number}`);
}

const upTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `pump/${from + index}`);

test('who comes back gets what was missed, in order and once, and then goes on', async ({
  server,
  admin,
}) => {
  const first = await listen(server, admin.token);
  const { seq: begun } = await first.resume(null);
  await raiseMany(admin, 1, 3);
  await expect.poll(() => first.changes.length).toBe(3);
  const last = first.changes.at(-1)?.seq ?? 0;
  expect(last).toBe(begun + 3);
  await first.connection.stop();
  await raiseMany(admin, 4, 300);

  const second = await listen(server, admin.token);
  await raiseMany(admin, 301, 303);
  await expect.poll(() => second.paths()).toEqual(upTo(301, 303));
  expect(await second.resume(last)).toEqual({ seq: last + 300 });
  await raiseMany(admin, 304, 306);
  const seqs = () => second.changes.map(({ seq }) => seq);
  await expect.poll(() => seqs().length).toBe(303);
  expect(seqs()).toEqual(Array.from({ length: 303 }, (_, index) => last + 1 + index));
  expect(second.paths().toSorted(), 'no alarm twice').toEqual(upTo(4, 306).toSorted());
});

test('while one comes back others go on, and it meets them without a gap', async ({ server, admin }) => {
  await raiseMany(admin, 1, 50);
  const listener = await listen(server, admin.token);
  const writing = raiseMany(admin, 51, 250);
  let after = 0;
  for (let turn = 0; turn < 20; turn++) {
    const { seq } = await listener.resume(after);
    const seqs = listener.changes.splice(0).map((change) => change.seq);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => after + 1 + index));
    expect(seqs.at(-1) ?? after, 'all that it says, and perhaps more').toBeGreaterThanOrEqual(seq);
    after = seqs.at(-1) ?? after;
    // It may ask again for what is on its way to it.
    await listener.resume(Math.max(0, after - 3));
  }
  await writing;
  const end = await listener.resume(after);
  expect(end.seq).toBeGreaterThanOrEqual(250);
  await settle();
  expect(listener.paths().toSorted(), 'no alarm twice').toEqual(upTo(1, 250).toSorted());
});

test('a filter holds for what is replayed too', async ({ server, admin }) => {
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

test('who asks for what is no longer kept, or never was, is told of the gap', async ({
  site,
  server,
  admin,
}) => {
  await raiseMany(admin, 1, 5);
  const owner = new pg.Client({ connectionString: site.databaseUrl });
  await owner.connect();
  await owner.query("select set_config('tocsin.tenant', '1', false)");
  await owner.query('delete from journal where seq <= 3');
  await owner.end();
  const listener = await listen(server, admin.token);
  expect(await listener.resume(1)).toEqual({ seq: 5, gap: true, oldest: 4 });
  expect(await listener.resume(1_000)).toEqual({ seq: 5, gap: true, oldest: 4 });
  expect(listener.changes).toEqual([]);
  expect(await listener.resume(3)).toEqual({ seq: 5 });
  await raiseMany(admin, 6, 6);
  await expect.poll(() => listener.paths()).toEqual(['pump/4', 'pump/5', 'pump/6']);
});

test.for([-1, 1.5, 'yesterday', {}, 2 ** 53])(
  '%j is no place in a journal',
  async (after, { server, admin }) => {
    const listener = await listen(server, admin.token);
    await expect(listener.connection.invoke('resume', after)).rejects.toThrow(/afterSeq/);
  },
);
