/** The minutes over which alarms are counted to recognize a flood. */
export const floodMinutes = 10;

/** A flood begins with more alarms than `limit` in ten minutes, and ends with fewer than `end`. */
export type FloodRule = { limit: number; end: number };

/** The rule of ISA-18.2 for a number of operators who share the alarms. */
export function floodRuleFor(operators: number): FloodRule {
  return { limit: 10 * operators, end: 5 * operators };
}

/** Whether ten minutes with this number of alarms belong to a flood, after others that did or did not. */
export function isInFlood(wasFlood: boolean, alarms: number, { limit, end }: FloodRule): boolean {
  return alarms > limit || (wasFlood && alarms >= end);
}
