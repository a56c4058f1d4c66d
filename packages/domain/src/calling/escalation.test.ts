import { expect, test } from 'vitest';
import { person, planOf, sms, stage, voice } from '../testing/call-plans.ts';
import { type Answer, liveThrough, type Night } from '../testing/night.ts';

const accepted: Answer = { outcome: { kind: 'accepted' }, afterSeconds: 1 };
const noAnswer: Answer = { outcome: { kind: 'noAnswer' }, afterSeconds: 25 };
const badNumber: Answer = {
  outcome: { kind: 'failed', permanent: true, reason: 'no such number' },
  afterSeconds: 1,
};
const serverError: Answer = {
  outcome: { kind: 'failed', permanent: false, reason: 'HTTP 500' },
  afterSeconds: 1,
};
const faultyChannel: Answer = {
  outcome: { kind: 'failed', permanent: false, channelFault: true, reason: 'HTTP 500' },
  afterSeconds: 1,
};
const active = 3;

const onlyVoice = [1, 2, 3].map((userId) => person(userId, [voice(userId)]));
const lastsUntil = (second: number, then: number) => (at: number) => ({ state: at < second ? active : then });
const callsOf = (night: Night) =>
  night.calls.map(({ second, userId, medium }) => `${second} ${userId} ${medium.kind}`);
const eventsOf = (night: Night) => night.events.map(({ second, kind }) => `${second} ${kind}`);

test('people are called one after the other, each by phone and by SMS, and then from the first again', () => {
  const night = liveThrough(planOf([stage()]), { answer: () => accepted }, 200);
  expect(callsOf(night)).toEqual([
    '0 1 Voice',
    '30 1 Sms',
    '60 2 Voice',
    '90 2 Sms',
    '120 3 Voice',
    '150 3 Sms',
    '180 1 Voice',
  ]);
});

test('all are called at once in a broadcast', () => {
  const plan = planOf([stage({ mode: 'Broadcast', attempts: 1 })]);
  expect(callsOf(liveThrough(plan, {}, 59))).toEqual(['0 1 Voice', '0 2 Voice', '0 3 Voice']);
});

test('with turnover each alarm starts with another person', () => {
  const plan = planOf([stage({ mode: 'Turnover', attempts: 1, cycles: 1 })]);
  const first = (alarms: number) =>
    liveThrough(plan, { rotation: new Map([[1, alarms]]) }, 130).calls.map(({ userId }) => userId);
  expect(first(0)).toEqual([1, 2, 3]);
  expect(first(1)).toEqual([2, 3, 1]);
  expect(first(5)).toEqual([3, 1, 2]);
});

test('a delivered message does not keep the next person from being called', () => {
  const answer = (): Answer => ({ outcome: { kind: 'delivered' }, afterSeconds: 2 });
  const night = liveThrough(planOf([stage({ attempts: 1 })]), { answer }, 70);
  expect(callsOf(night)).toEqual(['0 1 Voice', '60 2 Voice']);
});

test('a person who confirms the call is not called again in this step, and the next person is still called', () => {
  const answer = (): Answer => ({ outcome: { kind: 'acknowledged' }, afterSeconds: 5 });
  expect(callsOf(liveThrough(planOf([stage()]), { answer }, 70))).toEqual(['0 1 Voice', '60 2 Voice']);
});

test('a person who does not answer the phone gets an SMS at once', () => {
  const answer = ({ medium }: { medium: { kind: string } }) =>
    medium.kind === 'Voice' ? noAnswer : accepted;
  expect(callsOf(liveThrough(planOf([stage()]), { answer }, 59))).toEqual(['0 1 Voice', '25 1 Sms']);
});

test('the next person is called at once when every medium of the first has failed permanently', () => {
  const answer = ({ userId }: { userId: number }) => (userId === 1 ? badNumber : accepted);
  expect(callsOf(liveThrough(planOf([stage()]), { answer }, 10))).toEqual([
    '0 1 Voice',
    '1 1 Sms',
    '2 2 Voice',
  ]);
});

test('a failing provider is tried again after 15 and then every 30 seconds', () => {
  const people = onlyVoice;
  const plan = planOf([stage({ userIds: [1], attempts: 4, ackTimeoutSeconds: 300 })], { people });
  const night = liveThrough(plan, { answer: () => serverError }, 100);
  expect(night.calls.map(({ second }) => second)).toEqual([0, 16, 47, 78, 94]);
});

test('a person whose try just failed is not called again for 15 seconds', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1, cycles: 3 })], { people: onlyVoice });
  const night = liveThrough(plan, { answer: () => noAnswer }, 130);
  expect(night.calls.map(({ second }) => second)).toEqual([0, 40, 80, 120]);
});

