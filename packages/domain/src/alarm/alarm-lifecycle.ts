import { type AlarmState, isActive, isUnacknowledged, withCondition } from './alarm-state.ts';

/**
 * The lifecycle of an alarm, after ISA-18.2. Only bits 0 and 1 of the state change.
 *
 *   from                          acknowledge   reset   raise
 *   0  normal                     –             –       3
 *   3  active, unacknowledged     1             2       repeat
 *   1  active, acknowledged       –             0       repeat, or 3 when reactivatable
 *   2  returned, unacknowledged   0             –       3
 *
 * "The current occurrence" is the one before the transition.
 */
export type Transition = {
  kind: 'raised' | 'repeated' | 'acknowledged' | 'reset' | 'unchanged';
  state: AlarmState;
  startsOccurrence: boolean;
  /** The new occurrence is reset in the same instant. */
  momentary: boolean;
  /** The current occurrence gets its reset time. */
  endsOccurrence: boolean;
  /** The current occurrence gets its acknowledgment time. */
  acknowledges: boolean;
};

/**
 * A raise of an active alarm is a repeat, because somebody is being called already or has acknowledged it; only a
 * reactivatable alarm that was acknowledged starts a new occurrence. A transitory raise follows the same rules and ends
 * in state 2 instead of 3. As a repeat it changes nothing: it does not reset a lasting alarm.
 */
export function raise(
  state: AlarmState,
  { transitory, reactivatable }: { transitory: boolean; reactivatable: boolean },
): Transition {
  const canStartAgain = reactivatable && !isUnacknowledged(state);
  if (isActive(state) && !canStartAgain) return { ...unchanged(state), kind: 'repeated' };

  return {
    kind: 'raised',
    state: withCondition(state, transitory ? 2 : 3),
    startsOccurrence: true,
    momentary: transitory,
    endsOccurrence: isActive(state),
    acknowledges: false,
  };
}

export function acknowledge(state: AlarmState): Transition {
  if (!isUnacknowledged(state)) return unchanged(state);

  return {
    ...unchanged(state),
    kind: 'acknowledged',
    state: withCondition(state, isActive(state) ? 1 : 0),
    acknowledges: true,
  };
}

export function reset(state: AlarmState, { autoAcknowledge }: { autoAcknowledge: boolean }): Transition {
  if (!isActive(state)) return unchanged(state);

  return {
    ...unchanged(state),
    kind: 'reset',
    state: withCondition(state, isUnacknowledged(state) && !autoAcknowledge ? 2 : 0),
    endsOccurrence: true,
    acknowledges: isUnacknowledged(state) && autoAcknowledge,
  };
}

function unchanged(state: AlarmState): Transition {
  return {
    kind: 'unchanged',
    state,
    startsOccurrence: false,
    momentary: false,
    endsOccurrence: false,
    acknowledges: false,
  };
}
