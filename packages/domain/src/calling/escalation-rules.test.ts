import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answers, cycleThrough } from '../testing/answers.ts';
import { anyPlans, person, planOf, sms, stage, voice } from '../testing/call-plans.ts';
import { mediaRules, quietRule, rule, rulesOf } from '../testing/media-rules.ts';
import { type Answer, at, liveThrough, type Night } from '../testing/night.ts';
import type { CallPlan, MediaRule, Medium, Person } from './call-plan.ts';
import { applyMediaRules } from './media-rules.ts';

// Nights begin at 22:00 in Paris.
const accepted: Answer = { outcome: { kind: 'accepted' }, afterSeconds: 1 };
const badNumber: Answer = {
  outcome: { kind: 'failed', permanent: true, reason: 'no such number' },
  afterSeconds: 1,
};
const faultyChannel: Answer = {
  outcome: { kind: 'failed', permanent: false, channelFault: true, reason: 'HTTP 500' },
  afterSeconds: 1,
};
const eightHours = 8 * 3_600;

const mail = (userId: number): Medium => ({ kind: 'Email', address: `user${userId}@plant.example` });
const callsOf = (night: Night) =>
  night.calls.map(({ second, userId, medium }) => `${second} ${userId} ${medium.kind}`);
const eventsOf = (night: Night) => night.events.map(({ second, kind }) => `${second} ${kind}`);

/** Users 1, 2, … with these rules, each with a phone and SMS. */
const peopleWith = (...rules: MediaRule[][]): Person[] =>
  rules.map((own, index) => Object.assign(person(index + 1), { mediaRules: rulesOf(...own) }));
const planFor = (
  priority: number,
  people: Person[],
  stages = [stage({ userIds: people.map((one) => one.userId) })],
) => planOf(stages, { priority, people });

const textsFirst = rule({ priorities: [1, 2], media: [{ kind: 'Sms' }, { kind: 'Voice' }] });
const asSketched = rule({
  priorities: [1],
  media: [{ kind: 'Voice' }, { kind: 'Sms', afterSeconds: 20 }, { kind: 'Voice', afterSeconds: 25 }],
});

describe('the order of a rule', () => {
  test('replaces that of the user', () => {
    const night = liveThrough(planFor(2, peopleWith([textsFirst])), {}, 59);
    expect(callsOf(night)).toEqual(['0 1 Sms', '30 1 Voice']);
  });

  test('has waits of its own, and may name a medium twice', () => {
    const noAnswer: Answer = { outcome: { kind: 'noAnswer' }, afterSeconds: 15 };
    const answer = (attempt: { medium: Medium }) => (attempt.medium.kind === 'Voice' ? noAnswer : accepted);
    const plan = planFor(1, peopleWith([asSketched]), [stage({ userIds: [1], attempts: 3 })]);
    expect(callsOf(liveThrough(plan, { answer }, 59))).toEqual(['0 1 Voice', '20 1 Sms', '45 1 Voice']);
  });

  test('goes on in the next cycle where the last one ended', () => {
    const plan = planFor(2, peopleWith([textsFirst]), [stage({ userIds: [1], attempts: 1, cycles: 3 })]);
    expect(callsOf(liveThrough(plan, {}, 130))).toEqual(['0 1 Sms', '60 1 Voice', '120 1 Sms']);
  });

  test('does not wait after a channel or a number that failed', () => {
    const plan = planFor(1, peopleWith([asSketched]), [stage({ userIds: [1], attempts: 3 })]);
    for (const failed of [faultyChannel, badNumber]) {
      const answer = (attempt: { medium: Medium }) => (attempt.medium.kind === 'Voice' ? failed : accepted);
      expect(callsOf(liveThrough(plan, { answer }, 19)).slice(0, 2)).toEqual(['0 1 Voice', '1 1 Sms']);
    }
  });

  test('leaves out the other media, unless none of the rule works', () => {
    const onlyTexts = rule({ priorities: [2], media: [{ kind: 'Sms' }] });
    const plan = planFor(2, peopleWith([onlyTexts]));
    const kinds = (night: Night) => new Set(night.calls.map(({ medium }) => medium.kind));
    expect(kinds(liveThrough(plan, {}, 600))).toEqual(new Set(['Sms']));
    for (const failed of [badNumber, faultyChannel]) {
      const answer = (attempt: { medium: Medium }) => (attempt.medium.kind === 'Sms' ? failed : accepted);
      expect(callsOf(liveThrough(plan, { answer }, 5))).toEqual(['0 1 Sms', '1 1 Voice']);
    }
    expect(callsOf(liveThrough(plan, { down: new Set(['Sms']) }, 5))).toEqual(['0 1 Voice']);
  });

  test('that names only media which the user no longer has is replaced by the others', () => {
    const gone = rule({ priorities: [2], media: [{ kind: 'Pager' }] });
    expect(callsOf(liveThrough(planFor(2, peopleWith([gone])), {}, 59))).toEqual(['0 1 Voice', '30 1 Sms']);
  });

  test('is exhausted when its own media were tried', () => {
    const onlyTexts = rule({ priorities: [2], media: [{ kind: 'Sms' }] });
    const night = liveThrough(planFor(2, peopleWith([onlyTexts])), {}, 600);
    expect(night.events.map(({ kind }) => kind)).toContain('exhausted');
  });
});

