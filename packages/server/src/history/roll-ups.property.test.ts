import * as fc from 'fast-check';
import { expect } from 'vitest';
import { callGroupsOfTag } from '../alarms/store/alarm-reach.store.ts';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import {
  addBusyTenant,
  live,
  type PlantStep,
  plantSteps,
  sendWishes,
  type Wish,
} from './testing/busy-plant.fixture.ts';
import { filterOf, pages, questions } from './testing/questions.fixture.ts';
import {
  expectInOrder,
  expectRebuilt,
  expectRecounted,
  type RawOccurrence,
  readRawHistory,
} from './testing/recount.fixture.ts';

/** Shortly before the ends of years and months, one of them a leap February. */
const starts = fc.constantFrom(
  '2026-12-31T23:59:58.500Z',
  '2027-11-20T11:00:00Z',
  '2028-02-27T22:00:00Z',
  '2030-01-01T00:00:00Z',
);

const past = fc.array(plantSteps, { minLength: 10, maxLength: 13 });
const asked = fc.array(fc.tuple(questions, pages), { minLength: 6, maxLength: 6 });

test('whatever happens to alarms, the sums say what counting the occurrences says', async ({
  runtime,
  clock,
}) => {
  await makeSomePartitions(runtime);
  const done = { commands: 0, occurrences: 0, compared: 0 };
  await fc.assert(
    fc.asyncProperty(starts, past, asked, async (start, happens, questioned) => {
      clock.set(start);
      const tenantId = await addBusyTenant(runtime);
      const facts = new Map<number, Facts>();
      done.commands += await live({ runtime, clock, tenantId }, happens, (step) =>
        readTenant(runtime.database, tenantId, (transaction) => expectFacts(transaction, step, facts)),
      );
      await readTenant(runtime.database, tenantId, async (transaction) => {
        const history = await readRawHistory(transaction);
        expectInOrder(history);
        expect(history.occurrences[0]?.id ?? 1).toBe(1);
        done.occurrences += history.occurrences.length;
        for (const [question, page] of questioned) {
          const filter = filterOf(question, history);
          done.compared += await expectRecounted(transaction, history, filter, page);
        }
      });
      await expectRebuilt(runtime, tenantId);
    }),
    { numRuns: 70, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
  );
  expect(done.commands / 70).toBeGreaterThan(40);
  expect(done.occurrences / 70).toBeGreaterThan(10);
  expect(done.compared / 70).toBeGreaterThan(10);
}, 120_000);

test('also while writers run: every snapshot has sums and occurrences that agree', async ({
  runtime,
  clock,
}) => {
  await makeSomePartitions(runtime);
  clock.set('2027-01-31T20:00:00Z');
  const tenantId = await addBusyTenant(runtime);
  const start = performance.now();
  let compared = 0;
  // Longer on a machine that is busy, until enough was compared.
  const isOver = () => performance.now() > start + (compared > 1_000 ? 3_000 : 25_000);
  const work = async (seed: number) => {
    const writer = createAlarmWriter(runtime);
    let tags = 0;
    for (const { waitMs, wishes } of fc.sample(plantSteps, { seed, numRuns: 2_000 })) {
      if (isOver()) return;
      clock.advance(waitMs / 100_000);
      tags = (await sendWishes(writer, tenantId, { wishes, tags })).tags;
    }
  };
  const sizes = new Set<number>();
  const watch = async () => {
    for (const [question, page] of fc.sample(fc.tuple(questions, pages), { seed: 4, numRuns: 2_000 })) {
      if (isOver()) return;
      await readTenant(runtime.database, tenantId, async (transaction) => {
        const history = await readRawHistory(transaction);
        sizes.add(history.occurrences.length);
        for (const filter of [
          {},
          filterOf(question, history),
          filterOf({ ...question, ...soFar }, history),
        ]) {
          compared += await expectRecounted(transaction, history, filter, page);
        }
      });
    }
  };
  await Promise.all([work(1), work(2), work(3), watch()]);
  await expectRebuilt(runtime, tenantId);
  expect(sizes.size).toBeGreaterThan(5);
  expect(compared).toBeGreaterThan(1_000);
}, 60_000);

/** A period that ends within what is being written. */
const soFar = {
  from: { near: 0, at: 'instant', shiftMs: 1 },
  to: { near: -1, at: 'day', shiftMs: 0 },
} as const;

/** Some months have a partition of their own, the others share the default. */
async function makeSomePartitions({ database }: Runtime): Promise<void> {
  for (const month of ['2027-01-01Z', '2027-12-01Z', '2028-02-01Z', '2030-01-01Z']) {
    await database.pool.query('select make_partitions($1, 1)', [month]);
  }
}

type Facts = Pick<RawOccurrence, 'message' | 'stationId' | 'dataServerId' | 'tagGroupId' | 'callGroupIds'>;

/**
 * What an occurrence belongs to is what its tag said at the raise, and stays so; its comment is that of its alarm while
 * it is the latest. `facts` has what was seen before.
 */
async function expectFacts(
  transaction: TenantTransaction,
  { wishes }: PlantStep,
  facts: Map<number, Facts>,
): Promise<void> {
  const { occurrences } = await readRawHistory(transaction);
  const tags = new Map((await readTags(transaction)).map((tag) => [tag.occurrenceId, tag]));
  for (const { id, comment, ...occurrence } of occurrences) {
    const now = factsOf(occurrence);
    const tag = tags.get(id);
    if (facts.has(id)) expect(now).toEqual(facts.get(id));
    // With one post in this step, what the tag says after it is what it said at the raise.
    else if (tag && postsOf(wishes, tag) === 1) expect(now).toEqual(factsOf(tag));
    if (tag) expect(comment).toBe(tag.comment);
    facts.set(id, now);
  }
}

function factsOf({ message, stationId, dataServerId, tagGroupId, callGroupIds }: Facts): Facts {
  return {
    message,
    stationId,
    dataServerId,
    tagGroupId,
    callGroupIds: callGroupIds.toSorted((one, other) => one - other),
  };
}

type Tag = Facts & { occurrenceId: number; path: string; comment: string };

async function readTags({ client, tenantId }: TenantTransaction): Promise<Tag[]> {
  const { rows } = await client.query<Tag>(
    `select a.occurrence_id as "occurrenceId", a.comment, t.path, t.alarm_message as message,
       t.station_id as "stationId", t.data_server_id as "dataServerId", t.tag_group_id as "tagGroupId",
       ${callGroupsOfTag} as "callGroupIds"
     from tags t join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id where t.tenant_id = $1`,
    [tenantId],
  );
  return rows;
}

/** How often a source spoke of the tag. One without a path is spoken of once, when it is made. */
function postsOf(wishes: readonly Wish[], { path, dataServerId }: Tag): number {
  const own = wishes.filter((wish) => 'body' in wish && wish.body.path === path);
  const posts = own.filter((wish) => 'body' in wish && (wish.body.dataServerId || 1) === dataServerId);
  return path.startsWith('api/') ? 1 : posts.length;
}
