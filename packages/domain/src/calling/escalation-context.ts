import type { CallPlan, Medium, Person, Stage, Target } from './call-plan.ts';
import { type Attempt, type AttemptDraft, isRunning } from './delivery.ts';
import type { EscalationEvent, Facts, ReportedEvent, TargetState, UsedMedium } from './escalation-state.ts';
import { lastResort } from './last-resort.ts';
import { applyMediaRules, type CalledPerson } from './media-rules.ts';

/** The plan and the facts, indexed for lookup. */
export type EscalationContext = {
  plan: CallPlan;
  facts: Facts;
  people: PeopleNow;
  /** As `people`, with the addresses of the last resort. */
  peopleOf: (target: Pick<TargetState, 'pass'>) => PeopleNow;
  /** Attempts of the user in one step, in order. */
  triesOf(target: number, step: number, userId: number): readonly Attempt[];
  /** Attempts of the user that have not ended, of any target and step. */
  runningOf(userId: number): readonly Attempt[];
  /** People called in this advance for another target. */
  busy: Set<number>;
  nowMs: number;
};

/** Enabled people with the media by which they are called now. */
export type PeopleNow = { get(userId: number): CalledPerson | undefined };

/** One target while it is advanced. `state` is a copy that is changed in place. */
export type TargetContext = {
  escalation: EscalationContext;
  index: number;
  target: Target;
  state: TargetState;
  drafts: AttemptDraft[];
  events: EscalationEvent[];
  /** When the first of the people who were left out as quiet can be called. */
  quietUntilMs: number;
};

export function escalationContext(plan: CallPlan, facts: Facts, now: Date): EscalationContext {
  const tries = Map.groupBy(facts.attempts, ({ target, step, userId }) => `${target}:${step}:${userId}`);
  const running = Map.groupBy(facts.attempts.filter(isRunning), ({ userId }) => userId);
  const people = facts.people ?? new Map(plan.people.map((person) => [person.userId, person]));
  const widened = lastResort(plan, people, facts.routes);
  const peopleNow = mediaRulesApplier(plan.priority, now);
  return {
    plan,
    facts,
    people: peopleNow(people),
    peopleOf: (target) => peopleNow(widened(target)),
    triesOf: (target, step, userId) =>
      (tries.get(`${target}:${step}:${userId}`) ?? []).toSorted((one, other) => one.try - other.try),
    runningOf: (userId) => running.get(userId) ?? [],
    busy: new Set(),
    nowMs: now.getTime(),
  };
}

type People = ReadonlyMap<number, Person>;

/** Applies the rules of people, once each and only to those who are asked for: a tenant may have thousands. */
function mediaRulesApplier(priority: number, now: Date): (people: People) => PeopleNow {
  const known = new Map<Person, CalledPerson>();
  return (people) => ({
    get: (userId) => {
      const person = people.get(userId);
      if (!person) return undefined;
      const called = known.get(person) ?? applyMediaRules(person, priority, now.getTime());
      known.set(person, called);
      return called;
    },
  });
}

export function targetContext(
  escalation: EscalationContext,
  index: number,
  { target, state }: Pick<TargetContext, 'target' | 'state'>,
): TargetContext {
  const copy = {
    ...state,
    stepUserIds: [...state.stepUserIds],
    calledUserIds: [...state.calledUserIds],
    usedMedia: state.usedMedia.map((used) => ({ ...used })),
    reported: [...state.reported],
  };
  return {
    escalation,
    index,
    target,
    state: copy,
    drafts: [],
    events: [],
    quietUntilMs: Number.POSITIVE_INFINITY,
  };
}

/** Undefined only for a target without stages. */
export function stageOf({ target, state }: TargetContext): Stage | undefined {
  return target.stages[state.stage];
}

export function findUsedMedium(
  { usedMedia }: Pick<TargetState, 'usedMedia'>,
  userId: number,
  { kind, address }: Medium,
): UsedMedium | undefined {
  return usedMedia.find((used) => used.userId === userId && used.kind === kind && used.address === address);
}

/** Reports an event the first time it occurs, and not again at every step. */
export function reportOnce(
  { state, events }: TargetContext,
  { stage, userId }: Omit<ReportedEvent, 'kind'>,
  event: EscalationEvent,
): void {
  const key: ReportedEvent = {
    kind: event.kind,
    ...(stage !== undefined && { stage }),
    ...(userId !== undefined && { userId }),
  };
  if (state.reported.some((known) => isSameReport(known, key))) return;
  state.reported.push(key);
  events.push(event);
}

/** Has the event reported again when it occurs again. */
export function allowReportAgain({ state }: TargetContext, key: ReportedEvent): void {
  state.reported = state.reported.filter((known) => !isSameReport(known, key));
}

function isSameReport(one: ReportedEvent, other: ReportedEvent): boolean {
  return one.kind === other.kind && one.stage === other.stage && one.userId === other.userId;
}
