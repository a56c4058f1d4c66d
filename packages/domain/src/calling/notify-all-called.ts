import type { CallPlan, Target } from './call-plan.ts';

/** A user who was called for the alarm. `groupId` is 0 if they were called as a single user. */
export type CalledUser = { userId: number; groupId: number };

/**
 * Changes the plan for a reset or an acknowledgment, so that everybody who was called for the alarm is notified, and
 * not only the first person who can be reached. A target without such people is notified as planned.
 */
export function notifyAllCalled(plan: CallPlan, called: readonly CalledUser[]): CallPlan {
  if (plan.occasion !== 'reset' && plan.occasion !== 'acknowledged') return plan;
  return { ...plan, targets: plan.targets.map((target) => withAllCalled(target, called)) };
}

function withAllCalled(target: Target, called: readonly CalledUser[]): Target {
  const [first] = target.stages;
  const isOfTarget = ({ userId, groupId }: CalledUser) =>
    target.stages.some(
      (stage) => stage.groupId === groupId && (groupId !== 0 || stage.userIds.includes(userId)),
    );
  const userIds = [...new Set(called.filter(isOfTarget).map(({ userId }) => userId))];
  if (!first || userIds.length === 0) return target;
  return { stages: [{ ...first, mode: 'Broadcast', rostered: false, userIds }] };
}
