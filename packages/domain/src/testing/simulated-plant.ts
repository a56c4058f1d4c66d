import type { CallMode, CallPlan, Medium, Person, Stage } from '../calling/call-plan.ts';
import { message } from './call-plans.ts';
import type { Habit, Weather } from './simulated-provider.ts';
import { addRules } from './simulated-rules.ts';
import type { Random } from './simulation-random.ts';

/** A random plant and one night with faults. Times are milliseconds from the start of the night. */
export type Plant = {
  people: Person[];
  habits: Map<number, Habit>;
  /** The probability that a person acknowledges an alarm that reached them. */
  diligence: number;
  onDuty: Map<number, number[]>;
  alarms: PlannedAlarm[];
  /** 0 switches the quiet time off. */
  quietSeconds: number;
  weather: Map<number, { fromMs: number; weather: Weather }[]>;
  /** The rate of faults of the workers, from 0 to 1. */
  faultRate: number;
};

export type PlannedAlarm = {
  /** Several alarms may be occurrences of one tag, one after the other. */
  tagId: number;
  raisedMs: number;
  plan: CallPlan;
  resetMs?: number;
  acknowledgedMs?: number;
  masked?: { fromMs: number; toMs: number };
};

export const channelIds = { Voice: [1, 2], Sms: [3, 4], Email: [5] } as const;
const kinds = ['Voice', 'Sms', 'Email'] as const;
const minute = 60_000;

/** Faults and new alarms end after this time. */
export const stormMs = 8 * minute;

/** `rulesRandom` is a source of its own, so that a night has the same alarms with and without rules. */
export function makePlant(random: Random, rulesRandom: Random): Plant {
  const userIds = Array.from({ length: random.between(2, 5) }, (_, index) => index + 1);
  const people = addRules(
    rulesRandom,
    userIds.map((userId) => makePerson(random, userId)),
  );
  const flood = random.chance(0.15);
  const count = flood ? random.between(11, 16) : random.between(1, 3);
  const alarms = Array.from({ length: count }, (_, index) => makeAlarm(random, people, index + 1));
  if (random.chance(0.3)) chatter(random, alarms);
  const isCalm = random.chance(0.2);
  return {
    people,
    habits: new Map(userIds.map((userId) => [userId, makeHabit(random)])),
    diligence: random.pick([0, 0, 0.2, 0.6]),
    onDuty: new Map(random.chance(0.2) ? [[1, []]] : []),
    alarms: alarms.toSorted((one, other) => one.raisedMs - other.raisedMs),
    quietSeconds: random.pick([0, 60, 180, 300]),
    weather: new Map(
      Object.values(channelIds)
        .flat()
        .map((id) => [id, isCalm ? [] : makeWeather(random)]),
    ),
    faultRate: isCalm ? 0 : random.next(),
  };
}

function makeHabit(random: Random): Habit {
  return random.pick(['picks-up', 'confirms', 'busy', 'sleeps', 'declines']);
}

function makePerson(random: Random, userId: number): Person {
  const media: Medium[] = kinds
    .filter(() => random.chance(0.7))
    .map((kind) => ({ kind, address: `${kind} of ${userId}` }));
  const own =
    media.length > 0 || random.chance(0.2) ? media : [{ kind: 'Voice' as const, address: `of ${userId}` }];
  return { userId, name: `User ${userId}`, language: '', media: random.chance(0.5) ? own : own.toReversed() };
}

function makeWeather(random: Random): { fromMs: number; weather: Weather }[] {
  const changes: { fromMs: number; weather: Weather }[] = [];
  for (let fromMs = 0; fromMs < stormMs; fromMs += random.between(20_000, 180_000))
    changes.push({
      fromMs,
      weather: random.pick(['good', 'good', 'down', 'hangs', 'hangs-after-accepting', 'lies', 'rejects']),
    });
  return [...changes, { fromMs: stormMs, weather: random.pick(['good', 'lies']) }];
}

/** Adds occurrences of the first tag, which call the same people. */
function chatter(random: Random, alarms: PlannedAlarm[]): void {
  const first = alarms.find(({ plan }) => plan.occasion === 'raised');
  if (!first) return;
  for (let number = random.between(1, 3), raisedMs = first.raisedMs; number > 0; number--) {
    raisedMs += random.between(20_000, 3 * minute);
    const plan = { ...first.plan, priority: random.between(1, 3) };
    alarms.push({ tagId: first.tagId, raisedMs, plan });
  }
}

function makeAlarm(random: Random, people: readonly Person[], tagId: number): PlannedAlarm {
  const raisedMs = random.between(0, 4 * minute);
  const later = () => raisedMs + random.between(1_000, 8 * minute);
  const maskedMs = later();
  return {
    tagId,
    raisedMs,
    plan: makePlan(random, people),
    ...(random.chance(0.2) && { resetMs: later() }),
    ...(random.chance(0.2) && { acknowledgedMs: later() }),
    ...(random.chance(0.15) && {
      masked: { fromMs: maskedMs, toMs: maskedMs + random.between(20_000, 4 * minute) },
    }),
  };
}

function makePlan(random: Random, people: readonly Person[]): CallPlan {
  const isRequest = random.chance(0.15);
  const first = makeStage(random, people, { groupId: 1, role: 'first' });
  const relief = makeStage(random, people, { groupId: 2, role: 'relief' });
  const fallback = makeStage(random, people, { groupId: 3, role: 'fallback' });
  const stages = [first, ...(random.chance(0.4) ? [relief] : []), ...(random.chance(0.6) ? [fallback] : [])];
  const request: Stage = { ...first, groupId: 0, mode: 'Broadcast', rostered: false, cycles: 1 };
  return {
    format: 1,
    occasion: isRequest ? 'requested' : 'raised',
    until: isRequest ? 'reached' : 'acknowledged',
    priority: random.between(1, 3),
    delaySeconds: random.pick([0, 0, 10, 30]),
    outlivesReset: random.chance(0.1),
    targets: [{ stages: isRequest ? [request] : stages }],
    people: [...people],
    message,
  };
}

function makeStage(
  random: Random,
  people: readonly Person[],
  { groupId, role }: Pick<Stage, 'groupId' | 'role'>,
): Stage {
  const userIds = people.map(({ userId }) => userId).filter(() => random.chance(0.6));
  return {
    groupId,
    role,
    mode: random.pick<CallMode>(['Sequential', 'Broadcast', 'Turnover']),
    userIds,
    rostered: groupId === 1,
    ackTimeoutSeconds: random.pick([10, 30, 60, 120]),
    attempts: random.between(1, 3),
    cycles: random.between(1, 2),
  };
}