test('a person who was not tried just now is called at once, alone and in a broadcast', () => {
  const stages = [
    stage({ userIds: [1], attempts: 1, cycles: 1 }),
    stage({ groupId: 2, role: 'relief', userIds: [1, 2], mode: 'Broadcast', attempts: 1 }),
  ];
  const night = liveThrough(planOf(stages, { people: onlyVoice }), { answer: () => noAnswer }, 30);
  expect(callsOf(night)).toEqual(['0 1 Voice', '25 1 Voice', '25 2 Voice']);
  const oneByOne = planOf([stage({ userIds: [1, 2], attempts: 1, cycles: 1 })], { people: onlyVoice });
  const calls = liveThrough(oneByOne, { answer: () => noAnswer }, 60).calls;
  expect(calls.map(({ second, userId }) => [second, userId])).toEqual([
    [0, 1],
    [25, 2],
    [50, 1],
  ]);
});

test('after a fault of the channel the other medium is tried at once, then the next person, then the relief group', () => {
  const stages = [
    stage({ userIds: [1, 2], attempts: 1, cycles: 2 }),
    stage({ groupId: 2, role: 'relief', userIds: [3], attempts: 1 }),
  ];
  const onVoice = ({ medium }: { medium: { kind: string } }) =>
    medium.kind === 'Voice' ? faultyChannel : accepted;
  expect(callsOf(liveThrough(planOf(stages), { answer: onVoice }, 30))).toEqual(['0 1 Voice', '1 1 Sms']);
  const night = liveThrough(planOf(stages), { answer: () => faultyChannel }, 14);
  expect(callsOf(night)).toEqual(['0 1 Voice', '1 1 Sms', '2 2 Voice', '3 2 Sms', '4 3 Voice', '5 3 Sms']);
});

test('after a fault of the channel the other route of the same medium is tried at once', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1 })], { people: onlyVoice });
  const routes = new Map([['Voice' as const, [1, 2]]]);
  const night = liveThrough(plan, { answer: () => faultyChannel, routes }, 10);
  expect(night.calls.slice(0, 2).map(({ second }) => second)).toEqual([0, 1]);
  expect(night.advances.flatMap(({ advance }) => advance.attempts)[1]?.avoidChannels).toEqual([1]);
});

test('a queued attempt is not given up while it waits', () => {
  const plan = planOf([stage({ userIds: [1, 2], attempts: 1 })], { people: onlyVoice });
  const night = liveThrough(plan, { answer: () => undefined, queuedUntil: 400 }, 399);
  expect(callsOf(night)).toEqual(['0 1 Voice', '60 2 Voice']);
  expect(night.calls.map(({ status }) => status)).toEqual(['queued', 'queued']);
});

test('a medium whose channels are down is tried, but after the others', () => {
  const down = new Set(['Voice'] as const);
  const night = liveThrough(planOf([stage({ userIds: [1] })]), { answer: () => serverError, down }, 10);
  expect(callsOf(night)).toEqual(['0 1 Sms', '1 1 Voice']);
  const alone = planOf([stage({ userIds: [1] })], { people: onlyVoice });
  expect(callsOf(liveThrough(alone, { down }, 10))).toEqual(['0 1 Voice']);
});

test('a try with an unknown outcome is repeated after the provider had time to report', () => {
  const answer = (): Answer => ({ outcome: { kind: 'unknown', reason: 'timed out' }, afterSeconds: 5 });
  const night = liveThrough(planOf([stage({ userIds: [1] })], { people: onlyVoice }), { answer }, 20);
  expect(night.calls.map(({ second }) => second)).toEqual([0, 10]);
  expect(
    night.advances.flatMap(({ advance }) => advance.attempts).map(({ avoidChannels }) => avoidChannels),
  ).toEqual([[], [1]]);
});

test('a try without an outcome is hung up and counts as lost after two minutes', () => {
  const plan = planOf([stage({ userIds: [1], ackTimeoutSeconds: 300 })]);
  const night = liveThrough(plan, { answer: () => undefined }, 130);
  expect(callsOf(night)).toEqual(['0 1 Voice', '120 1 Sms']);
  expect(night.calls[0]?.status).toBe('cancelled');
});

test('after the last cycle the relief group is called, then the fallback group, then the first group again', () => {
  const plan = planOf([
    stage({ userIds: [1], attempts: 1, cycles: 2 }),
    stage({ groupId: 2, role: 'relief', userIds: [2], attempts: 1, cycles: 1 }),
    stage({ groupId: 3, role: 'fallback', userIds: [3], attempts: 1, cycles: 1 }),
  ]);
  const night = liveThrough(plan, {}, 500);
  expect(night.calls.map(({ userId }) => userId)).toEqual([1, 1, 2, 3, 1, 1, 2, 3, 1]);
  expect(eventsOf(night)).toEqual(['120 stands-in', '180 stands-in', '480 exhausted']);
});

