/** The bits of an alarm's `state` in the interface. Bits 3 and 4 are not used. */
export const stateBits = {
  active: 1,
  unacknowledged: 2,
  maskedByUser: 4,
  maskedByRule: 32,
  connectionFailure: 64,
  notPolled: 128,
} as const;

/** A combination of `stateBits`. */
export type AlarmState = number;

/** The part of a state that the lifecycle changes: 0 normal, 1 acknowledged, 2 returned, 3 unacknowledged. */
export type AlarmCondition = 0 | 1 | 2 | 3;

const conditionBits = stateBits.active | stateBits.unacknowledged;
const maskBits = stateBits.maskedByUser | stateBits.maskedByRule;

export function isActive(state: AlarmState): boolean {
  return (state & stateBits.active) !== 0;
}

export function isUnacknowledged(state: AlarmState): boolean {
  return (state & stateBits.unacknowledged) !== 0;
}

export function isMasked(state: AlarmState): boolean {
  return (state & maskBits) !== 0;
}

export function conditionOf(state: AlarmState): AlarmCondition {
  if (isActive(state)) return isUnacknowledged(state) ? 3 : 1;
  return isUnacknowledged(state) ? 2 : 0;
}

/** Replaces the condition and keeps the bits of masks and faults. */
export function withCondition(state: AlarmState, condition: AlarmCondition): AlarmState {
  return (state & ~conditionBits) | condition;
}

/** Whether the list of current alarms shows a tag in this state. */
export function isListed(state: AlarmState, { inactiveMasked }: { inactiveMasked: boolean }): boolean {
  if (conditionOf(state) === 0 && isMasked(state)) return inactiveMasked;
  return state !== 0;
}
