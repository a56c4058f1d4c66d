import { expect, test } from 'vitest';
import { person, planOf, sms, stage, voice } from './testing/call-plans.ts';
import { type Answer, liveThrough, type Night } from './testing/night.ts';

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
const companyFault: Answer = {
  outcome: { kind: 'failed', permanent: false, channelFault: true, reason: 'HTTP 500' },
  afterSeconds: 1,
};
const active = 3;

const onlyVoice = [1, 2, 3].map((userId) => person(userId, [voice(userId)]));
const lastsUntil = (second: number, then: number) => (at: number) => ({ state: at < second ? active : then });
const told = (night: Night) =>
  night.calls.map(({ second, userId, medium }) => `${second} ${userId} ${medium.kind}`);
const said = (night: Night) => night.notices.map(({ second, kind }) => `${second} ${kind}`);

test('one person after the other is called, each by phone and by SMS, until the list begins again', () => {
  const night = liveThrough(planOf([stage()]), { answer: () => accepted }, 200);
  expect(told(night)).toEqual([
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
  expect(told(liveThrough(plan, {}, 59))).toEqual(['0 1 Voice', '0 2 Voice', '0 3 Voice']);
});

test('with turnover each alarm starts with another person', () => {
  const plan = planOf([stage({ mode: 'Turnover', attempts: 1, cycles: 1 })]);
  const first = (alarms: number) =>
    liveThrough(plan, { rotation: new Map([[1, alarms]]) }, 130).calls.map(({ userId }) => userId);
  expect(first(0)).toEqual([1, 2, 3]);
  expect(first(1)).toEqual([2, 3, 1]);
  expect(first(5)).toEqual([3, 1, 2]);
});

test('a message that is said to be delivered does not keep the next person from being called', () => {
  const answer = (): Answer => ({ outcome: { kind: 'delivered' }, afterSeconds: 2 });
  const night = liveThrough(planOf([stage({ attempts: 1 })]), { answer }, 70);
  expect(told(night)).toEqual(['0 1 Voice', '60 2 Voice']);
});

test('who confirms the call is not called again in this turn, and the next one still is', () => {
  const answer = (): Answer => ({ outcome: { kind: 'acknowledged' }, afterSeconds: 5 });
  expect(told(liveThrough(planOf([stage()]), { answer }, 70))).toEqual(['0 1 Voice', '60 2 Voice']);
});

test('who does not answer the phone gets an SMS at once', () => {
  const answer = ({ medium }: { medium: { kind: string } }) =>
    medium.kind === 'Voice' ? noAnswer : accepted;
  expect(told(liveThrough(planOf([stage()]), { answer }, 59))).toEqual(['0 1 Voice', '25 1 Sms']);
});

test('the next person is called at once when every medium of the first has failed for good', () => {
  const answer = ({ userId }: { userId: number }) => (userId === 1 ? badNumber : accepted);
  expect(told(liveThrough(planOf([stage()]), { answer }, 10))).toEqual(['0 1 Voice', '1 1 Sms', '2 2 Voice']);
});

test('a failing provider is tried again after 15 and then every 30 seconds', () => {
  const people = onlyVoice;
  const plan = planOf([stage({ userIds: [1], attempts: 4, ackTimeoutSeconds: 300 })], { people });
  const night = liveThrough(plan, { answer: () => serverError }, 100);
  expect(night.calls.map(({ second }) => second)).toEqual([0, 16, 47, 78, 94]);
});

test('who was tried in vain just now has 15 seconds of peace before his turn comes again', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1, cycles: 3 })], { people: onlyVoice });
  const night = liveThrough(plan, { answer: () => noAnswer }, 130);
  expect(night.calls.map(({ second }) => second)).toEqual([0, 40, 80, 120]);
});

test('who was not tried just now is called at once, alone and in a broadcast', () => {
  const stages = [
    stage({ userIds: [1], attempts: 1, cycles: 1 }),
    stage({ groupId: 2, role: 'relief', userIds: [1, 2], mode: 'Broadcast', attempts: 1 }),
  ];
  const night = liveThrough(planOf(stages, { people: onlyVoice }), { answer: () => noAnswer }, 30);
  expect(told(night)).toEqual(['0 1 Voice', '25 1 Voice', '25 2 Voice']);
  const inTurn = planOf([stage({ userIds: [1, 2], attempts: 1, cycles: 1 })], { people: onlyVoice });
  const calls = liveThrough(inTurn, { answer: () => noAnswer }, 60).calls;
  expect(calls.map(({ second, userId }) => [second, userId])).toEqual([
    [0, 1],
    [25, 2],
    [50, 1],
  ]);
});

