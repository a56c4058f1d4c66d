/** The bits of an alarm's `state`, as the interface shows it. Bits 3 and 4 are not used. */
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

/** The part of a state that the alarm's life moves: 0 normal, 1 taken, 2 returned, 3 calling for help. */
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

/** The same state in another condition: masks and faults stay as they are. */
export function withCondition(state: AlarmState, condition: AlarmCondition): AlarmState {
  return (state & ~conditionBits) | condition;
}

/** Whether the list of current alarms shows a tag in this state. */
export function isListed(state: AlarmState, { inactiveMasked }: { inactiveMasked: boolean }): boolean {
  if (conditionOf(state) === 0 && isMasked(state)) return inactiveMasked;
  return state !== 0;
}
