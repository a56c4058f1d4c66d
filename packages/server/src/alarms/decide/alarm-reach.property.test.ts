import type { Action } from '@tocsin/contract';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { readCallDirectory } from '../../escalations/call-directory.store.ts';
import { planOccasion } from '../../escalations/plan-occasion.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/app.fixture.ts';
import { findAlarm } from '../store/alarm.store.ts';
import { callGroupsOfTag } from '../store/alarm-reach.store.ts';
import { callableOccasion } from './alarm-escalations.ts';

const places = [1, 2, 3, 4, 5, 6];
const direct = fc.constantFrom(...places).map((id): Action => ({ type: 'CallGroup', id }));
const others: fc.Arbitrary<Action> = fc.constantFrom(
  { type: 'PlaySound', parameter: 'siren' },
  { type: 'CallGroup', id: 0 },
  { type: 'CallGroup' },
  { type: 'CallUser', id: 1 },
);
const lists = (one: fc.Arbitrary<Action>) => fc.array(one, { maxLength: 2 });
const occasionsOf = (one: fc.Arbitrary<Action>) =>
  fc.record({ alarmActions: lists(one), resetActions: lists(one), ackActions: lists(one) });
const scenarioActions = occasionsOf(direct);
const ownActions = fc.oneof(
  occasionsOf(fc.constantFrom<Action>({ type: 'PlaySound', parameter: 'siren' }, { type: 'CallGroup' })),
  occasionsOf(
    fc.oneof(
      direct,
      others,
      fc.constantFrom(1, 2).map((id): Action => ({ type: 'Scenario', id })),
    ),
  ),
);

const ascending = (ids: Iterable<number>) => [...new Set(ids)].toSorted((one, other) => one - other);

/** The call groups by the rule in SQL, and those that the rule in TypeScript stored with the occurrence. */
async function reachOf({ client, tenantId }: TenantTransaction, tagId: number) {
  const { rows } = await client.query<{ filtered: number[]; kept: number[] }>(
    `select ${callGroupsOfTag} as filtered, x.call_group_ids as kept
     from tags t join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id
     join occurrences o on o.tenant_id = t.tenant_id and o.id = a.occurrence_id
     join texts x on x.tenant_id = t.tenant_id and x.id = o.text_id
     where t.tenant_id = $1 and t.id = $2`,
    [tenantId, tagId],
  );
  return { filtered: ascending(rows[0]?.filtered ?? []), kept: rows[0]?.kept };
}

/** The call groups that its occasions call first, without relief and fallback groups. */
async function calledBy(transaction: TenantTransaction, tagId: number): Promise<number[]> {
  const directory = await readCallDirectory(transaction);
  const record = await findAlarm(transaction, tagId);
  if (!record) throw new Error(`there is no alarm ${tagId}`);
  const plans = (['raised', 'reset', 'acknowledged'] as const).map((occasion) =>
    planOccasion(directory, callableOccasion(record, occasion)),
  );
  const targets = plans.flatMap((plan) => plan?.targets ?? []);
  return ascending(targets.flatMap(({ stages }) => stages[0]?.groupId || []));
}

test('the list, the history and the calling agree on which call groups an alarm reaches', async ({
  runtime,
  client,
}) => {
  const admin = client('admin');
  for (const place of places) await addGroup(admin, `Group ${place}`);
  await addPerson(admin, 'Ada');
  for (const name of ['One', 'Two']) await admin.post('/scenarios', { name });
  await admin.post('/taggroups', { name: 'Plain' });
  await admin.post('/taggroups', { name: 'Follows two', scenarioId: 2 });
  const replaceScenario = (id: number, actions: object) =>
    admin.put(`/scenarios/${id}`, { name: `Scenario ${id}`, ...actions });
  let tags = 0;
  const seen = { through: 0, inherited: 0 };

  await fc.assert(
    fc.asyncProperty(
      fc.tuple(scenarioActions, scenarioActions),
      ownActions,
      fc.constantFrom(0, 1, 2),
      async ([one, two], own, tagGroupId) => {
        expect((await replaceScenario(1, one)).statusCode).toBe(200);
        expect((await replaceScenario(2, two)).statusCode).toBe(200);
        tags += 1;
        const raised = await admin.post('/alarms', { path: `tag/${tags}`, tagGroupId, ...own });
        const tagId = raised.json<number>();
        await inTenant(runtime.database, 1, async (transaction) => {
          const { filtered, kept } = await reachOf(transaction, tagId);
          expect(filtered).toEqual(kept);
          const called = await calledBy(transaction, tagId);
          // A filter by call group finds all alarms that call the group.
          expect(filtered).toEqual(expect.arrayContaining(called));
          const calling = Object.values(own)
            .flat()
            .filter(({ type, id }) => type !== 'PlaySound' && id);
          const hasScenario = calling.some(({ type }) => type === 'Scenario');
          const inherits = calling.length === 0 && tagGroupId === 2;
          const named = inherits
            ? Object.values(two).flat()
            : calling.filter(({ type }) => type === 'CallGroup');
          // A scenario counts with all its occasions, although an alarm may name it on one only.
          if (!hasScenario)
            expect([called, filtered]).toEqual(Array(2).fill(ascending(named.map(({ id = 0 }) => id))));
          seen.through += Number(hasScenario && called.length > 0);
          seen.inherited += Number(inherits && called.length > 0);
        });
      },
    ),
    { numRuns: 60 },
  );
  expect(seen.through).toBeGreaterThan(5);
  expect(seen.inherited).toBeGreaterThan(2);
}, 60_000);