describe('somebody who is quiet', () => {
  test('is passed over, and the next person is called at once', () => {
    const night = liveThrough(planFor(4, peopleWith([quietRule([4])], [])), {}, 59);
    expect(callsOf(night)).toEqual(['0 2 Voice', '30 2 Sms']);
    expect(night.events).toEqual([
      {
        kind: 'quiet',
        second: 0,
        target: 0,
        groupId: 1,
        userId: 1,
        untilMs: Date.parse('2026-04-30T04:00:00Z'),
      },
    ]);
  });

  test('is replaced by the relief group at once', () => {
    const people = peopleWith([quietRule([4])], []);
    const stages = [stage({ userIds: [1] }), stage({ groupId: 2, role: 'relief', userIds: [2] })];
    const night = liveThrough(planFor(4, people, stages), {}, 5);
    expect(callsOf(night)).toEqual(['0 2 Voice']);
    expect(eventsOf(night)).toEqual(['0 quiet', '0 stands-in']);
  });

  test('is called when the quiet hours end, if everybody is quiet', () => {
    const late = quietRule([4], { endMinute: 7 * 60 });
    const night = liveThrough(planFor(4, peopleWith([late], [quietRule([4])])), {}, eightHours + 40);
    expect(callsOf(night)).toEqual([`${eightHours} 2 Voice`, `${eightHours + 30} 2 Sms`]);
    expect(eventsOf(night)).toEqual(['0 quiet', '0 quiet']);
    expect(night.state.closed).toBeNull();
  });

  test('is not called while the alarm waits, and not after it is over', () => {
    const alarmAt = (second: number) => ({ state: second < 3_600 ? 3 : 0 });
    const night = liveThrough(planFor(4, peopleWith([quietRule([4])])), { alarmAt }, eightHours + 60);
    expect(callsOf(night)).toEqual([]);
    expect(night.state.closed).toBe('reset');
  });

  test('does not keep somebody from being called who comes on duty', () => {
    const people = peopleWith([quietRule([4])], []);
    const onDutyAt = (second: number) => new Map([[1, second < 1_000 ? [1] : [2]]]);
    const [call] = callsOf(liveThrough(planFor(4, people), { onDutyAt }, 1_100));
    expect(call).toBe('1020 2 Voice');
  });

  test('is not called again in a step that began before the quiet hours', () => {
    const soon = quietRule([4], { startMinute: 22 * 60 + 1 });
    const people = peopleWith([soon], []);
    const stages = [stage({ userIds: [1, 2], ackTimeoutSeconds: 120 })];
    const night = liveThrough(planFor(4, people, stages), {}, 130);
    expect(callsOf(night)).toEqual(['0 1 Voice', '120 2 Voice']);
  });

  test('is called at once for priority 1', () => {
    const night = liveThrough(planFor(1, peopleWith([quietRule([1, 4])], [])), {}, 5);
    expect(callsOf(night)).toEqual(['0 1 Voice']);
    expect(eventsOf(night)).toEqual([]);
  });

  test('gets the news of an alarm after the quiet hours, and the others at once', () => {
    const people = peopleWith([quietRule([4])], []);
    const stages = [stage({ userIds: [1, 2], mode: 'Broadcast', rostered: false, attempts: 1, cycles: 1 })];
    const plan: CallPlan = { ...planFor(4, people, stages), occasion: 'reset', until: 'reached' };
    const answer = (): Answer => ({ outcome: { kind: 'delivered' }, afterSeconds: 1 });
    const night = liveThrough(plan, { answer, alarmAt: () => ({ state: 0 }) }, eightHours + 60);
    expect(callsOf(night)).toEqual(['0 2 Voice', `${eightHours} 1 Voice`]);
    expect(night.state.closed).toBe('reached');
  });
});

