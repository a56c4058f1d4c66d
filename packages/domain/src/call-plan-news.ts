import type { CallPlan, Target } from './call-plan.ts';

/** Somebody who was called for the alarm, and the group it was for; 0 for a single user. */
export type CalledBefore = { userId: number; groupId: number };

/**
 * The plan for telling that an alarm is over or taken, once it is known who was called for it: all of them are told, and
 * not only the first who can be reached. A target nobody of which was called is told as the plan says.
 */
export function tellAllCalled(plan: CallPlan, called: readonly CalledBefore[]): CallPlan {
  if (plan.occasion !== 'reset' && plan.occasion !== 'acknowledged') return plan;
  return { ...plan, targets: plan.targets.map((target) => withAllCalled(target, called)) };
}

function withAllCalled(target: Target, called: readonly CalledBefore[]): Target {
  const [first] = target.stages;
  const isOfTarget = ({ userId, groupId }: CalledBefore) =>
    target.stages.some(
      (stage) => stage.groupId === groupId && (groupId !== 0 || stage.userIds.includes(userId)),
    );
  const userIds = [...new Set(called.filter(isOfTarget).map(({ userId }) => userId))];
  if (!first || userIds.length === 0) return target;
  return { stages: [{ ...first, mode: 'Broadcast', rostered: false, userIds }] };
}
