import type { Transition } from './alarm-lifecycle.ts';
import type { Occasion } from './call-plan.ts';

/** What must be called for one turn of an alarm or one request, as far as its place in the queue goes. */
export type DueDuty = {
  id: number;
  /** 1 is the most urgent. */
  priority: number;
  /** Nobody has been called for anything at the station lately. */
  firstOfPlant: boolean;
  dueAt: Date;
};

const mostUrgentPriority = 1;

/** Whether it goes before the others, and is not kept waiting by the limit of a person. */
export function isUrgent({ priority, firstOfPlant }: Pick<DueDuty, 'priority' | 'firstOfPlant'>): boolean {
  return priority <= mostUrgentPriority || firstOfPlant;
}

/** The order in which due duties, and the attempts made for them, are taken up. */
export function compareDuties(one: DueDuty, other: DueDuty): number {
  return (
    Number(isUrgent(other)) - Number(isUrgent(one)) ||
    one.priority - other.priority ||
    one.dueAt.getTime() - other.dueAt.getTime() ||
    one.id - other.id
  );
}

/** For which turns of the alarm a change of it calls people. A repeat calls nobody: they are being called already. */
export function occasionsOf({ kind, momentary, acknowledges }: Transition): Occasion[] {
  if (kind === 'raised') return momentary ? ['raised', 'reset'] : ['raised'];
  if (kind === 'reset') return acknowledges ? ['reset', 'acknowledged'] : ['reset'];
  return kind === 'acknowledged' ? ['acknowledged'] : [];
}
