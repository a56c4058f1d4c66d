import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answers, cycleThrough } from '../testing/answers.ts';
import { anyPlans } from '../testing/call-plans.ts';
import { at, liveThrough, type Night } from '../testing/night.ts';
import type { CallPlan } from './call-plan.ts';
import { hasArrived, maxAttemptSeconds, queueAttempt } from './delivery.ts';
import { advance } from './escalation.ts';
import type { Facts } from './escalation-state.ts';

const seconds = 1_200;

/** Rosters that change every ten minutes: nobody, some people, or everybody in the group. */
const rosters = fc.array(
  fc.dictionary(
    fc.constantFrom('1', '2', '3'),
    fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
  ),
  { minLength: 1, maxLength: 3 },
);

type Roster = { [groupId: string]: number[] };

const onDutyIn =
  (list: readonly Roster[]) =>
  (second: number): Facts['onDuty'] => {
    const roster = list[Math.floor(second / 600) % list.length] ?? {};
    return new Map(Object.entries(roster).map(([groupId, userIds]) => [Number(groupId), userIds]));
  };

/** States of the alarm, each for a while. It begins active and unacknowledged. */
const lives = fc.array(
  fc.record({ state: fc.constantFrom(3, 7, 1, 2, 0), lasts: fc.integer({ min: 1, max: 700 }) }),
  {
    maxLength: 4,
  },
);

const stateIn = (life: readonly { state: number; lasts: number }[]) => (second: number) => {
  let begins = 300;
  let state = 3;
  for (const part of life) {
    if (second >= begins) state = part.state;
    begins += part.lasts;
  }
  return { state };
};

const nights = fc
  .record({ plan: anyPlans, list: answers, roster: rosters, life: lives })
  .map(({ plan, list, roster, life }) => {
    const alarmAt = plan.occasion === 'requested' ? () => undefined : stateIn(life);
    return liveThrough(plan, { answer: cycleThrough(list), onDutyAt: onDutyIn(roster), alarmAt }, seconds);
  });

const unanswered = fc
  .record({ plan: anyPlans.map(untilAcknowledged), list: answers, roster: rosters })
  .map(({ plan, list, roster: [roster = {}] }) =>
    liveThrough(plan, { answer: cycleThrough(list), onDutyAt: onDutyIn([roster]) }, seconds),
  );

function untilAcknowledged(plan: CallPlan): CallPlan {
  return { ...plan, occasion: 'raised', until: 'acknowledged' };
}

const maxStepSeconds = ({ plan }: Night) =>
  Math.max(0, ...plan.targets.flatMap(({ stages }) => stages.map((stage) => stage.ackTimeoutSeconds)));

test('an open escalation is always advanced again soon', () => {
  fc.assert(
    fc.property(nights, (night) => {
      const bound = Math.max(maxStepSeconds(night), maxAttemptSeconds, night.plan.delaySeconds);
      for (const { second, advance: next } of night.advances) {
        if (next.state.closed !== null) continue;
        expect(next.wakeAt?.getTime()).toBeGreaterThan(at(second).getTime());
        expect(next.wakeAt?.getTime()).toBeLessThanOrEqual(at(second + bound).getTime());
      }
    }),
    { numRuns: 150 },
  );
});

test('a closed escalation calls nobody, and hangs up on everybody but those who listen to a message', () => {
  fc.assert(
    fc.property(nights, (night) => {
      for (const { advance: next, facts } of night.advances) {
        if (next.state.closed === null) continue;
        expect(next.attempts).toEqual([]);
        const isMessage = next.state.closed === 'reached' || next.state.closed === 'missed';
        const open = facts.attempts.filter(({ endedAt }) => endedAt === undefined);
        const unheard = open.filter((attempt) => !isMessage || !hasArrived(attempt));
        expect(next.hangUp).toEqual(unheard.map(({ id }) => id));
      }
    }),
    { numRuns: 150 },
  );
});

