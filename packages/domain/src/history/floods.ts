/** The minutes over which alarms are counted to recognize a flood. */
export const floodMinutes = 10;

/** A flood begins with more alarms than `limit` in ten minutes, and ends with fewer than `end`. */
export type FloodRule = { limit: number; end: number };

/** The rule of ISA-18.2 for a number of operators who share the alarms. */
export function floodRuleFor(operators: number): FloodRule {
  return { limit: 10 * operators, end: 5 * operators };
}

/** Which of the successive ten minutes belong to a flood, from their numbers of alarms. */
export function floodsIn(counts: readonly number[], { limit, end }: FloodRule): boolean[] {
  let isFlood = false;
  return counts.map((count) => {
    isFlood = count > limit || (isFlood && count >= end);
    return isFlood;
  });
}
