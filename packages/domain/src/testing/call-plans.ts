import * as fc from 'fast-check';
import type { CallMessage, CallPlan, Medium, Person, Stage } from '../calling/call-plan.ts';

export const message: CallMessage = {
  text: 'Pump 3 has stopped',
  shortText: 'Pump 3',
  number: 3,
  audio: '',
  file: '',
};

export const voice = (userId: number): Medium => ({ kind: 'Voice', address: `+3310000000${userId}` });
export const sms = (userId: number): Medium => ({ kind: 'Sms', address: `+3360000000${userId}` });

export function person(userId: number, media: Medium[] = [voice(userId), sms(userId)]): Person {
  return { userId, name: `User ${userId}`, language: 'en', media };
}

export function stage(overrides: Partial<Stage> = {}): Stage {
  return {
    groupId: 1,
    role: 'first',
    mode: 'Sequential',
    userIds: [1, 2, 3],
    rostered: true,
    ackTimeoutSeconds: 60,
    attempts: 2,
    cycles: 2,
    ...overrides,
  };
}

/** A plan for a raised alarm with one target; everybody in it has a phone and gets SMS. */
export function planOf(stages: Stage[], overrides: Partial<CallPlan> = {}): CallPlan {
  const userIds = [...new Set(stages.flatMap((one) => one.userIds))];
  return {
    format: 1,
    occasion: 'raised',
    until: 'acknowledged',
    priority: 1,
    delaySeconds: 0,
    outlivesReset: false,
    targets: [{ stages }],
    people: userIds.map((userId) => person(userId)),
    message,
    ...overrides,
  };
}

const kinds = fc.constantFrom('Voice' as const, 'Sms' as const, 'Email' as const, 'Push' as const);
const media = fc.uniqueArray(fc.record({ kind: kinds, address: fc.constantFrom('a', 'b') }), {
  maxLength: 3,
  selector: ({ kind, address }) => `${kind} ${address}`,
});
const userIds = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 4 });

const stages = fc.record({
  groupId: fc.constantFrom(1, 2, 3),
  role: fc.constantFrom('first' as const, 'relief' as const, 'fallback' as const),
  mode: fc.constantFrom('Sequential' as const, 'Broadcast' as const, 'Turnover' as const),
  userIds,
  rostered: fc.boolean(),
  ackTimeoutSeconds: fc.integer({ min: 5, max: 120 }),
  attempts: fc.integer({ min: 1, max: 4 }),
  cycles: fc.integer({ min: 1, max: 3 }),
});

/** Plans of all shapes: groups without people, people without media, no targets at all. */
export const anyPlans: fc.Arbitrary<CallPlan> = fc
  .record({
    until: fc.constantFrom('acknowledged' as const, 'reached' as const),
    delaySeconds: fc.constantFrom(0, 0, 30),
    outlivesReset: fc.boolean(),
    targets: fc.array(fc.record({ stages: fc.array(stages, { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    media: fc.array(media, { minLength: 6, maxLength: 6 }),
  })
  .map(({ media: mediaOf, until, delaySeconds, outlivesReset, targets }) => ({
    format: 1,
    occasion: until === 'acknowledged' ? 'raised' : 'requested',
    until,
    priority: 1,
    delaySeconds,
    outlivesReset,
    targets,
    people: mediaOf.map((own, index) => person(index + 1, own)),
    message,
  }));
