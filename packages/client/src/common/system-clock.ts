/** Milliseconds since 1970. */
export type Clock = () => number;

/** The clock of the machine, for callers that give no other. */
export const systemClock: Clock = () => Date.now();
