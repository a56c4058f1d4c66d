import type { Action } from '@tocsin/contract';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { readJournal } from '../../journal/journal.store.ts';
import { createTenant } from '../../people/create-tenant.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/app.fixture.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { newDefinition } from '../decide/alarm-definition.ts';
import type { AlarmRecord } from '../decide/alarm-record.ts';
import { createAlarmWriter } from './alarm-writer.ts';
import { createRecordCache } from './record-cache.ts';

const actor = { name: 'Olga', subject: 'user:1', userId: 1, stationIds: undefined };

const tag = fc.integer({ min: 1, max: 3 });
const commands: fc.Arbitrary<AlarmCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          raised: fc.boolean(),
          value: fc.constantFrom('1', '2'),
          alarmMessage: fc.constantFrom('hot', 'cold'),
          priority: fc.integer({ min: 1, max: 2 }),
          location: fc.constantFrom({ zone: 'Hall 1' }, { zone: 'Hall 2' }),
          tagGroupId: fc.constantFrom(0, 1),
          alarmActions: fc.constantFrom<Action[]>([], [{ type: 'Scenario', id: 1 }]),
        },
        { requiredKeys: [] },
      )
      .chain((body) =>
        tag.map((n) => ({ kind: 'post' as const, actor, body: { path: `Pump ${n}`, ...body } })),
      ),
  },
  tag.map((tagId) => ({ kind: 'acknowledge' as const, tagId, actor })),
  tag.map((tagId) => ({ kind: 'reset' as const, tagId, actor, comment: 'mended' })),
  tag.map((tagId) => ({ kind: 'mask' as const, tagId, actor, reason: 'test', seconds: 60 })),
);

/** Commands that arrive at once at one of two servers, or a change of the configuration. */
type Step =
  | { kind: 'commands'; server: number; commands: AlarmCommand[] }
  | { kind: 'time zone'; value: string }
  | { kind: 'acknowledges itself'; value: boolean }
  | { kind: 'scenario'; value: number[] };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('commands' as const),
      // Mostly the first, so that its cache is used.
      server: fc.constantFrom(0, 0, 0, 1),
      commands: fc.array(commands, { minLength: 1, maxLength: 3 }),
    }),
  },
  fc.record({
    kind: fc.constant('time zone' as const),
    value: fc.constantFrom('Europe/Paris', 'Asia/Tokyo'),
  }),
  fc.record({ kind: fc.constant('acknowledges itself' as const), value: fc.boolean() }),
  fc.record({ kind: fc.constant('scenario' as const), value: fc.constantFrom<number[]>([1], [1, 2]) }),
);

test('servers that cache alarms decide as one that reads everything each time', async ({
  runtime,
  clock,
  client,
}) => {
  const pairs = { compared: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 15, maxLength: 25 }), async (happened) => {
      const [cached, uncached] = [await addPlant(runtime, client), await addPlant(runtime, client)];
      const servers = [createAlarmWriter(runtime), createAlarmWriter(runtime)];
      for (const step of happened) {
        clock.advance(7);
        if (step.kind === 'commands') {
          const server = servers[step.server] ?? createAlarmWriter(runtime);
          const answers = await submitAll(server, cached, step.commands);
          expect(answers).toEqual(await submitAll(createAlarmWriter(runtime), uncached, step.commands));
        } else {
          for (const tenantId of [cached, uncached]) await changeConfiguration(runtime, tenantId, step);
        }
      }
      const everything = await everythingOf(runtime, cached);
      expect(everything).toEqual(await everythingOf(runtime, uncached));
      pairs.compared += everything.journal.length;
    }),
    { numRuns: 25, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
  );
  expect(pairs.compared / 25).toBeGreaterThan(8);
}, 120_000);

async function addPlant(
  runtime: Runtime,
  client: (
    role: 'admin',
    settings: { tenantId: number },
  ) => { post(path: string, body: object): Promise<unknown> },
): Promise<number> {
  const tenantId = await createTenant(runtime, { name: `Plant ${crypto.randomUUID()}` });
  const admin = client('admin', { tenantId });
  await admin.post('/callgroups', { name: 'Days' });
  await admin.post('/callgroups', { name: 'Nights' });
  await admin.post('/scenarios', { name: 'Both', alarmActions: [{ type: 'CallGroup', id: 1 }] });
  await admin.post('/taggroups', { name: 'Water', scenarioId: 1 });
  return tenantId;
}

