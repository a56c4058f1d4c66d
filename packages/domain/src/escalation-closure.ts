import { isActive, isMasked, isUnacknowledged } from './alarm-state.ts';
import type { CallPlan } from './call-plan.ts';
import type { ClosedReason, EscalationState, OccurrenceStanding } from './escalation-state.ts';

/**
 * Why nobody needs to be called, or undefined when somebody does. What the alarm's state says decides, not who was
 * reached: a call that was confirmed by the person called closes nothing.
 */
export function closureOf(
  { occasion, outlivesReset }: Pick<CallPlan, 'occasion' | 'outlivesReset'>,
  alarm: OccurrenceStanding | undefined,
): ClosedReason | undefined {
  if (!alarm) return undefined;
  const { state } = alarm;
  if (occasion === 'raised' && !isActive(state) && !outlivesReset) return 'reset';
  if (occasion === 'raised' && !isUnacknowledged(state)) return 'acknowledged';
  return isMasked(state) ? 'masked' : undefined;
}

/** Whether calling starts again after a mask: nobody was told meanwhile, and somebody still has to be. */
export function reopens(
  plan: Pick<CallPlan, 'occasion' | 'outlivesReset'>,
  { closed }: EscalationState,
  alarm: OccurrenceStanding | undefined,
): boolean {
  if (closed !== 'masked' || plan.occasion !== 'raised' || !alarm) return false;
  return closureOf(plan, alarm) === undefined;
}