test('after a fault of the channel the other medium is tried at once, then the next person, then those who stand in', () => {
  const stages = [
    stage({ userIds: [1, 2], attempts: 1, cycles: 2 }),
    stage({ groupId: 2, role: 'relief', userIds: [3], attempts: 1 }),
  ];
  const onVoice = ({ medium }: { medium: { kind: string } }) =>
    medium.kind === 'Voice' ? companyFault : accepted;
  expect(told(liveThrough(planOf(stages), { answer: onVoice }, 30))).toEqual(['0 1 Voice', '1 1 Sms']);
  const night = liveThrough(planOf(stages), { answer: () => companyFault }, 14);
  expect(told(night)).toEqual(['0 1 Voice', '1 1 Sms', '2 2 Voice', '3 2 Sms', '4 3 Voice', '5 3 Sms']);
});

test('after a fault of the channel the other route of the same medium is tried at once', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1 })], { people: onlyVoice });
  const routes = new Map([['Voice' as const, [1, 2]]]);
  const night = liveThrough(plan, { answer: () => companyFault, routes }, 10);
  expect(night.calls.slice(0, 2).map(({ second }) => second)).toEqual([0, 1]);
  expect(night.advances.flatMap(({ advance }) => advance.attempts)[1]?.avoidChannels).toEqual([1]);
});

test('a try that waits in our own queue is no try, and stays there until it is made', () => {
  const plan = planOf([stage({ userIds: [1, 2], attempts: 1 })], { people: onlyVoice });
  const night = liveThrough(plan, { answer: () => undefined, queuedUntil: 400 }, 399);
  expect(told(night)).toEqual(['0 1 Voice', '60 2 Voice']);
  expect(night.calls.map(({ status }) => status)).toEqual(['queued', 'queued']);
});

test('a medium whose channels are ill is tried after the others, and tried all the same', () => {
  const down = new Set(['Voice'] as const);
  const night = liveThrough(planOf([stage({ userIds: [1] })]), { answer: () => serverError, down }, 10);
  expect(told(night)).toEqual(['0 1 Sms', '1 1 Voice']);
  const alone = planOf([stage({ userIds: [1] })], { people: onlyVoice });
  expect(told(liveThrough(alone, { down }, 10))).toEqual(['0 1 Voice']);
});

test('a try of which nothing is known is made again after the provider had its chance to tell', () => {
  const answer = (): Answer => ({ outcome: { kind: 'unknown', reason: 'timed out' }, afterSeconds: 5 });
  const night = liveThrough(planOf([stage({ userIds: [1] })], { people: onlyVoice }), { answer }, 20);
  expect(night.calls.map(({ second }) => second)).toEqual([0, 10]);
  expect(
    night.advances.flatMap(({ advance }) => advance.attempts).map(({ avoidChannels }) => avoidChannels),
  ).toEqual([[], [1]]);
});

test('a try that is never heard of again is hung up and counts as lost after two minutes', () => {
  const plan = planOf([stage({ userIds: [1], ackTimeoutSeconds: 300 })]);
  const night = liveThrough(plan, { answer: () => undefined }, 130);
  expect(told(night)).toEqual(['0 1 Voice', '120 1 Sms']);
  expect(night.calls[0]?.status).toBe('cancelled');
});

test('after the last cycle the relief group is called, then the fallback group, then it begins again', () => {
  const plan = planOf([
    stage({ userIds: [1], attempts: 1, cycles: 2 }),
    stage({ groupId: 2, role: 'relief', userIds: [2], attempts: 1, cycles: 1 }),
    stage({ groupId: 3, role: 'fallback', userIds: [3], attempts: 1, cycles: 1 }),
  ]);
  const night = liveThrough(plan, {}, 500);
  expect(night.calls.map(({ userId }) => userId)).toEqual([1, 1, 2, 3, 1, 1, 2, 3, 1]);
  expect(said(night)).toEqual(['120 stands-in', '180 stands-in', '480 exhausted']);
});

