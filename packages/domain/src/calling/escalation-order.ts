import type { Transition } from '../alarm/alarm-lifecycle.ts';
import type { AlarmOccasion } from './call-plan.ts';

/** The members of an escalation that decide its place in the queue. */
export type DueEscalation = {
  id: number;
  /** 1 is the most urgent. */
  priority: number;
  /** It is for the first alarm of its station: nobody was called for the station lately. */
  isFirstOfStation: boolean;
  dueAt: Date;
};

export const mostUrgentPriority = 1;

/** Urgent escalations go first and are not delayed by the limit of a person. */
export function isUrgent({
  priority,
  isFirstOfStation,
}: Pick<DueEscalation, 'priority' | 'isFirstOfStation'>): boolean {
  return priority <= mostUrgentPriority || isFirstOfStation;
}

/** The order in which due escalations and their attempts are claimed. */
export function compareEscalations(one: DueEscalation, other: DueEscalation): number {
  return (
    Number(isUrgent(other)) - Number(isUrgent(one)) ||
    one.priority - other.priority ||
    one.dueAt.getTime() - other.dueAt.getTime() ||
    one.id - other.id
  );
}

/** The occasions that a transition of the alarm makes. A repeat makes none: people are being called already. */
export function occasionsOf({ kind, momentary, acknowledges }: Transition): AlarmOccasion[] {
  if (kind === 'raised') return momentary ? ['raised', 'reset'] : ['raised'];
  if (kind === 'reset') return acknowledges ? ['reset', 'acknowledged'] : ['reset'];
  return kind === 'acknowledged' ? ['acknowledged'] : [];
}
