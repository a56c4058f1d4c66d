import { isActive, isMasked, isUnacknowledged } from '../alarm/alarm-state.ts';
import type { CallPlan } from './call-plan.ts';
import type { ClosedReason, EscalationState, OccurrenceStatus } from './escalation-state.ts';

/**
 * Why nobody needs to be called, or undefined when somebody does. Only the state of the alarm decides: a call that the
 * person called has confirmed closes nothing.
 */
export function closureOf(
  { occasion, outlivesReset }: Pick<CallPlan, 'occasion' | 'outlivesReset'>,
  alarm: OccurrenceStatus | undefined,
): ClosedReason | undefined {
  if (!alarm) return undefined;
  const { state } = alarm;
  if (occasion === 'raised' && !isActive(state) && !outlivesReset) return 'reset';
  if (occasion === 'raised' && !isUnacknowledged(state)) return 'acknowledged';
  return isMasked(state) ? 'masked' : undefined;
}

/** Whether calling starts again after a mask, because the alarm still needs an acknowledgment. */
export function reopens(
  plan: Pick<CallPlan, 'occasion' | 'outlivesReset'>,
  { closed }: EscalationState,
  alarm: OccurrenceStatus | undefined,
): boolean {
  if (closed !== 'masked' || plan.occasion !== 'raised' || !alarm) return false;
  return closureOf(plan, alarm) === undefined;
}
