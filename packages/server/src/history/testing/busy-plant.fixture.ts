import type { Action, RaiseAlarm } from '@tocsin/contract';
import * as fc from 'fast-check';
import type { Actor, AlarmCommand, TagOrder } from '../../alarms/decide/alarm-command.ts';
import { type AlarmWriter, createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { insertCallGroup } from '../../call-groups/call-group.store.ts';
import { ProblemError } from '../../common/problem.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { dataServerStore } from '../../plant/data-server.store.ts';
import { scenarioStore } from '../../plant/scenario.store.ts';
import { stationStore } from '../../plant/station.store.ts';
import { tagGroupStore } from '../../plant/tag-group.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { FakeClock } from '../../testing/plant.fixture.ts';

export const stationIds = [1, 2, 3];
export const dataServerIds = [1, 2];
export const callGroupIds = [1, 2, 3];
export const tagGroupIds = [1, 2, 3, 4];
/** Nobody but 0, who is the server itself or a machine, needs to exist. */
export const userIds = [1, 2, 3];
export const words = ['Pump', 'pümp house', 'fan', '100 %', ''];

// Few, so that much happens to each.
const paths = ['Pump', 'Fan', 'Fan/2'];

/** A wish that does not name its tag yet: the tags are found on the way. */
export type Wish = { body: RaiseAlarm; by: number } | { order: TagOrder; tag: number; by: number };

/** Some time passes, perhaps a tag group moves, and then these wishes arrive together. */
export type PlantStep = { waitMs: number; move: { id: number; below: number } | undefined; wishes: Wish[] };

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const actions: fc.Arbitrary<Action[]> = fc.oneof(
  fc.constant<Action[]>([]),
  fc.constantFrom(...callGroupIds).map((id): Action[] => [{ type: 'CallGroup', id }]),
  fc.constantFrom(1, 2).map((id): Action[] => [{ type: 'Scenario', id }]),
);

const often = fc.constantFrom(true, true, true, true, false);

const bodies: fc.Arbitrary<RaiseAlarm> = fc.record(
  {
    path: fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...paths) }, fc.constant('')),
    dataServerId: fc.constantFrom(0, 0, ...dataServerIds),
    stationId: fc.constantFrom(0, ...stationIds),
    tagGroupId: fc.constantFrom(0, ...tagGroupIds),
    raised: fc.boolean(),
    priority: fc.integer({ min: 0, max: 4 }),
    alarmMessage: fc.constantFrom(...words),
    alarmActions: actions,
    eventCondition: fc.record(
      { transitory: fc.boolean(), reactivatable: fc.boolean(), resettable: often },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['path'] },
);

const orders: fc.Arbitrary<TagOrder> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('acknowledge' as const, 'reset' as const),
    comment: maybe(fc.constantFrom(...words)),
  }),
  fc.record({
    kind: fc.constantFrom('acknowledge' as const, 'reset' as const),
  }),
  fc.record({ kind: fc.constant('comment' as const), comment: fc.constantFrom(...words) }),
  fc.oneof(
    fc.record({
      kind: fc.constant('mask' as const),
      reason: fc.constant('works'),
      seconds: fc.constantFrom(60, 86_400),
    }),
    fc.constant({ kind: 'unmask' as const, reason: 'done' }),
    fc.constant({ kind: 'end-mask' as const }),
  ),
);

const by = fc.constantFrom(0, ...userIds);
// Few tags are named, so that many wishes meet the same one.
const tag = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 2 }) }, fc.nat({ max: 20 }));
const wishes: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ body: bodies, by }) },
  { weight: 2, arbitrary: fc.record({ order: orders, tag, by }) },
);

const dayMs = 86_400_000;

// Clocks are set back, too, and months end.
const waits = fc.oneof(
  fc.constantFrom(0, 1, -5_000, -3 * dayMs),
  fc.integer({ min: 0, max: 90_000 }),
  fc.integer({ min: 0, max: dayMs }),
  fc.integer({ min: 0, max: 40 * dayMs }),
);

export const plantSteps: fc.Arbitrary<PlantStep> = fc.record({
  waitMs: waits,
  // A group moves below one with a smaller number, so that there is never a circle; 0 is the top.
  move: maybe(
    fc
      .constantFrom(...tagGroupIds)
      .chain((id) => fc.record({ id: fc.constant(id), below: fc.nat({ max: id - 1 }) })),
  ),
  wishes: fc.array(wishes, { minLength: 4, maxLength: 8 }),
});

