import type { CallPlan } from './call-plan.ts';
import { type Attempt, hasArrived, isRunning } from './delivery.ts';
import { closureOf, reopens } from './escalation-closure.ts';
import { escalationContext, targetContext } from './escalation-context.ts';
import { isLost } from './escalation-person.ts';
import type { Advance, ClosedReason, EscalationState, Facts, TargetState } from './escalation-state.ts';
import { advanceTarget } from './escalation-target.ts';

/** How soon to advance a masked escalation again when the end of the mask is unknown. */
const maskedSeconds = 60;

/** The initial state. Nobody is called before the plan's delay is over. */
export function openEscalation(plan: CallPlan, now: Date): EscalationState {
  const openedMs = now.getTime();
  const startMs = openedMs + plan.delaySeconds * 1000;
  return { openedMs, closed: null, targets: plan.targets.map(() => newTarget(startMs)) };
}

/**
 * Decides the next actions of an escalation. Pure: the dispatcher stores the state and the attempts, and carries them
 * out. A second call with the same facts asks for nothing new.
 *
 * - An alarm that is acknowledged, reset or masked closes its escalation. When the mask ends and the alarm is still
 *   active and unacknowledged, the escalation opens again and starts with the first people.
 * - A call confirmed by the person called stops further tries of that person in this step, and no more: only the
 *   acknowledgment of the alarm keeps the next person from being called.
 * - A delivered message stops nothing while an acknowledgment is awaited.
 */
export function advance(plan: CallPlan, before: EscalationState, facts: Facts, now: Date): Advance {
  const isReopened = reopens(plan, before, facts.alarm);
  const state = isReopened ? reopen(before, now) : before;
  if (state.closed !== null) return stayClosed(plan, state, { facts, now });
  const reason = closureOf(plan, facts.alarm);
  if (reason !== undefined) return close(state, reason, { facts, now });

  const startsAt = new Date(state.openedMs + plan.delaySeconds * 1000);
  if (now < startsAt) return { state, attempts: [], hangUp: [], wakeAt: startsAt, events: [] };

  const next = advanceTargets(plan, state, { facts, now });
  return isReopened ? { ...next, events: [{ kind: 'reopened' }, ...next.events] } : next;
}

type Moment = { facts: Facts; now: Date };

function advanceTargets(plan: CallPlan, state: EscalationState, { facts, now }: Moment): Advance {
  const escalation = escalationContext(plan, facts, now);
  const contexts = plan.targets.map((target, index) =>
    targetContext(escalation, index, {
      target,
      state: state.targets[index] ?? newTarget(escalation.nowMs),
    }),
  );
  const wakeMs = Math.min(...contexts.map(advanceTarget));
  const targets = contexts.map((context) => context.state);
  const attempts = contexts.flatMap(({ drafts }) => drafts);
  const events = contexts.flatMap((context) => context.events);
  const outcome = outcomeOf(targets);
  if (outcome !== undefined)
    return { ...close({ ...state, targets }, outcome, { facts, now }), attempts, events };

  const hangUp = facts.attempts.filter((attempt) => isLost(attempt, escalation.nowMs)).map(({ id }) => id);
  return { state: { ...state, targets }, attempts, hangUp, wakeAt: new Date(wakeMs), events };
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
    hangUp: facts.attempts
      .filter((attempt) => isRunning(attempt) && !isHeard(attempt, closed))
      .map(({ id }) => id),
    wakeAt: closed === 'masked' ? maskEnd(facts, now) : undefined,
    events: [],
  };
}

/** Whoever has picked up hears a message that needs no acknowledgment to its end. */
function isHeard(attempt: Attempt, closed: ClosedReason): boolean {
  return (closed === 'reached' || closed === 'missed') && hasArrived(attempt);
}

/** A closed escalation stays closed, but a masked alarm may have been acknowledged or reset since. */
function stayClosed(plan: CallPlan, state: EscalationState, moment: Moment): Advance {
  const isMasked = state.closed === 'masked' && plan.occasion === 'raised';
  const reason = isMasked ? closureOf(plan, moment.facts.alarm) : undefined;
  if (reason !== undefined) return close(state, reason, moment);
  return { ...close(state, state.closed ?? 'missed', moment), wakeAt: undefined };
}

/** The end of the mask is polled as well, in case no change of the alarm announces it. */
function maskEnd({ alarm }: Facts, now: Date): Date {
  const untilMs = alarm?.maskUntil?.getTime() ?? 0;
  return new Date(untilMs > now.getTime() ? untilMs : now.getTime() + maskedSeconds * 1000);
}

function reopen(state: EscalationState, now: Date): EscalationState {
  const fresh = newTarget(now.getTime());
  return {
    ...state,
    closed: null,
    targets: state.targets.map(({ step, usedMedia }) => ({ ...fresh, step, passStep: step, usedMedia })),
  };
}

function newTarget(startMs: number): TargetState {
  return {
    outcome: 'open',
    stage: 0,
    cycle: 0,
    pass: 0,
    step: 0,
    stepUserIds: [],
    calledUserIds: [],
    stepStartedMs: startMs,
    cycleStartedMs: startMs,
    cycleHadWorkingChannel: false,
    passStartedMs: startMs,
    passStep: 0,
    notBeforeMs: startMs,
    usedMedia: [],
    reported: [],
  };
}
