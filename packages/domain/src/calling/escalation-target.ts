import type { CallPlan, Stage } from './call-plan.ts';
import { maxAttemptSeconds, startedMs } from './delivery.ts';
import { findUsedMedium, stageOf, type TargetContext } from './escalation-context.ts';
import { quietWakeMs } from './escalation-pass.ts';
import { isForEverybody } from './escalation-people.ts';
import { nextAction, type PersonAction } from './escalation-person.ts';
import { startNextStep } from './escalation-step.ts';

const never = Number.POSITIVE_INFINITY;
const otherTargetMs = 15_000;
const noMedia: ReadonlySet<never> = new Set();

/**
 * Ends steps that are over, starts the next ones and drafts the attempts. Returns when to advance again, in epoch
 * milliseconds. A step that has just started is never over, so the loop ends.
 */
export function advanceTarget(context: TargetContext): number {
  const { state, escalation } = context;
  while (state.outcome === 'open') {
    if (state.stepUserIds.length === 0 && !startNextStep(context))
      return state.outcome === 'open' ? state.notBeforeMs : never;
    const wakeMs = advanceStep(context);
    if (wakeMs > escalation.nowMs) return wakeMs;
    state.cycleHadWorkingChannel ||= hadWorkingChannel(context);
    state.stepUserIds = [];
  }
  return never;
}

/** Whether an attempt of the step did not fail by a fault of its channel. */
function hadWorkingChannel({ escalation, index, state }: TargetContext): boolean {
  return state.stepUserIds.some((userId) =>
    escalation.triesOf(index, state.step, userId).some(({ channelFault }) => !channelFault),
  );
}

/** Drafts the attempts that are due in the running step. Returns when to advance again; not in the future if it is over. */
function advanceStep(context: TargetContext): number {
  const { state, escalation } = context;
  const stage = stageOf(context);
  if (!stage) return escalation.nowMs;
  const endMs = stepEndMs(context, stage);
  if (endMs <= escalation.nowMs) return endMs;

  markFailedMedia(context);
  const people = state.stepUserIds.map((userId) => ({ userId, action: actionFor(context, stage, userId) }));
  const actions = people.map(({ action }) => action);
  if (isStepOver(escalation.plan.until, actions)) {
    endTarget(context, actions);
    return escalation.nowMs;
  }
  const waits = people.map(({ userId, action }) => carryOut(context, { stage, userId, action }));
  return Math.min(endMs, ...waits);
}

function stepEndMs({ escalation, state }: TargetContext, { ackTimeoutSeconds }: Stage): number {
  if (escalation.plan.until === 'reached') return never;
  return state.stepStartedMs + Math.max(1, ackTimeoutSeconds) * 1000;
}

/** Remembers permanent failures of the people who can be called now. */
function markFailedMedia(context: TargetContext): void {
  const { escalation, index, state } = context;
  for (const userId of state.stepUserIds) {
    if (!escalation.people.get(userId) || freeFromMs(context, userId) > escalation.nowMs) continue;
    for (const { permanent, medium } of escalation.triesOf(index, state.step, userId)) {
      const used = permanent ? findUsedMedium(state, userId, medium) : undefined;
      if (used) used.hasFailed = true;
    }
  }
}

function actionFor(context: TargetContext, stage: Stage, userId: number): PersonAction {
  const { escalation, index, state } = context;
  const { plan, facts, nowMs } = escalation;
  const person = escalation.peopleOf(state).get(userId);
  if (!person) return { kind: 'exhausted' };
  const freeMs = freeFromMs(context, userId);
  if (freeMs > nowMs) return { kind: 'wait', untilMs: freeMs };

  const tries = escalation.triesOf(index, state.step, userId);
  const running = escalation.runningOf(userId);
  const { routes, down = noMedia } = facts;
  const step = { until: plan.until, stage, person, tries, running, state, routes, down };
  const action = nextAction(step, nowMs);
  const { quietUntilMs } = person;
  if (action.kind !== 'exhausted' || quietUntilMs === undefined || !isForEverybody(stage, plan.until))
    return action;
  return { kind: 'wait', untilMs: quietWakeMs(quietUntilMs, nowMs) };
}

/** Two targets that name the same person do not call them at the same moment. */
function freeFromMs({ escalation, index }: TargetContext, userId: number): number {
  if (escalation.busy.has(userId)) return escalation.nowMs + otherTargetMs;
  const others = escalation.runningOf(userId).filter(({ target }) => target !== index);
  return Math.max(0, ...others.map((other) => startedMs(other) + otherTargetMs));
}

/**
 * While an acknowledgment is awaited, a step ends early only if nobody in it can have been reached. Otherwise it ends
 * when everybody in it was reached or is exhausted.
 */
function isStepOver(until: CallPlan['until'], actions: readonly PersonAction[]): boolean {
  const isAnswerAwaited = until === 'acknowledged';
  return actions.every(({ kind }) => kind === 'exhausted' || (kind === 'reached' && !isAnswerAwaited));
}

/** Without an acknowledgment to wait for, a step that has reached somebody ends the target. */
function endTarget(
  { state, events, index, escalation }: TargetContext,
  actions: readonly PersonAction[],
): void {
  if (escalation.plan.until === 'acknowledged') return;
  if (actions.every(({ kind }) => kind === 'reached')) state.outcome = 'reached';
  else if (actions.some(({ kind }) => kind === 'reached')) {
    state.outcome = 'missed';
    events.push({ kind: 'missed', target: index });
  }
}

/** Drafts the attempt, if the action is to call. Returns when to advance again. */
function carryOut(
  { escalation, state, index, drafts }: TargetContext,
  { stage, userId, action }: { stage: Stage; userId: number; action: PersonAction },
): number {
  if (action.kind === 'wait') return action.untilMs;
  if (action.kind !== 'call') return never;

  const { medium, avoidChannels } = action;
  const used = findUsedMedium(state, userId, medium);
  if (used) used.tries += 1;
  else {
    const { kind, address } = medium;
    state.usedMedia.push({ userId, kind, address, tries: 1, hasFailed: false });
  }
  escalation.busy.add(userId);
  const tries = escalation.triesOf(index, state.step, userId).length;
  const { groupId } = stage;
  drafts.push({ target: index, groupId, step: state.step, try: tries + 1, userId, medium, avoidChannels });
  return escalation.nowMs + maxAttemptSeconds * 1000;
}
