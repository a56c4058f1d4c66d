import * as fc from 'fast-check';
import { expect, vi } from 'vitest';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { ProblemError } from '../common/problem.ts';
import {
  addBusyTenant,
  live,
  type PlantStep,
  plantSteps,
  sendWishes,
} from '../history/testing/busy-plant.fixture.ts';
import { filterOf, pages, type Question, questions } from '../history/testing/questions.fixture.ts';
import {
  expectInOrder,
  expectRebuilt,
  expectRecounted,
  type RawHistory,
  readRawHistory,
} from '../history/testing/recount.fixture.ts';
import type { PageRequest } from '../http/page.ts';
import { readJournal } from '../journal/journal.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, readTenant } from '../postgres/tenant-transaction.ts';
import { giveToPlainOwner } from '../testing/plain-owner.fixture.ts';
import { FakeClock, openPlant, test } from '../testing/plant.fixture.ts';
import { dropOldMonths } from './drop-old-months.ts';
import { ada, liveThroughYear, machine, makePartitionsOfYear } from './testing/year.fixture.ts';

/** Patient with the other server of a test, and not with a reader that stays. */
const dropMonths = (runtime: Runtime, monthsKept: number) =>
  dropOldMonths(runtime, monthsKept, { attempts: 5, pauseMs: 50, restShare: 0 });

/** The occurrences of active alarms, also of those that were raised before the histories begin. */
async function readOpen(runtime: Runtime, tenantId: number) {
  return readTenant(runtime.database, tenantId, async ({ client }) => {
    const { rows } = await client.query<{ tagId: number; isThere: boolean }>(
      `select a.tag_id as "tagId", exists (select from occurrences o join texts x
         on x.tenant_id = o.tenant_id and x.id = o.text_id where o.tenant_id = $1 and o.id = a.occurrence_id
         and o.raised_at = a.raised_at) as "isThere"
       from alarms a where a.tenant_id = $1 and a.state & 1 = 1`,
      [tenantId],
    );
    return rows;
  });
}

const readAll = (runtime: Runtime, tenantId: number) =>
  readTenant(runtime.database, tenantId, async (transaction) => ({
    tenantId,
    ...(await readRawHistory(transaction)),
    entries: await readJournal(transaction, { after: 0, limit: 10_000 }),
    active: (
      await transaction.client.query<{ tagId: number; raisedAt: Date }>(
        `select tag_id as "tagId", raised_at as "raisedAt" from alarms
         where tenant_id = $1 and state & 1 = 1 order by raised_at`,
        [tenantId],
      )
    ).rows,
  }));

/** Everything that can be asked has the answer that the rows give. */
async function expectExact(
  runtime: Runtime,
  history: RawHistory & { tenantId: number },
  questioned: readonly [Question, PageRequest][],
): Promise<void> {
  expectInOrder(history);
  await expectRebuilt(runtime, history.tenantId);
  await readTenant(runtime.database, history.tenantId, async (transaction) => {
    await expectRecounted(transaction, history, {}, { offset: 0, limit: 3, descending: false });
    for (const [question, page] of questioned)
      await expectRecounted(transaction, history, filterOf(question, history), page);
  });
}

const startOfMonth = (instant: Date, monthsLater = 0) =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + monthsLater));

/** About a year of a tenant, after which what has been active for months is reset, or most of it. */
async function liveForMonths(
  { runtime, clock, tenantId }: { runtime: Runtime; clock: FakeClock; tenantId: number },
  { happens, tidy }: { happens: readonly PlantStep[]; tidy: boolean },
): Promise<void> {
  const slowly = happens.map((step) => ({ ...step, waitMs: step.waitMs * 6 }));
  await live({ runtime, clock, tenantId }, slowly);
  const { submit } = createAlarmWriter(runtime);
  const { active } = await readAll(runtime, tenantId);
  for (const { tagId, raisedAt } of active) {
    if (raisedAt < startOfMonth(clock.now(), -1) && (tidy || tagId % 4 > 0))
      await submit(tenantId, { kind: 'reset', tagId, actor: ada });
  }
}

const year = fc.array(plantSteps, { minLength: 12, maxLength: 12 });
const tidiness = fc.constantFrom(true, true, false);
const asked = fc.array(fc.tuple(questions, pages), { minLength: 4, maxLength: 4 });