async function submitAll(
  { submit }: ReturnType<typeof createAlarmWriter>,
  tenantId: number,
  all: readonly AlarmCommand[],
): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(all.map((command) => submit(tenantId, command)));
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
  );
}

async function changeConfiguration(
  { database }: Runtime,
  tenantId: number,
  step: Exclude<Step, { kind: 'commands' }>,
): Promise<void> {
  await inTenant(database, tenantId, async (transaction) => {
    const { client } = transaction;
    const set = {
      'time zone': 'update stations set time_zone = $2 where tenant_id = $1',
      'acknowledges itself': 'update tag_groups set auto_acknowledge = $2 where tenant_id = $1',
      scenario: 'update scenarios set call_group_ids = $2 where tenant_id = $1',
    }[step.kind];
    await client.query(set, [tenantId, step.value]);
  });
}

function everythingOf({ database }: Runtime, tenantId: number) {
  return readTenant(database, tenantId, async (transaction) => {
    const rowsOf = async (text: string) => (await transaction.client.query<object>(text, [tenantId])).rows;
    return {
      journal: await readJournal(transaction, { after: 0, limit: 1_000 }),
      tags: await rowsOf('select t.*, 0 as tenant_id from tags t where t.tenant_id = $1 order by id'),
      alarms: await rowsOf('select a.*, 0 as tenant_id from alarms a where a.tenant_id = $1 order by tag_id'),
      occurrences: await rowsOf(
        `select o.*, x.message, x.comment, x.call_group_ids, 0 as tenant_id, 0 as text_id from occurrences o
         join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id where o.tenant_id = $1 order by o.id`,
      ),
    };
  });
}

const recordOf = (tagId: number): AlarmRecord =>
  ({
    tagId,
    definition: newDefinition({ stationId: 1, dataServerId: 1, path: `Tag ${tagId}` }),
  }) as AlarmRecord;

const resultWith = (tagIds: number[]) => ({
  counters: { seq: 0, tagId: 0, occurrenceId: 0, textId: 0, lastAt: new Date(0) },
  firstDataServerId: 1,
  records: new Map(tagIds.map((tagId) => [tagId, recordOf(tagId)])),
  tagIds: new Map(tagIds.map((tagId) => [`1\\\\Tag ${tagId}`, tagId])),
});

test('the least recently used records are dropped first, and idle tenants before busy ones', () => {
  const cache = createRecordCache(8);
  const put = (tenantId: number, tagIds: number[]) =>
    cache.put(tenantId, {
      foundVersion: 'a',
      version: 'a',
      ...resultWith(tagIds),
    });
  const cachedOf = (tenantId: number) =>
    [1, 2, 3, 4, 5].filter((tagId) => cache.get(tenantId)?.find(tagId) !== undefined);

  put(1, [1, 2]);
  put(2, [1]);
  put(1, [3]);
  expect([cachedOf(1), cachedOf(2)]).toEqual([[1, 2, 3], [1]]);
  put(1, [1, 3]);
  put(1, [4]);
  put(1, [5]);
  expect([cachedOf(1), cachedOf(2)]).toEqual([[1, 3, 4, 5], []]);
  expect(cache.get(1)?.findAt({ dataServerId: 1, path: 'Tag 2' })).toBeUndefined();
  expect(cache.get(1)?.findAt({ dataServerId: 1, path: 'Tag 4' })?.tagId).toBe(4);
});

test('after another server has written, cached records are not used until a batch finds no other writer', () => {
  const cache = createRecordCache();
  const put = (foundVersion: string, version: string) =>
    cache.put(1, { foundVersion, version, ...resultWith([1]) });
  put('1', '2');
  expect(cache.get(1)?.version).toBe('2');
  put('3', '4');
  expect(cache.get(1)).toBeUndefined();
  put('4', '5');
  expect(cache.get(1)?.version).toBe('5');
  cache.delete(1);
  expect(cache.get(1)).toBeUndefined();
});