test('tries are numbered without a gap, step after step, and no try is made twice', () => {
  fc.assert(
    fc.property(nights, (night) => {
      const byStep = Map.groupBy(night.calls, ({ target, step, userId }) => `${target} ${step} ${userId}`);
      for (const tries of byStep.values())
        expect(tries.map((attempt) => attempt.try)).toEqual(tries.map((_, index) => index + 1));
      for (const calls of Map.groupBy(night.calls, ({ target }) => target).values()) {
        const steps = calls.map(({ step }) => step);
        expect(steps).toEqual(steps.toSorted((one, other) => one - other));
      }
    }),
    { numRuns: 150 },
  );
});

test('advancing twice at the same moment calls nobody twice', () => {
  fc.assert(
    fc.property(nights, ({ plan, advances }) => {
      for (const { second, advance: next, facts } of advances.slice(0, 20)) {
        const fresh = next.attempts.map((draft, index) => queueAttempt(draft, 1_000 + index, at(second)));
        const attempts = [...facts.attempts, ...fresh];
        expect(advance(plan, next.state, { ...facts, attempts }, at(second)).attempts).toEqual([]);
      }
    }),
    { numRuns: 100 },
  );
});

test('a plan and a state that were stored and read back lead to the same decision', () => {
  fc.assert(
    fc.property(nights, ({ plan, advances }) => {
      const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
      expect(stored(plan)).toEqual(plan);
      for (const [index, { second, facts, advance: next }] of advances.slice(1, 15).entries()) {
        const before = advances[index]?.advance.state ?? next.state;
        expect(stored(before)).toEqual(before);
        expect(advance(stored(plan), stored(before), facts, at(second))).toEqual(next);
      }
    }),
    { numRuns: 100 },
  );
});

test('before a target is exhausted, everybody on duty was called, in all five times and by two media', () => {
  fc.assert(
    fc.property(unanswered, ({ plan, calls, events, advances }) => {
      for (const event of events) {
        if (event.kind !== 'exhausted') continue;
        const called = calls.filter(({ second }) => second < event.second);
        const onDuty = advances[0]?.facts.onDuty ?? new Map<number, number[]>();
        const wanted = (plan.targets[event.target]?.stages ?? [])
          .flatMap((stage) => (stage.rostered ? (onDuty.get(stage.groupId) ?? stage.userIds) : stage.userIds))
          .filter((userId) => plan.people.some((one) => one.userId === userId && one.media.length > 0));
        expect(new Set(called.map(({ userId }) => userId))).toEqual(
          new Set([...called.map(({ userId }) => userId), ...wanted]),
        );
        if (wanted.length === 0) continue;

        const own = called.filter(({ target }) => target === event.target);
        const kinds = plan.people
          .filter(({ userId }) => own.some((call) => call.userId === userId))
          .flatMap(({ media }) => media.map(({ kind }) => kind));
        expect(own.length).toBeGreaterThanOrEqual(5);
        expect(new Set(own.map(({ medium }) => medium.kind)).size).toBeGreaterThanOrEqual(
          Math.min(2, new Set(kinds).size),
        );
      }
    }),
    { numRuns: 150 },
  );
});

test('calling never pauses for more than a step and 15 seconds, unless a phone rings', () => {
  fc.assert(
    fc.property(unanswered, (night) => {
      const { calls } = night;
      // A call without an outcome rings until it counts as lost, which may be after the night.
      const ends = calls.map(({ second, endedAt }) =>
        endedAt ? (endedAt.getTime() - at(0).getTime()) / 1000 : second + maxAttemptSeconds,
      );
      const gaps = calls.slice(1).map(({ second }, index) => second - Math.max(...ends.slice(0, index + 1)));
      const last = seconds - Math.max(0, ...ends);
      expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(maxStepSeconds(night) + 15);
      if (calls.length > 0) expect(last).toBeLessThanOrEqual(maxStepSeconds(night) + 15);
    }),
    { numRuns: 150 },
  );
});
