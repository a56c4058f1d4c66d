/** The rules that turn the events of a source into raises and resets. */
export type EventCondition = {
  /** The value that raises the alarm; empty if values are ignored. */
  value: string;
  /** The alarm is raised and reset at once. */
  transitory: boolean;
  /** A raise after the acknowledgment starts a new occurrence. */
  reactivatable: boolean;
  /** Whether a source may reset the alarm; an operator always may. */
  resettable: boolean;
};

export const defaultEventCondition: EventCondition = {
  value: '',
  transitory: false,
  reactivatable: false,
  resettable: true,
};

/** The request of a source. `define` stores the definition of the alarm and keeps its state. */
export type Signal = 'raise' | 'reset' | 'define';

export function signalOf({
  raised,
  value,
  condition,
}: {
  raised?: boolean | undefined;
  value?: string | undefined;
  condition: EventCondition;
}): Signal {
  if (raised ?? meetsCondition(value, condition)) return 'raise';
  return condition.resettable ? 'reset' : 'define';
}

// An event without `raised` and without a value raises the alarm.
function meetsCondition(value: string | undefined, condition: EventCondition): boolean {
  return value === undefined || condition.value === '' || value === condition.value;
}
