import type { Stage } from './call-plan.ts';
import { type Attempt, type AttemptStatus, retrySecondsAfter } from './delivery.ts';
import { allowReportAgain, reportOnce, stageOf, type TargetContext } from './escalation-context.ts';
import { endPass, paceMs } from './escalation-pass.ts';
import { type CallablePeople, callablePeople, nextUserIds } from './escalation-people.ts';

/**
 * Starts the next step: with the next people of the cycle, else the next cycle, the relief groups, the fallback group,
 * or the first stage again. Returns false during a pause until `notBeforeMs`, or when the target has ended.
 */
export function startNextStep(context: TargetContext): boolean {
  const { state, escalation } = context;
  while (state.outcome === 'open' && state.notBeforeMs <= escalation.nowMs) {
    const stage = stageOf(context);
    const userIds = stage ? findNextUserIds(context, stage) : [];
    if (userIds.length > 0) {
      state.notBeforeMs = Math.max(state.notBeforeMs, retryMs(context, userIds));
      if (state.notBeforeMs > escalation.nowMs) return false;
      startStep(context, userIds);
      return true;
    }
    if (stage && canRepeatCycle(context, stage)) startCycle(context);
    else leaveStage(context);
  }
  return false;
}

function findNextUserIds(context: TargetContext, stage: Stage): number[] {
  const { escalation, index, state } = context;
  const { groupId } = stage;
  const callable = callablePeople(stage, escalation.facts, escalation.people);
  for (const { userId, why } of callable.unreachable)
    if (why !== 'disabled') reportOnce(context, { userId }, { kind: why, target: index, groupId, userId });
  const { cause, unreachable } = callable;
  const wholeGroup = cause !== undefined && hasNobodyToCall(context);
  const members = wholeGroup ? { ...stage, rostered: false } : stage;
  const called = callablePeople(members, escalation.facts, escalation.peopleOf(state));
  if (cause === undefined) allowReportAgain(context, { kind: 'nobody-on-duty', stage: state.stage });
  else {
    const isLastResort = called.people.some(({ userId }) => !escalation.people.get(userId)?.media.length);
    const why = { cause, unreachable, wholeGroup, ...(isLastResort && { lastResort: true as const }) };
    reportOnce(context, { stage: state.stage }, { kind: 'nobody-on-duty', target: index, groupId, ...why });
  }
  return chooseUserIds(context, stage, called);
}

/** Reports quiet people, and remembers when the first of them can be called. */
function chooseUserIds(context: TargetContext, stage: Stage, callable: CallablePeople): number[] {
  const { escalation, state, index } = context;
  const { groupId } = stage;
  for (const { userId, quietUntilMs: untilMs } of callable.people) {
    if (untilMs === undefined) {
      allowReportAgain(context, { kind: 'quiet', userId });
      continue;
    }
    context.quietUntilMs = Math.min(context.quietUntilMs, untilMs);
    reportOnce(context, { userId }, { kind: 'quiet', target: index, groupId, userId, untilMs });
  }
  const { until } = escalation.plan;
  return nextUserIds(stage, callable, { until, calledUserIds: state.calledUserIds });
}

/** Whether no stage has anybody on duty who can be reached. Then an alarm ignores the rosters. */
function hasNobodyToCall({ escalation, target }: TargetContext): boolean {
  const { plan, facts, people } = escalation;
  if (plan.until !== 'acknowledged') return false;
  return target.stages.every((stage) => callablePeople(stage, facts, people).cause !== undefined);
}

/** Statuses that prove that the person has not got the message. */
const failedStatuses: readonly AttemptStatus[] = ['busy', 'noAnswer', 'refused', 'failed'];

/**
 * The earliest time to call people who were also called in the last step: not in the same second in which their last
 * try failed. If one of them was not tried just now, nobody waits.
 */
function retryMs({ escalation, index, state }: TargetContext, userIds: readonly number[]): number {
  const times = userIds.map((userId) => {
    const tries = escalation.triesOf(index, state.step, userId);
    const failed = tries.filter(
      ({ status, channelFault }) => failedStatuses.includes(status) && !channelFault,
    );
    return failed.length === 0 ? 0 : Math.max(...failed.map(endedMs)) + retrySecondsAfter(1) * 1000;
  });
  return times.includes(0) ? 0 : Math.max(...times);
}

function endedMs({ endedAt, createdAt }: Attempt): number {
  return (endedAt ?? createdAt).getTime();
}

function startStep({ state, escalation }: TargetContext, userIds: readonly number[]): void {
  if (state.calledUserIds.length === 0) {
    state.cycleStartedMs = escalation.nowMs;
    state.cycleHadWorkingChannel = false;
  }
  state.stepUserIds = [...userIds];
  state.calledUserIds.push(...userIds);
  state.step += 1;
  state.stepStartedMs = escalation.nowMs;
}

/**
 * Cycles repeat only while an acknowledgment is awaited. If no channel has worked for anybody in the cycle, the next
 * stage follows first, without a pause.
 */
function canRepeatCycle({ escalation, state, target }: TargetContext, { cycles }: Stage): boolean {
  if (state.calledUserIds.length === 0) return false;
  if (!state.cycleHadWorkingChannel && state.stage + 1 < target.stages.length) return false;
  return escalation.plan.until === 'acknowledged' && state.cycle + 1 < cycles;
}

function startCycle({ state }: TargetContext): void {
  state.cycle += 1;
  state.calledUserIds = [];
  state.notBeforeMs = state.cycleStartedMs + paceMs;
}

function leaveStage(context: TargetContext): void {
  const { state, target, index } = context;
  state.cycle = 0;
  state.calledUserIds = [];
  if (state.stage + 1 >= target.stages.length) return endPass(context);

  state.stage += 1;
  const stage = stageOf(context);
  if (!stage || stage.role === 'first') return;
  const { groupId, role } = stage;
  reportOnce(context, { stage: state.stage }, { kind: 'stands-in', target: index, groupId, role });
}
