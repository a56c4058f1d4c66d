/** Water in a reservoir: a pump fills it, people empty it, most in the morning and in the evening. */
export type Reservoir = {
  /** Path of its level, such as `Bel.LT211`. */
  readonly path: string;
  readonly metres: number;
  readonly isFilling: boolean;
  /** The limits that are passed, such as `L` and `LL`. */
  readonly passed: readonly string[];
};

const limits = [
  { end: 'LL', isPassed: (metres: number) => metres < 1, isOver: (metres: number) => metres > 1.2 },
  { end: 'L', isPassed: (metres: number) => metres < 1.8, isOver: (metres: number) => metres > 2 },
  { end: 'H', isPassed: (metres: number) => metres > 4.4, isOver: (metres: number) => metres < 4.2 },
] as const;

const daySeconds = 86_400;
/** The pump is started and stopped at these levels; it comes too late when the demand is high. */
const startBelow = 1.75;
const stopAbove = 4.3;
const filledPerSecond = 0.004;

/** Metres per second that people take, at a time of the simulated day. */
const demandAt = (seconds: number) =>
  0.002 + 0.0016 * Math.max(0, Math.sin((4 * Math.PI * (seconds % daySeconds)) / daySeconds));

/** The reservoir after some seconds. `chance` is a random number from 0 to 1. */
export function fillReservoir(
  { path, metres, isFilling, passed }: Reservoir,
  { at, seconds, chance }: { at: number; seconds: number; chance: number },
): Reservoir {
  const flow = (isFilling ? filledPerSecond : 0) - demandAt(at) * (0.6 + 0.8 * chance);
  const level = Math.min(4.8, Math.max(0.4, metres + flow * seconds));
  return {
    path,
    metres: level,
    isFilling: isFilling ? level < stopAbove : level < startBelow,
    // A level that wavers at its limit does not chatter: it must come back a little first.
    passed: limits
      .filter(({ end, isPassed, isOver }) => (passed.includes(end) ? !isOver(level) : isPassed(level)))
      .map(({ end }) => end),
  };
}