/** A tenant of its own in which something can happen: tag group 2 acknowledges by itself, 3 has a scenario. */
export async function addBusyTenant(runtime: Runtime): Promise<number> {
  const also = async (transaction: TenantTransaction) => {
    await stationStore.insert(transaction, { name: 'Second', timeZone: 'Asia/Kolkata' });
    await stationStore.insert(transaction, { name: 'Third', timeZone: 'America/New_York' });
    await dataServerStore.insert(transaction, { name: 'Second' });
    for (const id of callGroupIds)
      await insertCallGroup(transaction, { name: `Call group ${id}`, ...quietCallGroup });
    await scenarioStore.insert(transaction, { name: 'One', alarmActions: [{ type: 'CallGroup', id: 1 }] });
    await scenarioStore.insert(transaction, {
      name: 'Other',
      alarmActions: [{ type: 'CallGroup', id: 2 }],
      ackActions: [{ type: 'CallGroup', id: 3 }],
    });
    for (const id of tagGroupIds) {
      const scenarioId = id === 3 ? 2 : 0;
      await tagGroupStore.insert(transaction, { name: `Group ${id}`, autoAcknowledge: id === 2, scenarioId });
    }
  };
  return createTenant(runtime, { name: 'Busy', timeZone: 'Europe/Paris' }, also);
}

const quietCallGroup = {
  localizedName: '',
  stationId: null,
  mode: 'Sequential' as const,
  ackTimeout: 60,
  attempts: 1,
  cycles: 1,
  slotMinutes: 60 as const,
  reliefGroupId: null,
  groupingId: null,
  userIds: [],
  teams: [],
  slots: [],
  overrides: [],
  holidays: [],
  rotationWeeks: 1,
  rotationStart: '1970-01-05',
};

async function moveTagGroup(
  { database }: Runtime,
  tenantId: number,
  { id, below }: { id: number; below: number },
): Promise<void> {
  await inTenant(database, tenantId, ({ client }) =>
    client.query('update tag_groups set parent_id = nullif($3, 0) where tenant_id = $1 and id = $2', [
      tenantId,
      id,
      below,
    ]),
  );
}

/** Sends the wishes at once. A wish about a tag that is not there yet is refused, and that is all that may be. */
export async function sendWishes(
  { submit }: AlarmWriter,
  tenantId: number,
  { wishes, tags }: { wishes: readonly Wish[]; tags: number },
): Promise<{ carriedOut: number; tags: number }> {
  const outcomes = await Promise.allSettled(wishes.map((wish) => submit(tenantId, toCommand(wish, tags))));
  let carriedOut = 0;
  let known = tags;
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') {
      carriedOut += 1;
      if (typeof outcome.value === 'number') known = Math.max(known, outcome.value);
    } else if (!(outcome.reason instanceof ProblemError && outcome.reason.code === 'not-found')) {
      throw outcome.reason;
    }
  }
  return { carriedOut, tags: known };
}

function toCommand(wish: Wish, tags: number): AlarmCommand {
  const actor = actorOf(wish.by);
  if ('body' in wish) return { kind: 'post', actor, body: wish.body };
  return { ...wish.order, actor, tagId: (wish.tag % Math.max(1, tags)) + 1 };
}

function actorOf(by: number): Actor {
  if (by === 0) return { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
  return { name: `User ${by}`, subject: `user:${by}`, userId: by, stationIds: undefined };
}

/** Lets the steps happen one after the other, and tells how many wishes were carried out. */
export async function live(
  { runtime, clock, tenantId }: { runtime: Runtime; clock: FakeClock; tenantId: number },
  happens: readonly PlantStep[],
  afterStep: (step: PlantStep) => Promise<void> = async () => {},
): Promise<number> {
  const writer = createAlarmWriter(runtime);
  let carriedOut = 0;
  let tags = 0;
  for (const step of happens) {
    const { waitMs, move, wishes } = step;
    clock.advance(waitMs / 1_000);
    if (move) await moveTagGroup(runtime, tenantId, move);
    const sent = await sendWishes(writer, tenantId, { wishes, tags });
    tags = sent.tags;
    carriedOut += sent.carriedOut;
    await afterStep(step);
  }
  return carriedOut;
}
