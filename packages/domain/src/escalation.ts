import type { CallPlan } from './call-plan.ts';
import { isRunning } from './delivery.ts';
import { closureOf, reopens } from './escalation-closure.ts';
import type { Advance, ClosedReason, EscalationState, Facts, TargetState } from './escalation-state.ts';
import { walkOn } from './escalation-target.ts';
import { isLost } from './escalation-turn.ts';
import { beginWalk, sceneOf } from './escalation-walk.ts';

/** How soon a masked duty is looked at again when nobody knows when the mask ends. */
const maskedSeconds = 60;

/** How a duty stands when it begins. Nobody is called before the plan's delay is over. */
export function openEscalation(plan: CallPlan, now: Date): EscalationState {
  const openedMs = now.getTime();
  const startMs = openedMs + plan.delaySeconds * 1000;
  return { openedMs, closed: null, targets: plan.targets.map(() => newTarget(startMs)) };
}

/**
 * What there is to do about a duty. Pure: the dispatcher stores the state and the attempts, and carries them out.
 * Calling it again without anything having changed asks for nothing new.
 *
 * - An alarm that is acknowledged, reset or masked closes its duty; a mask that ends opens it again if the alarm is
 *   still active and unacknowledged. Then it starts with the first people.
 * - A call that the person called has confirmed stops further tries of that person in this step, and no more: only
 *   the acknowledgment of the alarm keeps the next person from being called.
 * - That a message was delivered stops nothing where an acknowledgment is awaited.
 */
export function advance(plan: CallPlan, before: EscalationState, facts: Facts, now: Date): Advance {
  const reopened = reopens(plan, before, facts.alarm);
  const state = reopened ? reopen(before, now) : before;
  if (state.closed !== null) return stayClosed(plan, state, { facts, now });
  const reason = closureOf(plan, facts.alarm);
  if (reason !== undefined) return close(state, reason, { facts, now });

  const startsAt = new Date(state.openedMs + plan.delaySeconds * 1000);
  if (now < startsAt) return { state, attempts: [], hangUp: [], wakeAt: startsAt, notices: [] };

  const next = walkAll(plan, state, { facts, now });
  return reopened ? { ...next, notices: [{ kind: 'reopened' }, ...next.notices] } : next;
}

type Moment = { facts: Facts; now: Date };

function walkAll(plan: CallPlan, state: EscalationState, { facts, now }: Moment): Advance {
  const scene = sceneOf(plan, facts, now);
  const walks = plan.targets.map((target, index) =>
    beginWalk(scene, index, { target, state: state.targets[index] ?? newTarget(scene.nowMs) }),
  );
  const wakeMs = Math.min(...walks.map(walkOn));
  const targets = walks.map((walk) => walk.state);
  const attempts = walks.flatMap(({ drafts }) => drafts);
  const notices = walks.flatMap((walk) => walk.notices);
  const outcome = outcomeOf(targets);
  if (outcome !== undefined)
    return { ...close({ ...state, targets }, outcome, { facts, now }), attempts, notices };

  const hangUp = facts.attempts.filter((attempt) => isLost(attempt, scene.nowMs)).map(({ id }) => id);
  return { state: { ...state, targets }, attempts, hangUp, wakeAt: new Date(wakeMs), notices };
}

/** Undefined while a target is open. */
function outcomeOf(targets: readonly TargetState[]): ClosedReason | undefined {
  if (targets.some(({ outcome }) => outcome === 'open')) return undefined;
  return targets.every(({ outcome }) => outcome === 'reached') ? 'reached' : 'missed';
}

function close(state: EscalationState, closed: ClosedReason, { facts, now }: Moment): Advance {
  return {
    state: { ...state, closed },
    attempts: [],
    hangUp: facts.attempts.filter(isRunning).map(({ id }) => id),
    wakeAt: closed === 'masked' ? maskEnd(facts, now) : undefined,
    notices: [],
  };
}

/** What is closed stays so, but a masked alarm may meanwhile be acknowledged or reset. */
function stayClosed(plan: CallPlan, state: EscalationState, moment: Moment): Advance {
  const isMasked = state.closed === 'masked' && plan.occasion === 'raised';
  const reason = isMasked ? closureOf(plan, moment.facts.alarm) : undefined;
  if (reason !== undefined) return close(state, reason, moment);
  return { ...close(state, state.closed ?? 'missed', moment), wakeAt: undefined };
}

/** That a mask ends is looked for, and not only waited for. */
function maskEnd({ alarm }: Facts, now: Date): Date {
  const untilMs = alarm?.maskUntil?.getTime() ?? 0;
  return new Date(untilMs > now.getTime() ? untilMs : now.getTime() + maskedSeconds * 1000);
}

function reopen(state: EscalationState, now: Date): EscalationState {
  const fresh = newTarget(now.getTime());
  return {
    ...state,
    closed: null,
    targets: state.targets.map(({ step, used, dead }) => ({ ...fresh, step, passStep: step, used, dead })),
  };
}

function newTarget(startMs: number): TargetState {
  return {
    outcome: 'open',
    stage: 0,
    cycle: 0,
    pass: 0,
    step: 0,
    turn: [],
    called: [],
    stepStartedMs: startMs,
    cycleStartedMs: startMs,
    passStartedMs: startMs,
    passStep: 0,
    notBeforeMs: startMs,
    used: {},
    dead: [],
    noticed: [],
  };
}