test('a target is not exhausted before five tries by two media', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1, cycles: 1 })]);
  const night = liveThrough(plan, {}, 600);
  expect(night.events).toEqual([{ kind: 'exhausted', target: 0, attempts: 5, second: 300 }]);
  expect(night.calls.filter(({ second }) => second < 300)).toHaveLength(5);
  expect(night.calls.at(-1)?.second).toBe(600);
});

test('when nobody is on duty the relief group is called at once, and an event is reported', () => {
  const plan = planOf([stage(), stage({ groupId: 2, role: 'relief', userIds: [4] })]);
  const onDuty = new Map([
    [1, []],
    [2, [4]],
  ]);
  const night = liveThrough(plan, { onDutyAt: () => onDuty }, 10);
  expect(callsOf(night)).toEqual(['0 4 Voice']);
  expect(eventsOf(night)).toEqual(['0 nobody-on-duty', '0 stands-in']);
});

test('with nobody on duty, no relief and no fallback the whole group is called', () => {
  const plan = planOf([stage({ attempts: 1, cycles: 1 })]);
  const night = liveThrough(plan, { onDutyAt: () => new Map([[1, []]]) }, 130);
  expect(callsOf(night)).toEqual(['0 1 Voice', '60 2 Voice', '120 3 Voice']);
  expect(night.events).toMatchObject([{ kind: 'nobody-on-duty', cause: 'off-duty', wholeGroup: true }]);
});

test('a person who comes on duty during the night is called in a later step', () => {
  const late = (second: number) => new Map([[1, second < 60 ? [1] : [1, 2]]]);
  const plan = planOf([stage({ attempts: 1 })]);
  expect(callsOf(liveThrough(plan, { onDutyAt: late }, 60))).toEqual(['0 1 Voice', '60 2 Voice']);
});

test('a plan without people reports that and keeps looking', () => {
  const night = liveThrough(planOf([stage({ userIds: [] })]), {}, 100);
  expect(eventsOf(night)).toEqual(['0 nobody-on-duty', '0 exhausted']);
  expect(night.advances.map(({ second }) => second)).toEqual([0, 15, 30, 45, 60, 75, 90]);
});

test('a person without a medium is skipped, and an event is reported', () => {
  const people = [person(1, []), person(2), person(3)];
  const night = liveThrough(planOf([stage()], { people }), {}, 10);
  expect(callsOf(night)).toEqual(['0 2 Voice']);
  expect(night.events).toEqual([{ kind: 'no-medium', target: 0, groupId: 1, userId: 1, second: 0 }]);
});

test('people with invalid numbers are not called in a tight loop', () => {
  const plan = planOf([stage({ attempts: 5, cycles: 1 })]);
  const night = liveThrough(plan, { answer: () => badNumber }, 60);
  expect(night.calls.filter(({ second }) => second < 15)).toHaveLength(6);
  expect(night.calls.length).toBeLessThanOrEqual(30);
});

test('all groups that the alarm names are called at the same time', () => {
  const plan = planOf([], {
    targets: [{ stages: [stage({ userIds: [1] })] }, { stages: [stage({ userIds: [2] })] }],
  });
  const both = { ...plan, people: [person(1), person(2)] };
  expect(callsOf(liveThrough(both, {}, 5))).toEqual(['0 1 Voice', '0 2 Voice']);
});

test('a person in two groups is not called twice at once', () => {
  const same = { stages: [stage({ userIds: [1] })] };
  const plan = planOf([], { targets: [same, same], people: [person(1)] });
  expect(callsOf(liveThrough(plan, { answer: () => noAnswer }, 24))).toEqual(['0 1 Voice', '15 1 Sms']);
});

test.each([
  ['acknowledged', 1, 'acknowledged'],
  ['reset', 2, 'reset'],
  ['reset and acknowledged automatically', 0, 'reset'],
  ['masked', 7, 'masked'],
])('an alarm that is %s is not called for any more, and running calls are hung up', (_, then, reason) => {
  const night = liveThrough(
    planOf([stage()]),
    { answer: () => noAnswer, alarmAt: lastsUntil(10, then) },
    600,
  );
  expect(callsOf(night)).toEqual(['0 1 Voice']);
  expect(night.state.closed).toBe(reason);
  expect(night.calls[0]?.status).toBe('cancelled');
});

test('an alarm that is reset before its delay is over calls nobody', () => {
  const plan = planOf([stage()], { delaySeconds: 30 });
  const night = liveThrough(plan, { alarmAt: lastsUntil(29, 2) }, 300);
  expect([night.calls.length, night.state.closed]).toEqual([0, 'reset']);
  expect(callsOf(liveThrough(plan, {}, 40))).toEqual(['30 1 Voice']);
});

