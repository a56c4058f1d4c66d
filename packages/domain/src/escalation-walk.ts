import type { CallPlan, Person, Stage, Target } from './call-plan.ts';
import { type Attempt, type AttemptDraft, isRunning } from './delivery.ts';
import type { Facts, Notice, TargetState } from './escalation-state.ts';

/** The plan and the facts, arranged for looking things up. */
export type Scene = {
  plan: CallPlan;
  facts: Facts;
  people: ReadonlyMap<number, Person>;
  triesOf(target: number, step: number, userId: number): readonly Attempt[];
  /** Tries of the user that have not ended, whatever target and step they were for. */
  runningOf(userId: number): readonly Attempt[];
  /** Who is called already in this very advance, for another target. */
  busy: Set<number>;
  nowMs: number;
};

/** One target on its way. `state` is a copy, and is written on. */
export type Walk = {
  scene: Scene;
  index: number;
  target: Target;
  state: TargetState;
  drafts: AttemptDraft[];
  notices: Notice[];
};

export function sceneOf(plan: CallPlan, facts: Facts, now: Date): Scene {
  const tries = Map.groupBy(facts.attempts, ({ target, step, userId }) => `${target}:${step}:${userId}`);
  const running = Map.groupBy(facts.attempts.filter(isRunning), ({ userId }) => userId);
  return {
    plan,
    facts,
    people: facts.people ?? new Map(plan.people.map((person) => [person.userId, person])),
    triesOf: (target, step, userId) =>
      (tries.get(`${target}:${step}:${userId}`) ?? []).toSorted((one, other) => one.try - other.try),
    runningOf: (userId) => running.get(userId) ?? [],
    busy: new Set(),
    nowMs: now.getTime(),
  };
}

export function beginWalk(
  scene: Scene,
  index: number,
  { target, state }: Pick<Walk, 'target' | 'state'>,
): Walk {
  const { turn, called, used, dead, noticed } = state;
  const copy = {
    ...state,
    turn: [...turn],
    called: [...called],
    used: { ...used },
    dead: [...dead],
    noticed: [...noticed],
  };
  return { scene, index, target, state: copy, drafts: [], notices: [] };
}

/** Undefined only for a target that names nobody. */
export function stageOf({ target, state }: Walk): Stage | undefined {
  return target.stages[state.stage];
}

/** Says a thing the first time it is so, and not at every turn of a long night. */
export function noticeOnce({ state, notices }: Walk, key: string, notice: Notice): void {
  if (state.noticed.includes(key)) return;
  state.noticed.push(key);
  notices.push(notice);
}

/** It is no longer so: when it is again, it is said again. */
export function forgetNotice({ state }: Walk, key: string): void {
  state.noticed = state.noticed.filter((known) => known !== key);
}
