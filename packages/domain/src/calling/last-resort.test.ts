import { expect, test } from 'vitest';
import { person, planOf, sms, stage, voice } from '../testing/call-plans.ts';
import { liveThrough, type Night } from '../testing/night.ts';
import type { Medium, Person } from './call-plan.ts';

const newcomer = (userId: number, unconfirmed: Medium[] = [voice(userId)]): Person => ({
  ...person(userId, []),
  unconfirmed,
});
const callsOf = ({ calls }: Night) =>
  calls.map(({ second, userId, medium }) => `${second} ${userId} ${medium.kind}`);
const firstStage = stage({ userIds: [1, 2], attempts: 1, cycles: 1 });

test('a person whose addresses nobody has confirmed is passed over, and an event is reported', () => {
  const night = liveThrough(planOf([firstStage], { people: [newcomer(1), person(2)] }), {}, 10);
  expect(callsOf(night)).toEqual(['0 2 Voice']);
  expect(night.events).toEqual([{ kind: 'unconfirmed', target: 0, groupId: 1, userId: 1, second: 0 }]);
});

test('an unconfirmed address is called for priority 1 when everybody was called and nobody acknowledged', () => {
  const night = liveThrough(planOf([firstStage], { people: [newcomer(1), person(2)] }), {}, 70);
  expect(callsOf(night)).toEqual(['0 2 Voice', '60 1 Voice']);
});

test('it is called at once for priority 1 if nobody of the plan has a confirmed address', () => {
  const people = [newcomer(1), newcomer(2)];
  const night = liveThrough(planOf([firstStage], { people }), { onDutyAt: () => new Map([[1, [2]]]) }, 10);
  expect(callsOf(night)).toEqual(['0 1 Voice']);
  expect(night.events).toContainEqual({
    kind: 'nobody-on-duty',
    target: 0,
    groupId: 1,
    cause: 'unreachable',
    unreachable: [{ userId: 2, why: 'unconfirmed' }],
    wholeGroup: true,
    lastResort: true,
    second: 0,
  });
});

test('an alarm of priority 2 never calls it', () => {
  const people = [newcomer(1), newcomer(2)];
  const night = liveThrough(planOf([firstStage], { people, priority: 2 }), {}, 600);
  expect(callsOf(night)).toEqual([]);
  const others = liveThrough(
    planOf([firstStage], { people: [newcomer(1), person(2)], priority: 2 }),
    {},
    600,
  );
  expect(others.calls.filter(({ userId }) => userId === 1)).toEqual([]);
});

test('a message about a reset, or a call by hand, never goes there', () => {
  const people = [newcomer(1), newcomer(2)];
  for (const occasion of ['reset', 'requested'] as const) {
    const plan = planOf([firstStage], { people, occasion, until: 'reached' });
    expect(callsOf(liveThrough(plan, { alarmAt: () => undefined }, 120))).toEqual([]);
  }
});

test('a person with a confirmed address is never called at another one', () => {
  const people = [{ ...person(1, [sms(1)]), unconfirmed: [voice(1)] }];
  const plan = planOf([stage({ userIds: [1], attempts: 3 })], { people });
  const kinds = new Set(liveThrough(plan, {}, 1_200).calls.map(({ medium }) => medium.kind));
  expect([...kinds]).toEqual(['Sms']);
});

test('a confirmed address that no channel serves does not keep people from the last resort', () => {
  const people = [{ ...person(1, [{ kind: 'Pager', address: '1' }]), unconfirmed: [voice(1)] }];
  const routes = new Map([['Voice', [1]]] as const);
  const plan = planOf([stage({ userIds: [1], attempts: 2 })], { people });
  expect(callsOf(liveThrough(plan, { routes }, 60))).toContain('0 1 Pager');
  expect(callsOf(liveThrough(plan, { routes }, 60)).some((call) => call.endsWith('Voice'))).toBe(true);
});
