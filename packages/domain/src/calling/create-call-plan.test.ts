import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { message, person } from '../testing/call-plans.ts';
import {
  type CallOccasion,
  createCallPlan,
  createRequestPlan,
  type Directory,
  type GroupEntry,
} from './create-call-plan.ts';

function group(id: number, overrides: Partial<GroupEntry> = {}): GroupEntry {
  return {
    id,
    mode: 'Sequential',
    userIds: [id],
    rostered: true,
    ackTimeoutSeconds: 60,
    attempts: 2,
    cycles: 2,
    reliefGroupId: 0,
    ...overrides,
  };
}

const people = new Map([1, 2, 3, 4].map((userId) => [userId, person(userId)]));
const directory: Directory = {
  groups: new Map([
    [1, group(1, { reliefGroupId: 2 })],
    [2, group(2)],
    [3, group(3, { mode: 'Broadcast', userIds: [3, 4] })],
  ]),
  people,
  scenarios: new Map([
    [
      8,
      [
        { type: 'CallGroup', id: 3 },
        { type: 'PlaySound', id: 1 },
      ],
    ],
  ]),
  fallbackGroupId: 3,
};
const raised: CallOccasion = {
  occasion: 'raised',
  actions: [{ type: 'CallGroup', id: 1 }],
  priority: 2,
  delaySeconds: 30,
  transitory: false,
  message,
};
const stagesOf = (call: Partial<CallOccasion>, from = directory) =>
  createCallPlan(from, { ...raised, ...call })?.targets.map(({ stages }) =>
    stages.map(({ groupId, role }) => `${groupId} ${role}`),
  );

test('an alarm calls its group, then the relief group, then the fallback group', () => {
  expect(stagesOf({})).toEqual([['1 first', '2 relief', '3 fallback']]);
  expect(createCallPlan(directory, raised)).toMatchObject({
    until: 'acknowledged',
    delaySeconds: 30,
    priority: 2,
  });
  expect(createCallPlan(directory, raised)?.people.map(({ userId }) => userId)).toEqual([1, 2, 3, 4]);
});

test('a fallback group that is called anyway is not called twice', () => {
  expect(stagesOf({ actions: [{ type: 'CallGroup', id: 3 }] })).toEqual([['3 first']]);
});

test('a scenario calls the groups it names, and a group named twice is called once', () => {
  const actions = [
    { type: 'Scenario', id: 8 },
    { type: 'CallGroup', id: 3 },
    { type: 'CallUser', id: 4 },
  ];
  expect(stagesOf({ actions })).toEqual([['3 first'], ['0 first', '3 fallback']]);
});

test('actions that call nobody make no plan', () => {
  expect(
    stagesOf({ actions: [{ type: 'PlaySound', id: 1 }, { type: 'CallGroup' }, { type: 'CallUser', id: 0 }] }),
  ).toBeUndefined();
});

test('a deleted group is skipped, and the next group is called', () => {
  expect(stagesOf({ actions: [{ type: 'CallGroup', id: 99 }] })).toEqual([['99 first', '3 fallback']]);
});

test('a reset is announced without delay, and never to the fallback group', () => {
  expect(stagesOf({ occasion: 'reset' })).toEqual([['1 first', '2 relief']]);
  expect(createCallPlan(directory, { ...raised, occasion: 'reset' })).toMatchObject({
    until: 'reached',
    delaySeconds: 0,
  });
});

test('relief groups that form a ring are each called once', () => {
  const links = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(links, fc.integer({ min: 0, max: 5 }), (reliefs, fallbackGroupId) => {
      const groups = new Map(
        reliefs.map((reliefGroupId, index) => [index + 1, group(index + 1, { reliefGroupId })]),
      );
      const [stages = []] = stagesOf({}, { ...directory, groups, fallbackGroupId }) ?? [];
      const ids = stages.map((stage) => stage.split(' ')[0]);
      expect(ids[0]).toBe('1');
      expect(new Set(ids).size).toBe(ids.length);
      if (fallbackGroupId > 0) expect(ids).toContain(String(fallbackGroupId));
    }),
  );
});

test('later changes of the configuration do not change a plan', () => {
  const userIds = [1, 2];
  const groups = new Map([[1, group(1, { userIds })]]);
  const plan = createCallPlan({ ...directory, groups, fallbackGroupId: 0 }, raised);
  userIds.push(3);
  expect(plan?.targets[0]?.stages[0]?.userIds).toEqual([1, 2]);
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
});

test('a request calls everybody it names, once, on duty or not', () => {
  const groups = [
    { groupId: 3, userIds: [3, 4] },
    { groupId: 5, userIds: [4, 1, 1] },
    { groupId: 6, userIds: [3] },
  ];
  const plan = createRequestPlan(people, { groups, priority: 1, message });
  expect(plan.targets.map(({ stages }) => stages.map(({ groupId, userIds }) => [groupId, userIds]))).toEqual([
    [[3, [3, 4]]],
    [[5, [1]]],
  ]);
  expect(plan).toMatchObject({ until: 'reached', occasion: 'requested' });
  expect(plan.targets.flatMap(({ stages }) => stages).some(({ rostered }) => rostered)).toBe(false);
});
