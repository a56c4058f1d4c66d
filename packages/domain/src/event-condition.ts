/** How what a source sends turns into raises and resets. */
export type EventCondition = {
  /** The value that raises the alarm; empty when values decide nothing. */
  value: string;
  /** Raised and reset in one go. */
  transitory: boolean;
  /** A raise after somebody took the alarm starts a new occurrence. */
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

/** What a source asks for. To define is to store what the alarm is, and leave its state alone. */
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

// A source that says neither whether nor what is asking for help.
function meetsCondition(value: string | undefined, condition: EventCondition): boolean {
  return value === undefined || condition.value === '' || value === condition.value;
}