test('nobody is said to be out of reach before five tries by two media', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1, cycles: 1 })]);
  const night = liveThrough(plan, {}, 600);
  expect(night.notices).toEqual([{ kind: 'exhausted', target: 0, attempts: 5, second: 300 }]);
  expect(night.calls.filter(({ second }) => second < 300)).toHaveLength(5);
  expect(night.calls.at(-1)?.second).toBe(600);
});

test('when nobody is on duty the relief group is called at once, and somebody is told', () => {
  const plan = planOf([stage(), stage({ groupId: 2, role: 'relief', userIds: [4] })]);
  const onDuty = new Map([
    [1, []],
    [2, [4]],
  ]);
  const night = liveThrough(plan, { onDutyAt: () => onDuty }, 10);
  expect(told(night)).toEqual(['0 4 Voice']);
  expect(said(night)).toEqual(['0 nobody-on-duty', '0 stands-in']);
});

test('with nobody on duty, no relief and no fallback the whole group is called', () => {
  const plan = planOf([stage({ attempts: 1, cycles: 1 })]);
  const night = liveThrough(plan, { onDutyAt: () => new Map([[1, []]]) }, 130);
  expect(told(night)).toEqual(['0 1 Voice', '60 2 Voice', '120 3 Voice']);
  expect(night.notices).toMatchObject([{ kind: 'nobody-on-duty', cause: 'off-duty', wholeGroup: true }]);
});

test('who comes on duty during the night is called when the turn comes', () => {
  const late = (second: number) => new Map([[1, second < 60 ? [1] : [1, 2]]]);
  const plan = planOf([stage({ attempts: 1 })]);
  expect(told(liveThrough(plan, { onDutyAt: late }, 60))).toEqual(['0 1 Voice', '60 2 Voice']);
});

test('a plan that names nobody says so and keeps looking', () => {
  const night = liveThrough(planOf([stage({ userIds: [] })]), {}, 100);
  expect(said(night)).toEqual(['0 nobody-on-duty', '0 exhausted']);
  expect(night.advances.map(({ second }) => second)).toEqual([0, 15, 30, 45, 60, 75, 90]);
});

test('who has no medium is passed over, and somebody is told', () => {
  const people = [person(1, []), person(2), person(3)];
  const night = liveThrough(planOf([stage()], { people }), {}, 10);
  expect(told(night)).toEqual(['0 2 Voice']);
  expect(night.notices).toEqual([{ kind: 'no-medium', target: 0, groupId: 1, userId: 1, second: 0 }]);
});

test('people with dead numbers are not called in a spin', () => {
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
  expect(told(liveThrough(both, {}, 5))).toEqual(['0 1 Voice', '0 2 Voice']);
});

test('who is in two groups is not rung twice at once', () => {
  const same = { stages: [stage({ userIds: [1] })] };
  const plan = planOf([], { targets: [same, same], people: [person(1)] });
  expect(told(liveThrough(plan, { answer: () => noAnswer }, 24))).toEqual(['0 1 Voice', '15 1 Sms']);
});

test.each([
  ['acknowledged', 1, 'acknowledged'],
  ['reset', 2, 'reset'],
  ['reset and acknowledged by itself', 0, 'reset'],
  ['masked', 7, 'masked'],
])('an alarm that is %s is not called for any more, and running calls are hung up', (_, then, reason) => {
  const night = liveThrough(
    planOf([stage()]),
    { answer: () => noAnswer, alarmAt: lastsUntil(10, then) },
    600,
  );
  expect(told(night)).toEqual(['0 1 Voice']);
  expect(night.state.closed).toBe(reason);
  expect(night.calls[0]?.status).toBe('cancelled');
});

test('an alarm that is reset before its delay is over calls nobody', () => {
  const plan = planOf([stage()], { delaySeconds: 30 });
  const night = liveThrough(plan, { alarmAt: lastsUntil(29, 2) }, 300);
  expect([night.calls.length, night.state.closed]).toEqual([0, 'reset']);
  expect(told(liveThrough(plan, {}, 40))).toEqual(['30 1 Voice']);
});