test('after old months were dropped every history is that of what is left, in every tenant', async () => {
  let droppedMonths = 0;
  let droppedOccurrences = 0;
  await fc.assert(
    fc.asyncProperty(fc.tuple(year, year), tidiness, asked, async (pasts, tidy, questioned) => {
      const clock = new FakeClock('2024-11-20T12:00:00Z');
      const { runtime, close } = await openPlant(clock);
      // The months before and after have no partition of their own.
      await runtime.database.pool.query("select make_partitions('2024-12-01Z', 5)");
      await giveToPlainOwner(runtime);
      const tenantIds = [await addBusyTenant(runtime), await addBusyTenant(runtime)];
      for (const [index, tenantId] of tenantIds.entries()) {
        clock.set('2024-11-20T12:00:00Z');
        await liveForMonths({ runtime, clock, tenantId }, { happens: pasts[index] ?? [], tidy });
      }

      for (const monthsKept of [5, 3, 1]) {
        const before = await Promise.all(tenantIds.map((tenantId) => readAll(runtime, tenantId)));
        droppedMonths += (await dropMonths(runtime, monthsKept)).length;
        const cut = startOfMonth(clock.now(), -monthsKept);
        for (const { tenantId, occurrences, entries } of before) {
          const left = await readAll(runtime, tenantId);
          expect(left.occurrences).toEqual(occurrences.filter(({ raisedAt }) => raisedAt >= cut));
          expect(left.entries).toEqual(entries.filter(({ at }) => at >= cut));
          droppedOccurrences += occurrences.length - left.occurrences.length;
          const open = await readOpen(runtime, tenantId);
          expect(open.filter(({ isThere }) => !isThere)).toEqual([]);
          await expectExact(runtime, left, questioned);
        }
      }
      await close();
    }),
    { numRuns: 8, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
  );
  expect(droppedMonths).toBeGreaterThan(3);
  expect(droppedOccurrences).toBeGreaterThan(10);
}, 90_000);

const firstMonth = async (runtime: Runtime) =>
  (await readAll(runtime, 1)).occurrences[0]?.raisedAt.toISOString().slice(0, 7);

test('a month goes when all of it is older than what is kept, and not a second sooner', async ({
  runtime,
  clock,
}) => {
  await liveThroughYear(runtime, clock);
  clock.set('2025-12-31T23:59:59Z');
  expect(await dropMonths(runtime, 10)).toEqual(['2025-01']);
  clock.set('2026-01-01T00:00:00Z');
  expect(await dropMonths(runtime, 10)).toEqual(['2025-02']);
  expect(await dropMonths(runtime, 10)).toEqual([]);
  expect(await firstMonth(runtime)).toBe('2025-03');
  const { rows } = await runtime.database.pool.query(
    "select relname from pg_class where relname ~ '_2025_0[1-3]$' and relkind = 'r' order by 1",
  );
  expect(rows.map(({ relname }) => relname)).toEqual([
    'acknowledgments_2025_03',
    'journal_2025_03',
    'occurrences_2025_03',
  ]);
  await expectRebuilt(runtime, 1);
});

test('texts of which nothing is left go too, and come back when they are said again', async ({
  runtime,
  clock,
}) => {
  await liveThroughYear(runtime, clock);
  clock.set('2026-01-15T12:00:00Z');
  await dropMonths(runtime, 3);
  const messages = () =>
    readTenant(runtime.database, 1, async ({ client }) => {
      const { rows } = await client.query('select distinct message from texts order by 1');
      return rows.map(({ message }) => message);
    });
  const kept = ['Door', 'Fan', 'Pump'].flatMap((path) => [10, 11, 12].map((month) => `${path} ${month}`));
  expect(await messages()).toEqual(kept);
  const { submit } = createAlarmWriter(runtime);
  await submit(1, { kind: 'post', actor: machine, body: { path: 'Fan', alarmMessage: 'Fan 1' } });
  expect(await messages()).toEqual([...kept, 'Fan 1'].toSorted());
  await expectRebuilt(runtime, 1);
});

test('a server that has said a text before says it again after it went', async ({ runtime, clock }) => {
  const { submit } = createAlarmWriter(runtime);
  await makePartitionsOfYear(runtime);
  const body = { path: 'Fan', alarmMessage: 'The fan stands still' };
  const happen = async () => {
    await submit(1, { kind: 'post', actor: machine, body });
    await submit(1, { kind: 'reset', tagId: 1, actor: ada });
  };
  clock.set('2025-01-10T12:00:00Z');
  await happen();
  clock.set('2025-12-15T12:00:00Z');
  expect(await dropMonths(runtime, 3)).toContain('2025-01');
  await happen();
  const messages = await readTenant(runtime.database, 1, async ({ client }) => {
    const { rows } = await client.query(
      `select x.message from occurrences o left join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id
       order by o.id`,
    );
    return rows.map(({ message }) => message);
  });
  expect(messages.at(-1)).toBe('The fan stands still');
  await expectRebuilt(runtime, 1);
});

test('an alarm that waits for its acknowledgment only does not, and is acknowledged all the same', async ({
  runtime,
  clock,
}) => {
  await liveThroughYear(runtime, clock);
  const { submit } = createAlarmWriter(runtime);
  clock.set('2027-06-15T12:00:00Z');
  expect(await dropMonths(runtime, 3)).toContain('2025-12');
  expect((await readAll(runtime, 1)).occurrences).toEqual([]);
  for (const tagId of [1, 2, 3]) {
    expect(await submit(1, { kind: 'acknowledge', tagId, comment: 'late', actor: ada })).toMatchObject({
      state: 0,
      comment: 'late',
    });
  }
  await submit(1, { kind: 'post', actor: machine, body: { path: 'Fan' } });
  const { occurrences } = await readAll(runtime, 1);
  expect(occurrences.map(({ id }) => id)).toEqual([37]);
  await expectRebuilt(runtime, 1);
});

test('two servers that drop at once drop each month once', async ({ runtime, clock }) => {
  await liveThroughYear(runtime, clock);
  clock.set('2026-01-15T12:00:00Z');
  const both = await Promise.all([dropMonths(runtime, 3), dropMonths(runtime, 3)]);
  expect(both.flat().toSorted()).toEqual(
    ['01', '02', '03', '04', '05', '06', '07', '08', '09'].map((month) => `2025-${month}`),
  );
  await expectRebuilt(runtime, 1);
});

test('alarms come in while months are dropped, and none is lost', async ({ runtime, clock }) => {
  await liveThroughYear(runtime, clock);
  clock.set('2026-01-15T12:00:00Z');
  const tenantId = await addBusyTenant(runtime);
  const work = async (seed: number) => {
    const writer = createAlarmWriter(runtime);
    let tags = 0;
    for (const { wishes } of fc.sample(plantSteps, { seed, numRuns: 40 }))
      tags = (await sendWishes(writer, tenantId, { wishes, tags })).tags;
  };
  const [dropped] = await Promise.all([dropMonths(runtime, 1), work(1), work(2)]);
  expect(dropped).toHaveLength(11);
  const history = await readAll(runtime, tenantId);
  expect(history.occurrences.length).toBeGreaterThan(50);
  expect(history.entries.map(({ seq }) => seq)).toEqual(history.entries.map((_, index) => index + 1));
  for (const id of [1, tenantId]) await expectRebuilt(runtime, id);
});

test('a long read does not delay alarms: the month is dropped another time', async ({ runtime, clock }) => {
  await liveThroughYear(runtime, clock);
  clock.set('2026-01-15T12:00:00Z');
  const { submit } = createAlarmWriter(runtime);
  const before = await readAll(runtime, 1);
  await readTenant(runtime.database, 1, async (transaction) => {
    await readRawHistory(transaction);
    const dropping = dropMonths(runtime, 3);
    const sending = vi
      .waitFor(() => expectSomebodyWaits(runtime))
      .then(() => submit(1, { kind: 'post', actor: machine, body: { path: 'Fan' } }));
    await expect(dropping).rejects.toThrow(ProblemError);
    expect(await sending).toBe(2);
  });
  // The histories begin later already; the rows wait for the next run.
  const after = await readAll(runtime, 1);
  const kept = before.occurrences.filter(({ raisedAt }) => raisedAt >= new Date('2025-10-01Z'));
  expect(after.occurrences).toHaveLength(kept.length + 1);
  await expectExact(runtime, after, []);
  expect(await dropMonths(runtime, 3)).toHaveLength(9);
  await expectRebuilt(runtime, 1);
}, 20_000);

async function expectSomebodyWaits({ database }: Runtime): Promise<void> {
  const { rows } = await database.pool.query('select 1 from pg_locks where not granted and locktype = $1', [
    'relation',
  ]);
  expect(rows).not.toEqual([]);
}

test('the tenant of the caller is the same afterwards', async ({ runtime, clock }) => {
  await liveThroughYear(runtime, clock);
  const tenant = await inTenant(runtime.database, 1, async ({ client }) => {
    await client.query("select drop_old_partitions('2025-04-01Z')");
    const { rows } = await client.query('select current_tenant() as id');
    return rows;
  });
  expect(tenant).toEqual([{ id: 1 }]);
});

test('the server cannot drop a month that is not over for a month, whatever it asks for', async ({
  runtime,
}) => {
  const { pool } = runtime.database;
  const months = async () => {
    const { rows } = await pool.query<{ relname: string }>(
      "select relname from pg_class where relname ~ '^journal_[0-9]{4}_[0-9]{2}$' and relkind = 'r' order by 1",
    );
    return rows.map(({ relname }) => relname);
  };
  await pool.query('select make_partitions(clock_timestamp() - make_interval(months => 3), 7)');
  const before = await months();
  for (let step = 0; step < 10; step += 1) await pool.query("select drop_old_partitions('infinity')");
  const today = new Date();
  const [oldest = '', ...others] = await months();
  expect(oldest).toBe(`journal_${startOfMonth(today, -1).toISOString().slice(0, 7).replace('-', '_')}`);
  expect(others.length).toBeGreaterThan(2);
  expect(before.length).toBeGreaterThan(others.length + 1);
});