const withRules = (plan: CallPlan, rules: readonly MediaRule[][], timeZone = 'Europe/Paris'): CallPlan => ({
  ...plan,
  people: plan.people.map((one, index) => ({ ...one, mediaRules: { timeZone, rules: rules[index] ?? [] } })),
});
const sixRules = fc.array(mediaRules, { minLength: 6, maxLength: 6 });
const calledIn = (night: Night) => new Set(night.calls.map(({ userId }) => userId));

test('whatever the rules, an alarm of priority 1 calls everybody that it calls without them, as soon', () => {
  fc.assert(
    fc.property(anyPlans, sixRules, (plan, rules) => {
      const silent = { answer: (): Answer => accepted };
      const [without, ruled] = [plan, withRules(plan, rules)].map((one) => liveThrough(one, silent, 1_200));
      if (!without || !ruled) throw new Error('two nights are needed');
      expect(calledIn(ruled)).toEqual(calledIn(without));
      const firsts = (night: Night) =>
        [...Map.groupBy(night.calls, ({ userId }) => userId)].map(([userId, [call]]) => [
          userId,
          call?.second,
        ]);
      if (plan.until === 'acknowledged') expect(firsts(ruled)).toEqual(firsts(without));
    }),
    { numRuns: 150 },
  );
});

test('whatever the rules and the answers, an open escalation is advanced again soon and calls nobody who is quiet', () => {
  fc.assert(
    fc.property(
      anyPlans,
      sixRules,
      answers,
      fc.integer({ min: 2, max: 4 }),
      (plan, rules, list, priority) => {
        const night = liveThrough(
          { ...withRules(plan, rules), priority },
          { answer: cycleThrough(list) },
          900,
        );
        for (const { userId, second } of night.calls) {
          const who = night.plan.people.find((one) => one.userId === userId) ?? person(userId);
          expect(applyMediaRules(who, priority, at(second).getTime()).quietUntilMs).toBeUndefined();
        }
        for (const { second, advance: next } of night.advances)
          if (next.state.closed === null) {
            const seconds = ((next.wakeAt?.getTime() ?? Infinity) - at(0).getTime()) / 1_000;
            expect(seconds).toBeGreaterThan(second);
            expect(seconds).toBeLessThanOrEqual(second + 120);
          }
      },
    ),
    { numRuns: 150 },
  );
});

test('for priority 1 every medium is used in the end, whatever the rule', () => {
  const rules = rulesOf(rule({ priorities: [1], media: [{ kind: 'Email' }, { kind: 'Email' }] }));
  const ann = { ...person(1, [voice(1), sms(1), mail(1)]), mediaRules: rules };
  const plan = planFor(1, [ann], [stage({ userIds: [1], attempts: 1, cycles: 1 })]);
  expect(callsOf(liveThrough(plan, {}, 200))).toEqual([
    '0 1 Email',
    '60 1 Email',
    '120 1 Voice',
    '180 1 Sms',
  ]);
});