test('a transitory alarm is called for after its reset, until somebody acknowledges', () => {
  const plan = planOf([stage({ attempts: 1 })], { outlivesReset: true });
  const alarmAt = (second: number) => ({ state: second < 100 ? 2 : 0 });
  const night = liveThrough(plan, { alarmAt }, 300);
  expect(callsOf(night)).toEqual(['0 1 Voice', '60 2 Voice']);
  expect(night.state.closed).toBe('acknowledged');
});

const maskedBetween = (from: number, to: number, then: number) => (second: number) => {
  if (second < from) return { state: active };
  return { state: second < to ? active + 4 : then };
};

test('an alarm still active when its mask ends is called for again from the first person', () => {
  const plan = planOf([stage({ attempts: 1 })]);
  const night = liveThrough(plan, { alarmAt: maskedBetween(70, 400, active) }, 410);
  expect(callsOf(night)).toEqual(['0 1 Voice', '60 2 Voice', '400 1 Sms']);
  expect(eventsOf(night)).toEqual(['400 reopened']);
});

test.each([
  ['acknowledged meanwhile', 1, 'acknowledged'],
  ['reset meanwhile', 2, 'reset'],
])('an alarm that was %s is not called for when its mask ends', (_, then, reason) => {
  const night = liveThrough(planOf([stage()]), { alarmAt: maskedBetween(10, 400, then) }, 900);
  expect(callsOf(night)).toEqual(['0 1 Voice']);
  expect(night.state.closed).toBe(reason);
});

test('a masked transitory alarm is called for once the mask ends', () => {
  const masked = { state: 2 | 4 };
  const alarmAt = (second: number) => (second < 100 ? masked : { state: second < 200 ? 2 : 0 });
  const plan = planOf([stage({ attempts: 1 })], { outlivesReset: true });
  const night = liveThrough(plan, { alarmAt }, 400);
  expect(callsOf(night)).toEqual(['100 1 Voice', '160 2 Voice']);
  expect(night.state.closed).toBe('acknowledged');
});

test('a masked escalation is advanced when its mask ends, or each minute if that is unknown', () => {
  const maskUntil = new Date('2026-04-29T21:00:00Z');
  const wakes = (mask: { maskUntil?: Date }) =>
    liveThrough(planOf([stage()]), { alarmAt: () => ({ state: 7, ...mask }) }, 0).advances[0]?.advance.wakeAt;
  expect(wakes({ maskUntil })).toEqual(maskUntil);
  expect(wakes({})).toEqual(new Date('2026-04-29T20:01:00Z'));
});

test('a reset is announced to one person who can be reached, without waiting for an acknowledgment', () => {
  const plan = planOf([stage()], { occasion: 'reset', until: 'reached' });
  const answer = ({ userId }: { userId: number }): Answer =>
    userId === 1 ? badNumber : { outcome: { kind: 'delivered' }, afterSeconds: 3 };
  const night = liveThrough(plan, { answer, alarmAt: () => ({ state: 2 }) }, 600);
  expect(callsOf(night)).toEqual(['0 1 Voice', '1 1 Sms', '2 2 Voice']);
  expect(night.state.closed).toBe('reached');
});

test('a request calls everybody, and is missed when one of them cannot be reached', () => {
  const people = [person(1, [voice(1)]), person(2, [sms(2)])];
  const all = stage({ mode: 'Broadcast', rostered: false, userIds: [1, 2], attempts: 3, cycles: 1 });
  const plan = planOf([all], { occasion: 'requested', until: 'reached', people });
  const answer = ({ userId }: { userId: number }): Answer =>
    userId === 1 ? noAnswer : { outcome: { kind: 'delivered' }, afterSeconds: 3 };
  const night = liveThrough(plan, { answer, alarmAt: () => undefined }, 600);
  expect(callsOf(night)).toEqual(['0 1 Voice', '0 2 Sms', '40 1 Voice', '95 1 Voice']);
  expect([night.state.closed, eventsOf(night)]).toEqual(['missed', ['120 missed']]);
});

test('somebody who answers a call on request hears it to its end', () => {
  const plan = planOf([stage({ userIds: [1] })], { occasion: 'requested', until: 'reached' });
  const answer = (): Answer => ({ outcome: { kind: 'answered' }, afterSeconds: 3 });
  const night = liveThrough(plan, { answer, alarmAt: () => undefined }, 60);
  expect(night.state.closed).toBe('reached');
  expect(night.advances.flatMap(({ advance: { hangUp } }) => hangUp)).toEqual([]);
});

test('an accepted text without a receipt counts as delivered after a minute', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1 })], { occasion: 'requested', until: 'reached' });
  const night = liveThrough(plan, { answer: () => accepted, alarmAt: () => undefined }, 600);
  expect(night.state.closed).toBe('reached');
  expect(night.advances.at(-1)?.second).toBe(120);
});