test('an event is called for although it is over, until somebody acknowledges', () => {
  const plan = planOf([stage({ attempts: 1 })], { outlivesReset: true });
  const alarmAt = (second: number) => ({ state: second < 100 ? 2 : 0 });
  const night = liveThrough(plan, { alarmAt }, 300);
  expect(told(night)).toEqual(['0 1 Voice', '60 2 Voice']);
  expect(night.state.closed).toBe('acknowledged');
});

const maskedBetween = (from: number, to: number, then: number) => (second: number) => {
  if (second < from) return { state: active };
  return { state: second < to ? active + 4 : then };
};

test('an alarm still active when its mask ends is called for again from the first person', () => {
  const plan = planOf([stage({ attempts: 1 })]);
  const night = liveThrough(plan, { alarmAt: maskedBetween(70, 400, active) }, 410);
  expect(told(night)).toEqual(['0 1 Voice', '60 2 Voice', '400 1 Sms']);
  expect(said(night)).toEqual(['400 reopened']);
});

test.each([
  ['acknowledged meanwhile', 1, 'acknowledged'],
  ['over meanwhile', 2, 'reset'],
])('an alarm that was %s is not called for when its mask ends', (_, then, reason) => {
  const night = liveThrough(planOf([stage()]), { alarmAt: maskedBetween(10, 400, then) }, 900);
  expect(told(night)).toEqual(['0 1 Voice']);
  expect(night.state.closed).toBe(reason);
});

test('an event that was masked is called for once the mask ends, although it is long over', () => {
  const masked = { state: 2 | 4 };
  const alarmAt = (second: number) => (second < 100 ? masked : { state: second < 200 ? 2 : 0 });
  const plan = planOf([stage({ attempts: 1 })], { outlivesReset: true });
  const night = liveThrough(plan, { alarmAt }, 400);
  expect(told(night)).toEqual(['100 1 Voice', '160 2 Voice']);
  expect(night.state.closed).toBe('acknowledged');
});

test('a masked duty looks again when its mask ends, and each minute when nobody knows when', () => {
  const maskUntil = new Date('2026-04-29T21:00:00Z');
  const wakes = (mask: { maskUntil?: Date }) =>
    liveThrough(planOf([stage()]), { alarmAt: () => ({ state: 7, ...mask }) }, 0).advances[0]?.advance.wakeAt;
  expect(wakes({ maskUntil })).toEqual(maskUntil);
  expect(wakes({})).toEqual(new Date('2026-04-29T20:01:00Z'));
});

test('that an alarm is over is told to one person who is there, and waits for no acknowledgment', () => {
  const plan = planOf([stage()], { occasion: 'reset', until: 'reached' });
  const answer = ({ userId }: { userId: number }): Answer =>
    userId === 1 ? badNumber : { outcome: { kind: 'delivered' }, afterSeconds: 3 };
  const night = liveThrough(plan, { answer, alarmAt: () => ({ state: 2 }) }, 600);
  expect(told(night)).toEqual(['0 1 Voice', '1 1 Sms', '2 2 Voice']);
  expect(night.state.closed).toBe('reached');
});

test('a request calls everybody, and is missed when one of them cannot be reached', () => {
  const people = [person(1, [voice(1)]), person(2, [sms(2)])];
  const all = stage({ mode: 'Broadcast', rostered: false, userIds: [1, 2], attempts: 3, cycles: 1 });
  const plan = planOf([all], { occasion: 'requested', until: 'reached', people });
  const answer = ({ userId }: { userId: number }): Answer =>
    userId === 1 ? noAnswer : { outcome: { kind: 'delivered' }, afterSeconds: 3 };
  const night = liveThrough(plan, { answer, alarmAt: () => undefined }, 600);
  expect(told(night)).toEqual(['0 1 Voice', '0 2 Sms', '40 1 Voice', '95 1 Voice']);
  expect([night.state.closed, said(night)]).toEqual(['missed', ['120 missed']]);
});

test('a text that the provider took and never reported on counts as told after a minute', () => {
  const plan = planOf([stage({ userIds: [1], attempts: 1 })], { occasion: 'requested', until: 'reached' });
  const night = liveThrough(plan, { answer: () => accepted, alarmAt: () => undefined }, 600);
  expect(night.state.closed).toBe('reached');
  expect(night.advances.at(-1)?.second).toBe(120);
});
